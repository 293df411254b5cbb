"""Trains a table of preferences with the exact reward of every move.

A move is made better or worse by its own regret, right after it is played: no
reward has to wait for the end of a game, and none is noise.

    python3 examples/python_train.py 3000
"""
import sys
from collections import defaultdict

import numpy as np

from digitduel.pettingzoo import env


def main(games: int = 3000, rules: str = "dilemma pool=1-6", seed: int = 1) -> list[float]:
    chance = np.random.default_rng(seed)
    table = env(rules, reward="regret")
    prefer: dict[bytes, np.ndarray] = defaultdict(lambda: np.zeros(table.action_space("first").n))
    regrets = []
    for _ in range(games):
        table.reset()
        lost = 0.0
        while not any(table.terminations.values()):
            seen = table.observe(table.agent_selection)
            known = prefer[seen["observation"].tobytes()]
            legal = np.flatnonzero(seen["action_mask"])
            weight = np.exp(known[legal] - known[legal].max())
            action = int(chance.choice(legal, p=weight / weight.sum()))
            agent = table.agent_selection
            table.step(action)
            reward = table.rewards[agent]  # minus the regret of this very move
            known[action] += 3 * reward
            lost -= reward
        regrets.append(lost)
    table.close()
    for part in np.array_split(np.array(regrets), 6):
        print(f"points given away in a game: {part.mean():.3f}")
    return regrets


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
