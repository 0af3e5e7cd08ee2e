"""Where recorded episodes run again: corpora by fingerprint, environments by configuration, nothing taken on trust."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scholar_env.corpus import Corpus, list_corpora, resolve_corpus
from scholar_env.environment.registry import card
from scholar_env.episode.family import family
from scholar_env.errors import CorpusFormatError, CorpusIntegrityError, CorpusNotFoundError, RolloutFormatError
from scholar_env.manifest import check_name
from scholar_env.rollout.canonical import DIGEST_VERSION, canonical_json
from scholar_env.rollout.finding import Finding
from scholar_env.rollout.play import EpisodePlayer
from scholar_env.rollout.reader import FoundEpisode
from scholar_env.rollout.record import EpisodeHeader
from scholar_env.rollout.setting import check_trusted, make_env

if TYPE_CHECKING:
    from scholar_env.environment.env import ScholarEnv


class Stage:
    """Makes each recorded environment once, after a full check of the files of its corpus.

    Args:
        corpus: Corpus specification, when the recorded name does not lead to the recorded fingerprint here.
        allow_code: Whether import strings in a record may be followed.
    """

    def __init__(self, corpus: str | None = None, *, allow_code: bool = False) -> None:
        self._corpus = corpus
        self._allow_code = allow_code
        self._envs: dict[str, ScholarEnv] = {}
        self._specs: dict[str, str] = {}

    def env_for(self, found: FoundEpisode) -> ScholarEnv | list[Finding]:
        """Returns the environment of an episode, or what is wrong with the files of its corpus.

        Raises:
            RolloutFormatError: Digests of another version.
            UntrustedReferenceError: The record asks for code or for what is not of this package.
            CorpusNotFoundError: The corpus is not here.
        """
        header = found.header
        if header.digest_version != DIGEST_VERSION:
            raise RolloutFormatError(
                f"{found.path.name}, line {found.line}: digest version {header.digest_version}",
                f"this version of the package makes digests of version {DIGEST_VERSION}",
                f"replay it with scholar-env {header.package}",
            )
        check_trusted(header.env_id, header.kwargs, allow_code=self._allow_code)
        fingerprint = str(header.corpus.get("fingerprint", ""))
        if fingerprint not in self._specs:
            opened = _open_corpus(header, self._corpus)
            if isinstance(opened, list):
                return opened
            self._specs[fingerprint] = opened.spec
        spec = self._specs[fingerprint]
        key = canonical_json([header.env_id, header.kwargs, spec])
        if key not in self._envs:
            self._envs[key] = make_env(header.env_id, spec, _on_one_corpus(header, _without_own_code(header)))
        return self._envs[key]


def start_again(env: ScholarEnv, found: FoundEpisode) -> EpisodePlayer:
    """Resets an environment to the start of a recorded episode, with the record in place of own callables."""
    header = found.header
    player = EpisodePlayer(env, header.task_id, header.seed)
    stand_in = env.family.stand_in
    if stand_in is not None and _without_own_code(header) != header.kwargs:
        stand_in.install(env.episode, [entry for step in found.steps for entry in step.assessments])
    return player


def _without_own_code(header: EpisodeHeader) -> dict[str, Any]:
    """Returns the arguments with built-in stand-ins for own callables, which the record then replaces."""
    stand_in = family(card(header.env_id).family).stand_in
    return dict(header.kwargs) if stand_in is None else stand_in.arguments(header.kwargs)


def _on_one_corpus(header: EpisodeHeader, kwargs: dict[str, Any]) -> dict[str, Any]:
    """Returns the arguments for the corpus of one episode: of a subset over a pool, the tasks of that corpus remain."""
    if not header.corpus.get("pool") or not isinstance(kwargs.get("subset"), list):
        return kwargs
    world = header.task_id.partition("-")[0]
    return {**kwargs, "subset": [task_id for task_id in kwargs["subset"] if str(task_id).startswith(f"{world}-")]}


def _open_corpus(header: EpisodeHeader, given: str | None) -> Corpus | list[Finding]:
    """Opens the recorded corpus and checks all its files; returns what is wrong with them instead, if anything is."""
    name, fingerprint = str(header.corpus.get("name", "")), str(header.corpus.get("fingerprint", ""))
    try:
        corpus = resolve_corpus(given or f"{check_name(name)}@{fingerprint}")
        problems = corpus.verify()
    except (CorpusIntegrityError, CorpusFormatError) as error:
        return [Finding(f"corpus {name}", expected="files as its manifest describes them", got=error.what)]
    except CorpusNotFoundError:
        elsewhere = [entry for entry in list_corpora() if entry.fingerprint == fingerprint]
        if given or not elsewhere:
            raise
        return _open_corpus(header, f"{elsewhere[0].path}@{fingerprint}")
    if corpus.fingerprint != fingerprint:
        raise CorpusNotFoundError(
            f"the corpus {given!r} has the fingerprint {corpus.fingerprint}",
            f"the rollout was recorded on {name}@{fingerprint}",
            "name that corpus with --corpus",
        )
    return (
        corpus
        if not problems
        else [
            Finding(
                str(corpus.path / problem.file), expected="the file as the manifest describes it", got=problem.reason
            )
            for problem in problems
        ]
    )
