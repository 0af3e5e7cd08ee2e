"""Where recorded episodes run again: corpora by fingerprint, environments by configuration, nothing taken on trust."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scholar_env.environment.registry import card
from scholar_env.episode.family import family
from scholar_env.errors import RolloutFormatError
from scholar_env.rollout.canonical import DIGEST_VERSION, canonical_json
from scholar_env.rollout.episodes import FoundEpisode
from scholar_env.rollout.finding import Finding
from scholar_env.rollout.places import open_corpus, open_task_set
from scholar_env.rollout.play import EpisodePlayer
from scholar_env.rollout.record import EpisodeHeader
from scholar_env.rollout.setting import check_trusted, make_env

if TYPE_CHECKING:
    from scholar_env.environment.env import ScholarEnv


class Stage:
    """Makes each recorded environment once, after a full check of the files of its corpus and of its task set.

    Args:
        corpus: Corpus specification, when the recorded name does not lead to the recorded fingerprint here.
        task_set: Task set specification, when the recorded name does not lead to the recorded fingerprint here.
        allow_code: Whether import strings in a record may be followed.
    """

    def __init__(self, corpus: str | None = None, task_set: str | None = None, *, allow_code: bool = False) -> None:
        self._corpus = corpus
        self._task_set = task_set
        self._allow_code = allow_code
        self._envs: dict[str, ScholarEnv] = {}
        self._specs: dict[str, str] = {}

    def env_for(self, found: FoundEpisode) -> ScholarEnv | list[Finding]:
        """Returns the environment of an episode, or what is wrong with the files of its corpus or task set.

        Raises:
            RolloutFormatError: Digests of another version.
            UntrustedReferenceError: The record asks for code or for what is not of this package.
            CorpusNotFoundError: The corpus is not here.
            TaskSetNotFoundError: The task set is not here.
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
            corpus = open_corpus(str(header.corpus.get("name", "")), fingerprint, self._corpus)
            if isinstance(corpus, list):
                return corpus
            self._specs[fingerprint] = corpus.spec
        tasks = header.kwargs.get("tasks")
        if tasks is not None and tasks not in self._specs:
            task_set = open_task_set(tasks, self._task_set)
            if isinstance(task_set, list):
                return task_set
            self._specs[tasks] = task_set.spec
        spec = self._specs[fingerprint]
        key = canonical_json([header.env_id, header.kwargs, spec])
        if key not in self._envs:
            kwargs = _on_one_corpus(header, _without_own_code(header))
            task_set_spec = None if tasks is None else self._specs[tasks]
            self._envs[key] = make_env(header.env_id, spec, kwargs, task_set_spec)
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
