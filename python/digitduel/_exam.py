"""Exams: random positions in which a move can lose something, with their key."""
from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ._binary import binary


@dataclass(frozen=True)
class Item:
    """A position of an exam, and the moves that keep what it is worth."""

    item: int
    rules: str
    position: str
    turn: str
    moves: tuple[str, ...]  #: the legal moves; a digit of a hand stands for its best call
    keeps: tuple[str, ...]
    chance: float  #: the share of legal moves that keep


def exam(rules: Sequence[str], items: int, seed: int = 1) -> Iterator[Item]:
    """The items of an exam, as ``duel exam make`` draws them: a number for each of the rules."""
    command = [binary(), "exam", "make", "--items", str(items), "--seed", str(seed)]
    for r in rules:
        command += ["--rules", r]
    with tempfile.TemporaryDirectory() as folder:
        key = Path(folder) / "key.jsonl"
        made = subprocess.run([*command, "--key", str(key)], capture_output=True, encoding="utf-8")
        if made.returncode != 0:
            raise ValueError(made.stderr.strip().removeprefix("duel: "))
        keys = {k["item"]: k for k in map(json.loads, key.read_text("utf-8").splitlines())}
    for line in made.stdout.splitlines():
        asked = json.loads(line)
        known = keys[asked["item"]]
        yield Item(asked["item"], asked["rules"], asked["position"], asked["turn"],
                   tuple(asked["moves"]), tuple(known["keeps"]), float(known["chance"]))
