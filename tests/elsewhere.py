"""Other systems: which names POSIX alone has, and modules of the library without them."""

import sys
from types import ModuleType

import pytest

needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="rights and shells are POSIX's")

_OS = """
chown chroot ctermid fchdir fchmod fchown fork forkpty getegid geteuid getgid getgroups getloadavg
getpgid getpgrp getpriority getresuid getsid getuid initgroups killpg lchown lockf mkfifo mknod nice
openpty pathconf posix_spawn pread pwrite readv sched_getaffinity sched_setaffinity sched_yield
sendfile setegid seteuid setgid setpgid setpriority setregid setreuid setsid setuid sync sysconf
ttyname uname wait3 wait4 writev O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK
"""

_SIGNAL = """
SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGUSR1 SIGUSR2 alarm pause
pthread_kill setitimer sigwait
"""

NAMES = {"os": frozenset(_OS.split()), "signal": frozenset(_SIGNAL.split())}
"""The names that Windows lacks, by module of the library."""

MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "termios")
"""The modules that Windows lacks."""

OURS = ("app", "headlight", "model", "viz")


class Elsewhere:
    """A module of the library without the names that POSIX alone has."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> object:
        if name in NAMES[self._module.__name__]:
            raise AttributeError(f"{self._module.__name__}.{name} is there on POSIX alone")
        return getattr(self._module, name)


def strip_ours() -> None:
    """Give our own modules that are loaded `os` and `signal` as another system has them."""
    for name, module in tuple(sys.modules.items()):
        if name.partition(".")[0] in OURS:
            for library in NAMES:
                if isinstance(own := vars(module).get(library), ModuleType):
                    setattr(module, library, Elsewhere(own))


def strip_all() -> None:
    """Take these names and modules from all code, that of other packages included."""
    for library, names in NAMES.items():
        for name in names:
            vars(sys.modules[library]).pop(name, None)
    sys.modules.update(dict.fromkeys(MODULES))  # pyrefly: ignore[no-matching-overload]
