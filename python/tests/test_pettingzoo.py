"""The environment for PettingZoo, with its own tests and scripted players."""
import os
import random
import unittest
import warnings

import numpy as np
from pettingzoo.test import api_test, seed_test

from digitduel import BOOKS, Engine
from digitduel.pettingzoo import env, raw_env

NIGHTLY = bool(os.environ.get("DUEL_NIGHTLY"))


class PettingZoo(unittest.TestCase):
    def setUp(self) -> None:
        self.engine = Engine()
        self.addCleanup(self.engine.close)
        warnings.simplefilter("ignore")

    def test_api(self) -> None:
        for rules in BOOKS:
            api_test(env(rules), num_cycles=1000 if NIGHTLY else 100)
        seed_test(lambda: env("dilemma"), num_cycles=500 if NIGHTLY else 50)

    def test_rewards(self) -> None:
        """Rewards sum to score − value in every episode, whichever rewards are asked for."""
        chance = random.Random(1)
        for i in range(1000 if NIGHTLY else 150):
            rules = BOOKS[i % 5]
            e = raw_env(rules, reward="regret" if i % 2 else "score", engine=self.engine)
            e.reset()
            value = e.game.value().points
            total = {a: 0.0 for a in e.agents}
            for agent in e.agent_iter():
                seen, reward, ended, cut, info = e.last()
                total[agent] += reward
                if ended or cut:
                    e.step(None)
                    continue
                legal = np.flatnonzero(seen["action_mask"])
                self.assertEqual(len(legal), len(e.game.legal()))
                idle = next(a for a in e.agents if a != agent)
                self.assertFalse(e.observe(idle)["action_mask"].any())
                self.assertTrue((seen["observation"].sum(axis=1) == 1).all())
                e.step(int(chance.choice(list(legal))))
                self.assertIn("regret", e.infos[agent])
            score = e.game.points("first")
            want = score - value if i % 2 else score
            self.assertAlmostEqual(total["first"], want, msg=rules)
            self.assertAlmostEqual(total["second"], -want if i % 2 else 1 - score)

    def test_actions(self) -> None:
        """Each legal move has an action of its own, and each action plays its move."""
        for rules in (*BOOKS, "dilemma pool=0-f width=4", "tug", "nines"):
            e = raw_env(rules, engine=self.engine)
            e.reset()
            while e.game.result is None:
                moves = e.game.legal()
                self.assertEqual(len({e.action(m) for m in moves}), len(moves))
                e.step(e.action(moves[-1]))
                self.assertEqual(e.game.moves[-1], moves[-1])
        sevens = raw_env("sevens", engine=self.engine)
        self.assertEqual(sevens.action_spaces["first"].n, 10 * 7)

    def test_illegal(self) -> None:
        e = env("dilemma", engine=self.engine)
        e.reset()
        e.step(0)
        with self.assertRaisesRegex(ValueError, "not a legal move"):
            e.step(0)
        with self.assertRaisesRegex(ValueError, "the game is over"):
            env("dilemma", "721/53_", engine=self.engine)


if __name__ == "__main__":
    unittest.main()
