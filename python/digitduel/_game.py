"""A game at one position. It never changes: a move returns another game."""
from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from ._engine import Engine

Outcome = Literal["win", "draw", "loss"]
Side = Literal["first", "second"]
Result = Literal["p1win", "p2win", "draw"]

POINTS: dict[Outcome, float] = {"win": 1.0, "draw": 0.5, "loss": 0.0}


@dataclass(frozen=True)
class Value:
    """What perfect play makes of a position."""

    outcome: Outcome  #: for the side to move
    plies: int  #: moves to the end if the winner hurries and the loser delays
    points: float  #: 1, 0.5 or 0 to the side to move


@dataclass(frozen=True)
class Choice:
    """A legal move, its value to the player who makes it, and the points it gives away."""

    move: str
    value: Value
    regret: float


@dataclass(frozen=True)
class Read:
    """The move in an answer, or why there is none."""

    move: str | None
    fault: Literal["illegal", "unreadable"] | None
    reason: str


class IllegalMove(ValueError):
    """A text is not a legal move. The message is the reason."""


class Facts(NamedTuple):
    """What the engine states about a position."""

    position: str
    turn: Side
    result: Result | None
    legal: tuple[str, ...]


@dataclass(frozen=True)
class Game:
    """A position and the moves that led to it.

    In a disguise, :meth:`prompt` and :meth:`read` use other words. Moves and
    positions stay digits.
    """

    rules: str
    start: str
    moves: tuple[str, ...]
    _facts: Facts = field(repr=False)
    _disguise: str = field(repr=False)
    _engine: Engine = field(repr=False, compare=False)

    @property
    def position(self) -> str:
        return self._facts.position

    @property
    def turn(self) -> Side:
        return self._facts.turn

    @property
    def result(self) -> Result | None:
        return self._facts.result

    def points(self, side: Side) -> float:
        """What a side has scored: 1, 0.5 or 0. The game must be over."""
        if self.result is None:
            raise ValueError(f"{self!r} is not over")
        if self.result == "draw":
            return 0.5
        return 1.0 if (self.result == "p1win") == (side == "first") else 0.0

    def legal(self) -> list[str]:
        """The legal moves. There are none when the game is over."""
        return list(self._facts.legal)

    def choices(self) -> list[Choice]:
        """Every legal move with its exact value and regret."""
        return [
            Choice(c["move"], Value(c["outcome"], c["plies"], POINTS[c["outcome"]]), c["regret"])
            for c in self._engine._query(self.rules, self.position, "none", "choices")
        ]

    def value(self) -> Value:
        """What perfect play makes of this position, for the side to move."""
        if self.result is not None:
            points = self.points(self.turn)
            outcome = next(o for o in POINTS if POINTS[o] == points)
            return Value(outcome, 0, points)
        best = [c.value for c in self.choices() if c.regret == 0]
        pick = max if best[0].outcome == "loss" else min  # the winner hurries
        return pick(best, key=lambda v: v.plies)

    def play(self, move: str) -> Game:
        """The game after a move. Spaces and case are ignored: ``7 A`` is ``7a``."""
        if move not in self._facts.legal:
            read = self._read(move, "none")
            if read.move is None:
                raise IllegalMove(read.reason)
            move = read.move
        facts = self._engine._look(self.rules, self.position, move)
        return replace(self, moves=(*self.moves, move), _facts=facts)

    def reply(self, level: str = "perfect", seed: int = 1) -> str:
        """The move of a level, from beginner to perfect. The same seed gives the same move."""
        options = (f"Level value {level}", f"Seed value {seed}")
        return self._engine._ask(self.rules, self.position, None, "go", options=options)[0]

    def read(self, text: str) -> Read:
        """The move in the answer of a model, by the reader of ``duel eval``."""
        return self._read(text, self._disguise)

    def _read(self, text: str, disguise: str) -> Read:
        if len(text) > LONGEST:  # a line of the protocol has 64 KiB; what counts is at the end
            head, text = text[:-LONGEST], text[-LONGEST:]
            if head.rfind("<think>") > head.rfind("</think>"):
                text = "<think>" + text
        found = self._engine._query(
            self.rules, self.position, disguise, "answer " + json.dumps(text))
        return Read(found.get("move"), found.get("fault"), found.get("reason", ""))

    def prompt(self) -> list[dict[str, str]]:
        """The messages that ``duel eval`` sends to a model for this position."""
        texts = self._engine._query(self.rules, self.position, self._disguise, "prompt")
        return [{"role": role, "content": texts[role]} for role in ("system", "user")]


LONGEST = 10_000  #: characters of an answer that are read
