"""A PettingZoo environment with exact rewards for every move.

    from digitduel.pettingzoo import env

    e = env("dilemma", reward="regret")

With ``reward="score"`` a player gets 1, 0.5 or 0 at the end. With
``reward="regret"`` a move of regret r earns −r to its player and r to the other
at once; in every game these sum to score − value, so the best play is the same.
"""
from __future__ import annotations

from itertools import permutations
from math import factorial
from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from . import Engine

SIDES = ["first", "second"]


def env(rules: str = "dilemma", start: str = "",
        reward: Literal["score", "regret"] = "score",
        engine: Engine | None = None) -> AECEnv[str, Any, int]:
    """The environment with the usual wrappers, which refuse illegal use."""
    raw = raw_env(rules, start, reward, engine)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw))


class raw_env(AECEnv[str, Any, int]):
    """The environment itself. Actions are moves in a fixed order: see :meth:`action`."""

    metadata = {"name": "digitduel_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, rules: str = "dilemma", start: str = "",
                 reward: Literal["score", "regret"] = "score",
                 engine: Engine | None = None) -> None:
        super().__init__()
        if reward not in ("score", "regret"):
            raise ValueError(f"reward {reward!r}: allowed: score, regret")
        self.engine = engine or Engine()
        self.reward = reward
        self.render_mode = "ansi"
        self.parts = self.engine.rules(rules)
        self.first = self.engine.game(rules, start)
        if self.first.result is not None:
            raise ValueError(f"start {start!r}: the game is over")
        self.game = self.first
        self.possible_agents = SIDES[:]
        self.agents: list[str] = []
        pool, width = len(self.parts.digits), self.parts.width
        self.spots = {"slots": width, "ends": 2, "hand": 1 + factorial(width)}[self.parts.place]
        seen = spaces.Dict({
            "observation": spaces.Box(0, 1, (pool, 2 * width + 1), np.int8),
            "action_mask": spaces.Box(0, 1, (pool * self.spots,), np.int8)})
        self.observation_spaces = {a: seen for a in SIDES}
        self.action_spaces = {a: spaces.Discrete(pool * self.spots) for a in SIDES}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.game = self.first
        self.agents = SIDES[:]
        self.rewards = {a: 0.0 for a in SIDES}
        self._cumulative_rewards = {a: 0.0 for a in SIDES}
        self.terminations = {a: False for a in SIDES}
        self.truncations = {a: False for a in SIDES}
        self.infos: dict[str, dict[str, Any]] = {a: {} for a in SIDES}
        self.agent_selection: str = self.game.turn

    def action(self, move: str) -> int:
        """The action of a move: the digits in order, and for each its places.

        The places are slots from the left, the ends left and right, or for a
        hand no call and then the orders of the sorted hand.
        """
        digit, spot = self.parts.digits.index(move[0]), 0
        if self.parts.place == "slots":
            spot = ord(move[1]) - ord("a")
        elif self.parts.place == "ends":
            spot = "LR".index(move[1])
        elif "=" in move:
            called = move.split("=")[1]
            spot = 1 + list(permutations(sorted(called))).index(tuple(called))
        return digit * self.spots + spot

    def observe(self, agent: str) -> dict[str, np.ndarray[Any, Any]]:
        """Where each digit is: free, in a place of one's own, or in one of the other's."""
        pool, width = len(self.parts.digits), self.parts.width
        seen = np.zeros((pool, 2 * width + 1), np.int8)
        numbers = self.game.position.split("=")[0].split("/")
        if agent == "second":
            numbers.reverse()
        for side, number in enumerate(numbers):
            for place, digit in enumerate(number):
                if digit != "_":
                    seen[self.parts.digits.index(digit), 1 + side * width + place] = 1
        seen[:, 0] = 1 - seen[:, 1:].sum(axis=1)
        mask = np.zeros(pool * self.spots, np.int8)
        if agent == self.agent_selection and self.agents and not self.terminations[agent]:
            for move in self.game.legal():
                mask[self.action(move)] = 1
        return {"observation": seen, "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        other = SIDES[agent == "first"]
        moves = {self.action(m): m for m in self.game.legal()}
        if action not in moves:
            raise ValueError(f"action {action}: not a legal move in {self.game.position}")
        choice = next(c for c in self.game.choices() if c.move == moves[action])
        self.game = self.game.play(choice.move)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {a: 0.0 for a in SIDES}
        self.infos[agent] = {"regret": choice.regret}
        if self.reward == "regret":
            self.rewards = {agent: -choice.regret, other: choice.regret}
        if self.game.result is not None:
            self.terminations = {a: True for a in SIDES}
            if self.reward == "score":
                first = self.game.points("first")
                self.rewards = {"first": first, "second": 1 - first}
        self.agent_selection = other if self.game.result is not None else self.game.turn
        self._accumulate_rewards()

    def render(self) -> str:
        return f"{self.game.rules} {self.game.position}"

    def close(self) -> None:
        self.engine.close()

