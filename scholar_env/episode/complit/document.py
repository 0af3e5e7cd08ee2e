"""Reading a paper of CompLit: its whole text in parts, or a section, and the figures of what is asked for."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from scholar_env.episode.reading import no_section, section_number
from scholar_env.episode.schema import ActionError
from scholar_env.figures import Figure, figures_of
from scholar_env.records import Section

if TYPE_CHECKING:
    from scholar_env.episode.complit.engine import ComplitEpisode

MOST_FIGURES: Final = 4
"""Figures that one reading gives."""


def read(episode: ComplitEpisode, arguments: Mapping[str, Any]) -> None:
    """Shows abstract and full text of a paper in parts, or one section, with up to four figures as data.

    The figures are the first four of what is asked for, the whole text or the section, whichever part of it is shown.

    Raises:
        ActionError: There is no such paper or section, or its text ends before the offset.
    """
    wanted, offset = arguments["section"], arguments["offset"]
    corpus, limit = episode.corpus, episode.config.max_document_chars
    row = episode.row_to_show("read", arguments["paper"])
    paper = corpus.id_of(row)
    abstract, sections = corpus.abstract(row), corpus.sections(row)
    title, text, asked = _part(wanted, abstract, sections)
    if offset and offset >= len(text):
        raise ActionError(
            "out_of_range",
            f"read: the text has {len(text)} characters, none from offset {offset} on; begin with offset 0",
        )
    if offset + limit < len(text):
        episode.note(f"read: {len(text) - offset - limit} characters more; read on with offset {offset + limit}")
    figures = [_figure(figure, episode.config.figure_images) for figure in figures_of(asked)[:MOST_FIGURES]]
    part = text[offset : offset + limit]
    episode.open_paper(paper, len(part))
    episode.show(
        {
            "paper": paper,
            "title": corpus.title(row),
            "date": corpus.date(row),
            "authors": list(corpus.authors(row)),
            "sections": [section.title for section in sections],
            "section": title,
            "offset": offset,
            "text": part,
        }
    )
    episode.give({"figures": figures, "categories": list(episode.resources.corpus.categories(row))})


def _part(wanted: str, abstract: str, sections: Sequence[Section]) -> tuple[str, str, Sequence[Section]]:
    """Title and text of what is wanted, and its sections."""
    if wanted.lower() == "abstract":
        return "Abstract", abstract, ()
    if wanted:
        titles = [section.title for section in sections]
        number = section_number(wanted, titles)
        if number is None:
            raise no_section(wanted, titles)
        return titles[number], sections[number].text, sections[number : number + 1]
    whole = [abstract, *(f"{section.title}\n{section.text}" for section in sections)]
    return "", "\n\n".join(part for part in whole if part), sections


def _figure(figure: Figure, with_image: bool) -> dict[str, Any]:
    image = ""
    if with_image:
        from scholar_env.plot import png_of

        image = b64encode(png_of([point.value for point in figure.points], bars=figure.x == "method")).decode("ascii")
    return {
        "number": figure.number,
        "y": figure.y,
        "x": figure.x,
        "points": [{"x": point.x, "y": point.y} for point in figure.points],
        "image": image,
    }
