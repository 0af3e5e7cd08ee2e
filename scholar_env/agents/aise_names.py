"""Finds the institutions, venues and people that a question names, by rules over capitals and Chinese words."""

from __future__ import annotations

import re

_LATIN = "A-Za-z\u00c0-\u024f"
_HAN = "\u4e00-\u9fff"
_CAPITAL = rf"(?:[A-ZÀ-ÞĀ-Ž](?:\.|[{_LATIN}'’-]*))"
_SMALL = r"(?:of|and|the|for|on|in|de|des|der)"
_PHRASE = re.compile(rf"{_CAPITAL}(?:(?:,)? (?:{_SMALL} )*{_CAPITAL})*")
_ORG_WORD = re.compile(r"\b(?:University|Institute|Center|Laboratory|Polytechnic|School(?! on)|Academy|College)\b")
_VENUE_WORD = re.compile(
    r"\b(?:Journal|Letters|Advances|Symposium|Annals|Congress|Quarterly|Open|Transactions|Review|Meeting|Bulletin|"
    r"Archive|Proceedings|Conference|Berichte|Comptes|Science Notes|School on|Frontier)\b"
)
_SUBJECT = re.compile(
    r"(?:[a-z]{2}ics|logy|[A-Za-z]{4}ing|tions?|[a-z]ences?|ety|ysis|earch|tems?|udies|nomy|ment|istry|ture|"
    r"\bLife|\bData|Matter)(?!\w)"
)
"""How names of fields of study end, which institutions and venues bear."""
_CHINESE_ORG = re.compile(rf"[{_HAN}]{{2,}}?(?:大学|研究所|研究中心|中心|学院|实验室|科学院)")
_BEFORE_ORG = re.compile(
    r"^(?:请问|请|查询|查找|比较|介绍一下|概括一下|我想申请|从论文数量看，|想读|列出|找出|找到|在|与)+|来自|任职于|"
    r"(?:(?<=大学)|(?<=学院)|(?<=中心)|(?<=所)|(?<=室))[和与]"
)
_OPENERS = frozenset(
    re.findall(
        r"\w+",
        """
        Who Which What Where When How Could Can Please Find List Name Give Tell Is Are Were In The Of For Compare
        Explain Summarize Recommend Take Use Judged Among From Should Look And Do Does Did I Go At Ask SJR CCF JCR CSCD
        """,
    )
)
_NOT_NAMES = frozenset(
    re.findall(
        r"\w+",
        "学者 老师 论文 期刊 专家 导师 研究 作者 合作者 大牛 权威 有谁 发表 相比 学者有 成立年份 论文数量",
    )
)
LISTS = {"SJR": "0", "CCF": "3", "JCR": "8", "CSCD": "4"}
"""Lists that rank venues -> their codes."""


def phrases(text: str, language: str) -> tuple[list[str], list[str], list[str]]:
    """Organizations, venues and people among the capitalized phrases."""
    orgs = _CHINESE_ORG.findall(_BEFORE_ORG.sub(" ", text)) if language == "zh" else []
    venues: list[str] = []
    people: list[str] = []
    spaced = re.sub(rf"(?<=[{_HAN}])(?=[{_LATIN}])|(?<=[{_LATIN}.)])(?=[{_HAN}])", "\n", text)
    for match in _PHRASE.finditer(spaced):
        if language == "zh" and re.match(rf" [{_LATIN}]", spaced[match.end() :]):
            continue  # the capitalized beginning of a topic
        parts = _parted(match[0].strip(" ,").removesuffix("'s").removesuffix("’s"))
        for phrase in [name for part in parts for name in (_person_apart(part) if language == "zh" else [part])]:
            words = phrase.split()
            if _VENUE_WORD.search(phrase) and not _ORG_WORD.search(phrase):
                venues.append(phrase)
            elif _ORG_WORD.search(phrase):
                orgs.append(phrase)
            elif len(words) == 1 and phrase.isupper() and len(phrase) > 2 and phrase not in LISTS:
                venues.append(phrase)
            elif len(words) > 1 and not phrase.isupper() and not _SUBJECT.search(phrase):
                people.append(phrase)
    return orgs, venues, people


def _parted(phrase: str) -> list[str]:
    """A capitalized phrase without words that open a question, parted where it joins a person and a place."""
    words = phrase.split()
    while words and words[0].strip(",") in _OPENERS and not _VENUE_WORD.match(" ".join(words)):
        words = words[1:]
    whole = re.sub(r"(?<=\w\w)\.$", "", " ".join(words).strip(" ,"))
    before, owner, behind = whole.partition("'s ")
    if owner:
        return [*_parted(before), *_parted(behind)]
    marked = _ORG_WORD.search(whole) or _VENUE_WORD.search(whole)
    for joint in (" of ", " in ", " and ", ", ") if marked else (" and ", ", "):
        before, found, behind = whole.partition(joint)
        names = [_is_name(part) for part in (before, behind)]
        plain = [not (_ORG_WORD.search(part) or _VENUE_WORD.search(part)) for part in (before, behind)]
        if found and ((names[0] and plain[0] and " " in before) or (names[1] and plain[1] and joint == " and ")):
            return [*_parted(before), *_parted(behind)]
    for place in (match.start() for match in reversed([*re.finditer(" and ", whole)])):
        before, behind = whole[:place], whole[place + 5 :]
        if all(_ORG_WORD.search(part) or _VENUE_WORD.search(part) for part in (before, behind)):
            return [before, behind]
    return [whole] if whole else []


def _is_name(phrase: str) -> bool:
    """Whether a phrase may be a person's name."""
    return bool(re.fullmatch(rf"(?:{_CAPITAL} ?){{2,4}}", phrase)) and not _SUBJECT.search(phrase)


def _person_apart(phrase: str) -> list[str]:
    """An institution and the person whose name follows it without a sign between, as Chinese questions write it."""
    if not _ORG_WORD.search(phrase):
        return [phrase]
    words = phrase.split()
    subjects = [place for place, word in enumerate(words) if _SUBJECT.search(word)]
    places = [place + 1 for place, word in enumerate(words) if word.endswith(",") or word == "of"]
    start = max([*subjects, *places], default=len(words)) + 1  # a place is one word
    return [" ".join(words[:start]), " ".join(words[start:])] if len(words) - start in (2, 3, 4) else [phrase]


_CHINESE_NAME = rf"([{_HAN}]{{2,4}}?)"
_BEHIND = (
    r"(?=发表|的|一共|到目前|在|现在|目前|担任|是|和|与|跟|单篇|所|主要|最|哪|关于|合作|"
    r"引用|被引|任|\s|，|（|从|因|\d|谁|共)"
)


def chinese_people(text: str, orgs: list[str]) -> list[str]:
    """People with Chinese names, by the words around them.

    Args:
        text: The question.
        orgs: Institutions that it names.
    """
    found: list[tuple[int, str]] = []
    patterns = [rf"(?:领域|方向|研究)的{_CHINESE_NAME}{_BEHIND}", rf"研究[^，。的]{{2,40}}的{_CHINESE_NAME}{_BEHIND}"]
    patterns += [rf"{re.escape(org)}的?{_CHINESE_NAME}{_BEHIND}" for org in orgs]
    patterns.append(rf"[和与跟]{_CHINESE_NAME}(?=合作|一起|共同|合写|合著)")
    for pattern in patterns:
        found += [(match.start(1), match[1]) for match in re.finditer(pattern, text)]
    return [name for _, name in sorted(found) if name not in _NOT_NAMES and not name.endswith(("者", "文"))]
