#!/bin/sh
# Serves the model, runs the study against it, and ends the server. Usage: demo.sh PYTHON
set -eu
here=$(dirname "$0")
"$1" "$here/server.py" --port 8123 2>"${TMPDIR:-/tmp}/small-model-server.log" &
server=$!
trap 'kill "$server"' EXIT
for _ in $(seq 60); do
  "$1" -c 'import socket; socket.create_connection(("127.0.0.1", 8123), 1)' 2>/dev/null && break
  kill -0 "$server" || { tail -3 "${TMPDIR:-/tmp}/small-model-server.log"; exit 1; }
  sleep 1
done
"$1" -c 'from sscb_pipeline.cli import main; main()' run --config "$here/study.yaml"
"$1" -c 'from sscb_pipeline.cli import main; main()' query \
  "SELECT condition, ending, stop_reason, steps FROM executions WHERE campaign = 'small-model-demo' ORDER BY ALL"
