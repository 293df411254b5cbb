"""Positions to start games from."""
from __future__ import annotations

import random
from collections.abc import Iterator

from ._engine import Engine


def starts(engine: Engine, rules: str, count: int, seed: int) -> Iterator[str]:
    """Random positions after one to four moves in which a move can lose something."""
    chance = random.Random(f"{seed} {rules}")
    while count > 0:
        game = engine.game(rules)
        for _ in range(chance.randint(1, 4)):
            if game.result is None:
                game = game.play(chance.choice(game.legal()))
        if game.result is None and any(c.regret > 0 for c in game.choices()):
            count -= 1
            yield game.position
