"""Files of a folder against their hashes: in full once a machine, by a stamp from then on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from scholar_env.corpus_check import file_problem
from scholar_env.sealed import MANIFEST, FileEntry
from scholar_env.stamp import is_stamped, store_stamp, take_stamp


@contextmanager
def verified(
    folder: Path, entries: Mapping[str, FileEntry], broken: Callable[[Path, str], Exception], *, force: bool = False
) -> Iterator[bool]:
    """Compares all files with their hashes, unless a stamp says that this was done and nothing has changed since.

    Yields whether it was done now; what else is to be checked once is checked in the block, and when the block ends
    without an error the folder is stamped.

    Args:
        folder: The folder, resolved.
        entries: Its files but the manifest, by their path relative to the folder.
        broken: Makes the error for a file that is not as it was written, from its path and what is wrong.
        force: Whether a stamp counts for nothing.
    """
    stamp = take_stamp(folder, [MANIFEST, *(name for name in entries if (folder / name).is_file())])
    if not force and len(stamp) == len(entries) + 1 and is_stamped(folder, stamp):
        yield False
        return
    for name, entry in entries.items():
        reason = file_problem(folder / name, entry)
        if reason:
            raise broken(folder / name, reason)
    yield True
    store_stamp(folder, stamp)
