"""Ids and canonical links of the entities of a knowledge graph."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Final

PAPER: Final = "paper"
AUTHOR: Final = "author"
VENUE: Final = "venue"
ORG: Final = "org"

HOST: Final = "www.aminer.cn"
PATHS: Final = {PAPER: "pub", AUTHOR: "profile", VENUE: "open/journal/detail", ORG: "institution"}
"""Kind of entity -> path of its page."""

ID_PATTERN: Final = r"[0-9a-f]{24}"

_KINDS = {path: kind for kind, path in PATHS.items()}
_LINK = re.compile(rf"https?://(?:www\.)?aminer\.cn/({'|'.join(PATHS.values())})/({ID_PATTERN})(?![0-9A-Za-z])", re.I)
_URL = re.compile(r"https?://[^\s\"'`\]}<>（）“”‘’，。；、]+", re.I)
_TAIL = ".,;:!?)*_"


def entity_id(namespace: str, kind: str, key: str) -> str:
    """The id of an entity: 24 hex digits that follow from the graph's namespace, the kind and the key."""
    return blake2b(f"{namespace}\n{kind}\n{key}".encode(), digest_size=12).hexdigest()


def entity_link(kind: str, identifier: str) -> str:
    """The canonical link of an entity."""
    return f"https://{HOST}/{PATHS[kind]}/{identifier}"


def entity_of(link: str) -> tuple[str, str] | None:
    """Kind and id of the entity that a link leads to, None for other links.

    The host may lack ``www.``; what follows the id (a slash, a query) does not count.
    """
    match = _LINK.match(link.strip())
    return (_KINDS[match[1].lower()], match[2].lower()) if match else None


def canonical_links(text: str) -> list[str]:
    """The distinct links of a text in the order of their first mention.

    Links of entities are written canonically; of others, punctuation at the end is cut off and a slash, too.
    """
    found: dict[str, None] = {}
    for match in _URL.finditer(text.replace("\\n", " ").replace('\\"', '"')):
        link = match[0].rstrip(_TAIL)
        entity = entity_of(link)
        found[entity_link(*entity) if entity else link.rstrip("/")] = None
    return list(found)
