"""Reads a question over an academic knowledge graph by rules: who, what, where and when it names, and what it asks for.

Rules for English and Chinese that look for the usual signs (quotation marks, capitals, words like University or
Journal, 研究…的, …领域); they know no name and no list of questions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from scholar_env.agents.aise_names import LISTS, chinese_people, phrases

_TITLE = re.compile(r"《([^》]+)》|“([^”]{8,})”|\"([^\"]{8,})\"")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_COUNT = re.compile(
    r"(?:top|the|its|list|find the|name the|which|前|高的|多的|新的|列|给出|列出)\s*(\d{1,2})(?!\d)|(\d{1,2})\s*[位篇]",
    re.I,
)
_NOT_TOPICS = re.compile(
    r"\b(?:by h-index|by citations|please|there|it|them|that person|from *|and (?:list|give|tell|name|show|their)|"
    r"(?:have|has) the|are (?:ranked|cited)|that appeared|published their)\b.*$|\b in (?:[A-Z]\w+ ?)+$",
    re.I,
)
_TOPIC_OPENERS = re.compile(
    r"^(?:请问|请查|请|查询|查找|查|需要|和|推荐|比较|谁是|帮我找|列出|列举|介绍|看看|概括|一下|有哪些|与|总结|"
    r"想读|想看|想了解|了解一下|我想阅读|年|在|做|从事|研究|找到|来自|"
    r"the |both |that |a )+|\d{4}年?"
)
_NO_TOPIC = re.compile(
    r"^(?:给出其|方向|兴趣|现状|成果|机构|主要|which |most |authors? of|papers?|that|这|他|哪|"
    r"什么|一作|学术|影响|\d)|[？?]"
)

CUES: dict[str, str] = {
    "coauthors": (
        r"合作者|合作学者|合作网络|合作过|一起写过|co-author|collaborat|published (?:together )?with|"
        r"written papers with"
    ),
    "together": r"共同|合作发表|合作的论文|合写|合著|一起完成|joint|together",
    "compare": (
        r"比较|哪个|谁的|哪位|谁更|相比|相差|还是|versus|compare|who has the (?:higher|larger|highest)|"
        r"which (?:one|institution)|ahead|comes first|most influential (?:co-)?author|"
        r"has the (?:highest|largest)|which was founded|older"
    ),
    "h_index": r"h.?指数|h-?index|h-indices|影响力",
    "citations": r"引用次数|被引用量|总引用|引用数|引用量|被引用了多少|citation|been cited",
    "n_papers": (
        r"多少篇论文|论文的?数量|论文总数|发文量|发表论文的数量|how many (?:papers|publications)|"
        r"number of (?:publications|papers)|paper count"
    ),
    "position": r"职称|职位|教授还是|position|academic rank|full professor",
    "interests": r"研究方向|研究兴趣|哪些课题|research (?:interests|directions)|which topics|do research on\?",
    "institution": (
        r"哪个机构|哪个单位|哪些机构|哪些单位|所在单位|机构及|所属的机构|单位是|institution|affiliation|"
        r"where does .* work"
    ),
    "founded": r"成立|历史|founded|established|founding|since when|how old|older|longer history",
    "best": r"代表作|引用最高|被引最多|最有影响力|最具影响力|most cited|most influential|top paper|最高引",
    "latest": r"最新|最近|latest|newest|most recent|published? last|publish last",
    "top": (
        r"前\s*\d|h指数最高的\d|大牛|top \d|\d+ (?:researchers|leading|people)|highest h-index|"
        r"largest h-indices|h-index\?$"
    ),
    "prolific": (
        r"发表的?论文最多|发文量最大|最高产|发表论文数量最多|most papers|most prolific|most productive|"
        r"most publications|论文最多"
    ),
    "cited_scholar": (
        r"被引最多的学者|引用量最高的学者|总引用最高的学者|高被引学者|"
        r"most cited (?:scholar|researcher|person|author)|cited most"
    ),
    "level": r"几区|分区|级别|水平|顶刊|quartile|level|rank|class of venue|top venue|a good one",
    "venue": r"期刊|会议|journal|conference|venue|where was .* published|which venue|appear",
    "list_venues": r"期刊和会议有哪些|期刊$|期刊会议|期刊或会议$|评为|venues? (?:in|of) |journals and conferences",
    "q1": r"一区|Q1|first-quartile",
    "country": r"国家|哪国|countr",
    "summary": r"讲了什么|总结|概括|摘要|主要内容|what is .* about|summar|outline|main content|what does it say",
    "authors": (
        r"第一作者|一作|作者有哪些|全部作者|作者分别|作者中|作者里|各位作者|几位作者|"
        r"who (?:wrote|are the authors)|first author|authors of|author of|所有作者"
    ),
    "scholar": r"学术搜索|Google|搜索引擎|scholar search|other search engine|Google-Scholar",
    "explain": r"是指什么|解释|怎么理解|起什么作用|what does .* mean|explain what|what is .* for\?|understand",
    "count": (
        r"多少篇|发文量变化|热度|论文数量|更多|number of .*papers|how many papers|more papers|output on|"
        r"output of papers"
    ),
    "researchers": r"学者|老师|导师|研究者|研究人员|专家|researchers|scholars|who works|supervisor|people|expert",
    "papers": r"论文|文章|papers|articles|publications|published|written",
    "year": r"哪一年|哪年|年份|什么时候|发表时间|which year|when was|when did|publication year",
}  # fmt: skip
"""What a question may ask for -> its signs."""

_CUES = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in CUES.items()}


@dataclass(frozen=True)
class Reading:
    """What a question names and asks for.

    Attributes:
        language: ``zh`` or ``en``.
        titles, people, orgs, venues, topics: As written, in the order of the question.
        years: Years.
        count: How many things are asked for, 0 where it does not say.
        nation: A country, "" for none.
        ranks: (code of a list, rank) where the question asks for venues of a rank.
        cues: Names of :data:`CUES` whose signs are there.
    """

    language: str
    titles: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    orgs: tuple[str, ...] = ()
    venues: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    years: tuple[int, ...] = ()
    count: int = 0
    nation: str = ""
    ranks: tuple[str, str] = ("", "")
    cues: frozenset[str] = field(default_factory=frozenset)


def read_question(question: str) -> Reading:
    """Reads a question."""
    chinese = sum("\u4e00" <= sign <= "\u9fff" for sign in question)
    language = "zh" if chinese > 3 else "en"
    titles = tuple(next(part for part in match if part) for match in _TITLE.findall(question))
    bare = _TITLE.sub(" ", question)
    orgs, venues, people = phrases(bare, language)
    if language == "zh":
        people = [*people, *chinese_people(bare, orgs)]
    nation = _nation(bare, language)
    people = [name for name in people if name != nation]
    rest = bare
    for name in (*orgs, *people):
        rest = rest.replace(name, "◇")
    counted = _COUNT.search(_YEAR.sub(" ", bare))
    return Reading(
        language=language,
        titles=titles,
        people=tuple(dict.fromkeys(people)),
        orgs=tuple(dict.fromkeys(orgs)),
        venues=tuple(dict.fromkeys(venues)),
        topics=_topics(rest, language),
        years=tuple(int(year) for year in _YEAR.findall(bare)),
        count=int(next(part for part in counted.groups() if part)) if counted else 0,
        nation=nation,
        ranks=_ranks(bare),
        cues=frozenset(name for name, pattern in _CUES.items() if pattern.search(bare)),
    )


_ENGLISH_TOPICS = (
    r"(?:works?|working|worked|research(?:ers?)?|interests? include|experts?|scholars?|authors?|persons?|people|"
    r"papers?|studies are|researches) (?:on|in|about|deal with) ([^,?.;:()◇]+)",
    r"the one in ([^)]+)\)",
    r"from the ([^,?.◇]+?) community",
    r"\bthe ((?!the )[^,?.◇ ](?:(?! the )[^,?.◇]){2,60}?) researcher",
    r"in the field of ([^,?.;:]+)",
    r"(?:published|written) (?:about|on) ([^,?.;:]+)",
    r"(?:about|on) ([^,?.;:◇]+?) (?:published|come|at|in|are|from)\b",
    r"(?:directions in|started in|newest papers on|interested in .* on) ([^,?.;:]+)",
    r"[Hh]ow has ([^,?.;:]+?) developed",
    r"\b(?:deal with|about|on|in) ([a-z][^,?.;:()◇]+?)(?: by| is| ranked|, | with|\?|\.|$)",
    r"^([A-Z][^:,?]+?): how many papers",
    r"(?:Were there more papers on|the number of) ([^,?.;:◇(]+?)(?: in| papers of| papers)",
    r"output on ([^,?.;:]+?) change",
    r"venues? (?:\([A-Z]+\) )?(?:of|in) ([^,?.;:]+?)(?: are\b|[,?.;:]|$)",
    r"interests include ([^,?.;:]+)",
    r"leading ([^,?.;:]+?) researchers",
    r"number of ([^,?.;:◇]+?) papers",
)
_CHINESE_TOPICS = (
    r"研究([^，。？的◇]{2,60}?)的",
    r"(?:^|[，。？、的在◇])([^，。？、的◇]{2,60}?)(?:领域|方向|方面)",
    r"发表(?:的|过)([^，。？的◇]{2,60}?)论文",
    r"从事([^，。？◇]{2,60}?)研究",
    r"(?:关于|做|在研究|也做|有关|包括)([^，。？的◇]{2,60}?)(?:的|方面|方向|领域|论文|[？?]|$|，|上)",
    r"研究([^，。？的◇]{2,60}?)(?:领域|方向|[？?]|$|的)",
    r"在([^，。？的◇]{2,60}?)(?:方面|上的工作|领域)",
    r"^([^，。？、的◇]{2,40}?)(?:最新|近来|目前有|有哪位|的热度|被引最多)",
    r"^([^，。？、的◇]{2,40}?)(?:SJR|JCR|CCF|CSCD)",
    r"(?:^|，)([^，。？的◇年]{2,40}?)的发文量",
    r"了解([^，。？的◇]{2,40}?)的研究现状",
    r"(?:请查|从事|与)([^，。？的◇]{2,40}?)(?:发表论文|研究的|领域的)",
    r"(?:年|总结一下|请查)([^，。？的◇年]{2,40}?)(?:领域|方向|方面|被引|的发文|的论文|论文)",
)


def _topics(text: str, language: str) -> tuple[str, ...]:
    """Topics by the signs around them, in the order of the question; of overlapping ones the shortest."""
    found: list[tuple[int, int, str]] = []
    for pattern in _CHINESE_TOPICS if language == "zh" else _ENGLISH_TOPICS:
        for match in re.finditer(pattern, text):
            topic = _NOT_TOPICS.sub("", _YEAR.sub("", match[1]))
            start = match.start(1)
            while opener := _TOPIC_OPENERS.match(topic):
                if not opener[0]:
                    break
                topic, start = topic[opener.end() :], start + opener.end()
            topic = re.sub(r"(?:研究|领域|方向|方面)$", "", topic.strip(" ,.，"))
            if 1 < len(topic) < 70 and not _NO_TOPIC.search(topic):
                found.append((start, start + len(topic), topic))
    kept: list[tuple[int, int, str]] = []
    for start, end, topic in sorted(found, key=lambda entry: entry[1] - entry[0]):
        if all(end <= other[0] or start >= other[1] for other in kept):
            kept.append((start, end, topic))
    return tuple(dict.fromkeys(topic for _, _, topic in sorted(kept)))


def _nation(text: str, language: str) -> str:
    if language == "zh":
        match = re.search(
            r"^(?:我想了解|列出)?([\u4e00-\u9fff]{2,6}?)(?:从事|做|研究|在).*(?:学者|有谁|研究人员|哪些)", text
        )
        return match[1] if match and not re.search(r"[的和与]|领域|从事", match[1]) else ""
    match = re.search(r"(?:scholars in|research on .* in|researchers from|people in) ((?:[A-Z]\w+ ?)+)", text)
    return match[1].strip() if match else ""


def _ranks(text: str) -> tuple[str, str]:
    source = next((code for name, code in LISTS.items() if name in text), "")
    match = re.search(r"(?<![A-Za-z])(Q[1-4]|[ABC])(?![A-Za-z])", text)
    return (source, match[1]) if source and match else ("", "")
