"""No step outlives the process it works for.

Dagster runs a launched job in a child of the code server, and, with its multiprocess executor, each step in a child of
that. When the parent is killed such a child would go on executing, unseen by everyone. Here it ends too, at once.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from functools import cache
from multiprocessing.connection import wait

_POLL_SECONDS = 0.2


@cache
def end_with_parent() -> None:
    """From now on this process is killed when its multiprocessing parent ends; without such a parent, nothing.

    A thread waits for the parent, so that the end of the parent's *thread* which started this process (what
    PR_SET_PDEATHSIG would act on) does not count.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    watcher = threading.Thread(target=_watch, args=(parent.pid, parent.sentinel), name="end-with-parent", daemon=True)
    watcher.start()


def _watch(parent: int, sentinel: int) -> None:
    # The sentinel also becomes ready when the parent drops its handle of this process: only the id decides.
    wait([sentinel])
    while os.getppid() == parent:
        time.sleep(_POLL_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)
