"""A store of classes in one SQLite file, which all servers of a machine share."""

import os
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from viz.classroom.store import BYTES, CLASSES, IDLE, MINUTE, Full

_PAGE = 4096
_TABLES = """
CREATE TABLE IF NOT EXISTS classes (code TEXT PRIMARY KEY, used REAL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS texts (
  code TEXT REFERENCES classes ON DELETE CASCADE, part TEXT, name TEXT, text TEXT,
  PRIMARY KEY (code, part, name)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS guesses (
  address TEXT, code TEXT, at REAL, PRIMARY KEY (address, code)
) WITHOUT ROWID;
"""
_BUSY = 5.0
"""The seconds to wait for another process that writes."""


def usual_path() -> Path:
    """Return the path of the file, in a folder that the system empties at the next shutdown."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if runtime and Path(runtime).is_dir():
        return Path(runtime) / "headlight" / "classes.sqlite"
    user = _user()
    folder = "headlight" if user is None else f"headlight-{user}"
    return Path(tempfile.gettempdir()) / folder / "classes.sqlite"


def _user() -> int | None:
    """Return the number of this process's user; None on a system without such numbers."""
    return os.getuid() if hasattr(os, "getuid") else None


class SqliteStore:
    """A `Store` in a file, in a private folder.

    Raises OSError if the folder belongs to another user or is a symbolic link, which somebody else
    may have made, or if the file cannot be made.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._clock, self._lock = clock, threading.RLock()
        _make_private(path.parent)
        try:
            self._open(path)
        except sqlite3.Error as error:
            raise OSError(f"{path}: {error}") from error

    def _open(self, path: Path) -> None:
        """Open the file, and make its tables if it is new."""
        self._base = sqlite3.connect(
            path, timeout=_BUSY, isolation_level=None, check_same_thread=False
        )
        # Forgotten data are overwritten; what a process has written stays even if it is killed.
        for pragma in (
            "journal_mode = WAL",
            "synchronous = NORMAL",
            "secure_delete = ON",
            "foreign_keys = ON",
            f"page_size = {_PAGE}",
            f"max_page_count = {BYTES // _PAGE}",
            f"journal_size_limit = {BYTES // 10}",
        ):
            self._base.execute(f"PRAGMA {pragma}")
        with self._writing():
            for table in filter(str.strip, _TABLES.split(";")):
                self._base.execute(table)
            self._forget()

    def make(self, code: str, state: Mapping[str, str]) -> bool:
        """Begin a class; see `Store`."""
        with self._writing():
            self._forget()
            if self._known(code):
                return False
            if self._one("SELECT count(*) FROM classes") >= CLASSES:
                raise Full
            self._base.execute("INSERT INTO classes VALUES (?, ?)", (code, self._clock()))
            self._put(code, "state", state)
        return True

    def read(self, code: str, part: str) -> dict[str, str]:
        """Return the content of a part; see `Store`."""
        with self._lock:
            if not self._known(code):
                return {}
            wanted = "SELECT name, text FROM texts WHERE code = ? AND part = ?"
            return dict(self._base.execute(wanted, (code, part)).fetchall())

    def put(self, code: str, part: str, fields: Mapping[str, str]) -> None:
        """Write texts into a part; see `Store`."""
        with self._writing():
            if self._use(code):
                self._put(code, part, fields)

    def add(self, code: str, part: str, name: str, text: str, most: int) -> bool:
        """Write one text if its name is free; see `Store`."""
        with self._writing():
            if not self._use(code):
                return False
            here = "SELECT count(*) FROM texts WHERE code = ? AND part = ?"
            if self._one(f"{here} AND name = ?", code, part, name):
                return False
            if self._one(here, code, part) >= most:
                raise Full
            self._put(code, part, {name: text})
        return True

    def renew(self, code: str, part: str, name: str, text: str) -> None:
        """Replace one text that is there; see `Store`."""
        there = "UPDATE texts SET text = ? WHERE code = ? AND part = ? AND name = ?"
        with self._writing():
            self._base.execute(there, (text, code, part, name))

    def count(self, code: str, part: str) -> int:
        """Return the number of texts in a part; see `Store`."""
        with self._lock:
            return self._one("SELECT count(*) FROM texts WHERE code = ? AND part = ?", code, part)

    def end(self, code: str) -> None:
        """Forget a class; see `Store`."""
        with self._writing():
            self._base.execute("DELETE FROM classes WHERE code = ?", (code,))

    def forget_idle(self) -> None:
        """Forget all classes that are idle; see `Store`."""
        with self._writing():
            self._forget()

    def tried(self, address: str, wrong: str = "") -> int:
        """Count wrong codes; see `Store`."""
        now = self._clock()
        with self._writing():
            self._base.execute("DELETE FROM guesses WHERE at <= ?", (now - MINUTE,))
            if wrong:
                guess = (address, wrong, now)
                self._base.execute("INSERT OR IGNORE INTO guesses VALUES (?, ?, ?)", guess)
            return self._one("SELECT count(*) FROM guesses WHERE address = ?", address)

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Write everything inside, or nothing."""
        with self._lock:
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._base.execute("COMMIT")
            except BaseException as error:
                if self._base.in_transaction:  # a full file has undone it already
                    self._base.execute("ROLLBACK")
                if getattr(error, "sqlite_errorname", "") == "SQLITE_FULL":
                    raise Full from error
                raise

    def _put(self, code: str, part: str, fields: Mapping[str, str]) -> None:
        rows = [(code, part, name, text) for name, text in fields.items()]
        self._base.executemany("INSERT OR REPLACE INTO texts VALUES (?, ?, ?, ?)", rows)

    def _use(self, code: str) -> bool:
        """Store that a class is alive; tell whether it exists."""
        if not self._known(code):
            return False
        self._base.execute("UPDATE classes SET used = ? WHERE code = ?", (self._clock(), code))
        return True

    def _known(self, code: str) -> bool:
        since = self._clock() - IDLE
        return (
            self._one("SELECT count(*) FROM classes WHERE code = ? AND used > ?", code, since) > 0
        )

    def _forget(self) -> None:
        """Forget classes that have not been used for a long time."""
        self._base.execute("DELETE FROM classes WHERE used <= ?", (self._clock() - IDLE,))

    def _one(self, query: str, *values: object) -> int:
        return int(self._base.execute(query, values).fetchone()[0])


def _make_private(folder: Path) -> None:
    """Make a folder that only this user may enter; OSError if it belongs to somebody else."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.is_symlink():
        raise OSError(f"the folder {folder} is a symbolic link")
    if _user() not in (None, folder.stat().st_uid):
        raise OSError(f"the folder {folder} belongs to somebody else")
    folder.chmod(0o700)
