"""Papers in a file, as a corpus has them."""

from __future__ import annotations

from pathlib import Path

from scholar_env import documents
from scholar_env.documents import DocumentStore, DocumentWriter
from scholar_env.records import Paper


def store(folder: Path, papers: list[Paper]) -> DocumentStore:
    """Writes papers into a folder and opens them."""
    folder.mkdir(exist_ok=True)
    with DocumentWriter(folder) as writer:
        for paper in papers:
            writer.add(paper)
    return DocumentStore(folder / documents.DOCUMENTS, len(papers))
