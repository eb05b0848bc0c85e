"""Groups of commands of `sscb`, each in a module of its own, and the console they share."""
