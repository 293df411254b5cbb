"""Tasks for Inspect AI: exams, and games against a level or the perfect player.

    inspect eval digitduel/digitduel_exam --model openai/gpt-4o-mini

Scores are exact. ``kappa`` is 1 for a model that keeps the outcome in every
position, 0 for random legal moves, and less for answers that are no moves.
"""
from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage, ChatMessageAssistant, ChatMessageSystem, ChatMessageUser, get_model,
)
from inspect_ai.scorer import (
    Metric, SampleScore, Score, Scorer, Target, ci, grouped, mean, metric, scorer,
)
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver

from . import BOOKS, Engine, Game, exam
from ._game import Side
from ._start import starts

_engine = Engine()


def messages(game: Game) -> list[ChatMessage]:
    """The question for a position, as ``duel eval`` asks it."""
    system, user = game.prompt()
    return [ChatMessageSystem(content=system["content"]), ChatMessageUser(content=user["content"])]


def _rules(rules: str | Sequence[str]) -> list[str]:
    if rules == "all":
        return list(BOOKS)
    return [rules] if isinstance(rules, str) else list(rules)


def samples(rules: str | Sequence[str], items: int, seed: int,
            disguise: int | str | None = None) -> Iterable[Sample]:
    """The items of an exam as samples."""
    for item in exam(_rules(rules), items, seed):
        game = _engine.game(item.rules, item.position, disguise)
        yield Sample(
            id=item.item, input=messages(game), target=list(item.keeps),
            metadata={"rules": item.rules, "start": f"{item.rules} {item.position}",
                      "position": item.position, "chance": item.chance, "disguise": disguise})


@task
def digitduel_exam(rules: str | list[str] = "all", items: int = 20, seed: int = 1,
                   disguise: int | str | None = None) -> Task:
    """Single positions in which a move can lose something, as ``duel exam make`` draws them."""
    return Task(dataset=MemoryDataset(list(samples(rules, items, seed, disguise))),
                solver=generate(), scorer=kept())


@metric(name="kappa")
def kappa_metric() -> Metric:
    """Right answers beyond those of chance: (kept − chance) / (all − chance)."""
    def compute(scores: list[SampleScore]) -> float:
        kept, chance = 0.0, 0.0
        for s in scores:
            kept += s.score.as_float()
            chance += (s.sample_metadata or {}).get("chance", 0.0)
        return (kept - chance) / (len(scores) - chance) if len(scores) > chance else 0.0
    return compute


@scorer(metrics=[grouped(kappa_metric(), "rules"), ci(cluster="start")])
def kept() -> Scorer:
    """1 if the answer keeps the outcome of the position, else 0; also for no legal move."""
    async def score(state: TaskState, target: Target) -> Score:
        m = state.metadata
        game = _engine.game(m["rules"], m["position"], m["disguise"])
        read = game.read(state.output.completion)
        digit, called, _ = (read.move or "").partition("=")
        right = digit in target.target and (  # a digit counts with its best call
            not called or game.play(read.move or "").points(game.turn) == 1)
        return Score(value=float(right), answer=read.move,
                     explanation=read.reason or f"Right: {', '.join(target.target)}.")
    return score


@task
def digitduel_game(rules: str | list[str] = "all", games: int = 10, seed: int = 1,
                   opponent: str = "perfect", retries: int = 2,
                   disguise: int | str | None = None) -> Task:
    """Whole games in pairs: the model has either side once from each start."""
    data = [
        Sample(id=f"{r} {pair} {side}", input=f"{r} {start}: play {side}",
               metadata={"rules": r, "start": f"{r} {start}", "position": start, "side": side,
                         "disguise": disguise})
        for r in _rules(rules) for pair, start in enumerate(starts(_engine, r, games, seed), 1)
        for side in ("first", "second")]
    return Task(dataset=MemoryDataset(data), solver=play(opponent, retries, seed),
                scorer=points())


@solver
def play(opponent: str = "perfect", retries: int = 2, seed: int = 1) -> Solver:
    """Let the model play one game. Regrets go into the store: ``own`` and ``other``."""
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        m, model = state.metadata, get_model()
        game = _engine.game(m["rules"], m["position"], m["disguise"])
        side: Side = m["side"]
        chance = random.Random(f"{seed} {state.sample_id}")
        value = game.value().points if game.turn == side else 1 - game.value().points
        own: list[float] = []
        other: list[float] = []
        forfeit = ""
        state.messages = []
        while game.result is None and not forfeit:
            choices = {c.move: c for c in game.choices()}
            if game.turn != side:
                move = game.reply(opponent, chance.getrandbits(32))
                other.append(choices[move].regret)
                game = game.play(move)
                continue
            talk = messages(game)
            for _ in range(retries + 1):
                output = await model.generate(talk)
                read = game.read(output.completion)
                talk += [ChatMessageAssistant(content=output.completion)]
                if read.move is not None:
                    break
                talk += [ChatMessageUser(content=f"That cannot be played: {read.reason}. "
                                         "Answer again, and end with the line MOVE: ...")]
            state.messages += talk
            state.output = output
            if read.move is None:
                forfeit = read.fault or "unreadable"
                own.append(game.value().points)
            else:
                own.append(choices[read.move].regret)
                game = game.play(read.move)
        score = 0.0 if forfeit else game.points(side)
        state.store.set("own", own)
        state.store.set("other", other)
        state.store.set("value", value)
        state.store.set("score", score)
        state.store.set("forfeit", forfeit)
        state.completed = True
        return state
    return solve


@metric
def regret() -> Metric:
    """The points that the model's moves gave away, for each game."""
    def compute(scores: list[SampleScore]) -> float:
        lost = [float((s.score.metadata or {}).get("regret", 0)) for s in scores]
        return sum(lost) / len(lost)
    return compute


@scorer(metrics=[grouped(mean(), "rules"), ci(cluster="start"), regret()])
def points() -> Scorer:
    """What the model scored in a game: 1, 0.5 or 0."""
    async def score(state: TaskState, target: Target) -> Score:
        own: list[float] = state.store.get("own", [])
        forfeit: str = state.store.get("forfeit", "")
        return Score(value=float(state.store.get("score", 0.0)), answer=forfeit or None,
                     metadata={"regret": sum(own), "own": own, "forfeit": forfeit})
    return score
