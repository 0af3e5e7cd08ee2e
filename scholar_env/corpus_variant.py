"""Gives the index of an existing corpus one more scoring variant (another k1 or b, or another form)."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from scholar_env.build_folder import BuildFolder, clear_leftovers
from scholar_env.corpus_build import file_entries
from scholar_env.corpus_folder import Corpus
from scholar_env.errors import InvalidOptionError
from scholar_env.folder_lock import LOCK_TIMEOUT_S, FolderLock
from scholar_env.index.freeze import add_variant
from scholar_env.index.scoring import Variant
from scholar_env.manifest import INDEX_FOLDER, MANIFEST
from scholar_env.stamp import store_stamp, take_stamp
from scholar_env.storage import write_bytes_atomic


def add_corpus_variant(
    path: str | Path, variant: Variant, *, tokenizer: str = "scholargym-v1", timeout: float = LOCK_TIMEOUT_S
) -> Corpus:
    """Adds a scoring variant to a corpus and returns the corpus, open; its fingerprint stays.

    No postings are computed again: the new folder shares all old files by hard links where the file system has them.

    Args:
        path: The corpus folder.
        variant: The variant; one that the index has already changes nothing.
        tokenizer: Which of the corpus's indexes.
        timeout: Seconds to wait for another process that builds the same corpus.

    Raises:
        InvalidOptionError: There is no such index, or it has another variant of that name.
        CorpusBusyError: Another process takes too long.
    """
    corpus = Corpus.open(path)
    name = f"sparse-{tokenizer}"
    if name not in corpus.manifest.indexes:
        raise InvalidOptionError(
            f"the corpus {corpus.name} has no index for the tokenizer {tokenizer!r}",
            f"it has {', '.join(sorted(corpus.manifest.indexes)) or 'none'}",
            "name one of these tokenizers",
        )
    with FolderLock(corpus.path, timeout):
        clear_leftovers(corpus.path)
        with BuildFolder(corpus.path, replace=True) as folder:
            for file in corpus.manifest.paths():
                _link(corpus.path / file, folder / file)
            add_variant(folder / INDEX_FOLDER / name, variant)
            entries = file_entries(folder / INDEX_FOLDER / name)
            manifest = replace(corpus.manifest, indexes={**corpus.manifest.indexes, name: entries})
            write_bytes_atomic(folder / MANIFEST, manifest.as_bytes())
            stamp = take_stamp(folder, [MANIFEST, *manifest.paths()])
        store_stamp(corpus.path, stamp)
    return Corpus.open(corpus.path)


def _link(old: Path, new: Path) -> None:
    new.parent.mkdir(parents=True, exist_ok=True)
    try:
        new.hardlink_to(old)
    except OSError:
        shutil.copyfile(old, new)
