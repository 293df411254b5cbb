"""The adapter for Inspect, with the real library and scripted models."""
import json
import random
import subprocess
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, ModelOutput, ModelUsage, get_model

from digitduel import BOOKS, Engine, Item, binary, exam
from digitduel.inspect import digitduel_exam, digitduel_game

Talk = list[ChatMessage]


class Inspect(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.engine = Engine()
        self.addCleanup(self.engine.close)

    def run_task(self, task: Task, answer: Callable[[Talk], str]) -> EvalLog:
        def output(messages: Talk, *_: Any) -> ModelOutput:
            made = ModelOutput.from_content("mockllm/model", answer(messages))
            made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
            return made
        model = get_model("mockllm/model", custom_outputs=output)
        log = evaluate(task, model=model, log_dir=str(self.folder), display="none")[0]
        self.assertEqual(log.status, "success", log.error)
        return log

    @staticmethod
    def metrics(log: EvalLog) -> dict[str, float]:
        assert log.results is not None
        return {name: m.value for s in log.results.scores for name, m in s.metrics.items()}

    def test_exam(self) -> None:
        """Scripted models get the kappa of duel exam grade."""
        items = list(exam(BOOKS, 4, 1))
        asked: dict[str, Item] = {}
        for item in items:
            system, user = self.engine.game(item.rules, item.position).prompt()
            asked[system["content"] + user["content"]] = item
        chance = random.Random(1)
        answers: dict[str, Callable[[Item], str]] = {
            "perfect": lambda i: i.keeps[-1], "refuser": lambda i: "I would rather not.",
            "random": lambda i: chance.choice(i.moves), "caller": self.called,
        }
        subprocess.run(
            [binary(), "exam", "make", "--items", "4", "--key", self.folder / "key.jsonl",
             "--out", self.folder / "items.jsonl", *(f"--rules={r}" for r in BOOKS)], check=True)
        for name, choose in answers.items():
            given: dict[int, str] = {i.item: choose(i) for i in items}
            log = self.run_task(
                digitduel_exam(items=4),
                lambda m: "Well.\nMOVE: " + given[asked[m[0].text + m[-1].text].item])
            (self.folder / "answers.jsonl").write_text("".join(
                json.dumps({"item": k, "move": v}) + "\n" for k, v in given.items()))
            graded = json.loads(subprocess.run(
                [binary(), "exam", "grade", "--json", "--key", self.folder / "key.jsonl",
                 self.folder / "answers.jsonl"], check=True, capture_output=True).stdout)
            got = self.metrics(log)
            self.assertAlmostEqual(got["all"], graded["kappa"], delta=1e-9, msg=name)
            for row in graded["by_rules"]:
                self.assertAlmostEqual(got[row["name"]], row["kappa"], delta=1e-9, msg=name)
            self.assertTrue(name != "perfect" or got["all"] == 1)
            self.assertTrue(name != "refuser" or got["all"] <= 0)

    def called(self, item: Item) -> str:
        """The last of all legal moves, which for hands is a call."""
        return self.engine.game(item.rules, item.position).legal()[-1]

    def test_disguise(self) -> None:
        log = self.run_task(digitduel_exam("dilemma", 2, disguise=3), lambda m: "MOVE: 7a")
        self.assertLess(self.metrics(log)["all"], 0)
        for sample in log.samples or []:
            self.assertNotRegex(str(sample.input), "ilemma")

    def test_games(self) -> None:
        """A perfect model loses nothing; score is value − own regret + the other's."""
        def best(messages: Talk) -> str:
            board = [line.split()[1:] for line in messages[-1].text.splitlines()[2:4]]
            return "MOVE: " + self.engine.game("dilemma", "/".join(map("".join, board))).reply()

        for answer in (best, lambda m: "no"):
            log = self.run_task(digitduel_game("dilemma", games=4, opponent="casual"), answer)
            self.assertEqual(len(log.samples or []), 8)
            for sample in log.samples or []:
                s = sample.store
                self.assertEqual(s["score"], s["value"] - sum(s["own"]) + sum(s["other"]), s)
                if answer is best:
                    self.assertEqual((sum(s["own"]), s["forfeit"]), (0, ""))
                else:
                    forfeit = "unreadable" if s["own"] else ""  # it may lose before its turn
                    self.assertEqual((s["score"], s["forfeit"]), (0, forfeit))
        self.assertEqual(self.metrics(log)["dilemma"], 0)


if __name__ == "__main__":
    unittest.main()
