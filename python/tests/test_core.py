"""The core: games, values, rewards, and what happens when the program fails."""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

from digitduel import BOOKS, Engine, EngineError, IllegalMove, binary, exam
from digitduel import __version__ as version

VARIANTS = (
    "dilemma target=13", "dilemma pool=1-6", "sevens pool=1-6", "highest width=2",
    "divisibility target=11 pool=0-5", "divisibility target=33 pool=1-7", "reverse width=2",
    "nines pool=1-6", "seesaw pool=0-6 width=2", "tug pool=1-6 width=2",
)
NIGHTLY = bool(os.environ.get("DUEL_NIGHTLY"))


def duel(*args: str) -> str:
    return subprocess.run([binary(), *args], capture_output=True, text=True, check=True).stdout


class Core(unittest.TestCase):
    def setUp(self) -> None:
        self.engine = Engine()
        self.addCleanup(self.engine.close)

    def test_version(self) -> None:
        self.assertEqual(duel("--version").split()[1], version)

    def test_export(self) -> None:
        """Every move of every position has the value that the program exports."""
        for rules in VARIANTS + (BOOKS if NIGHTLY else ()):
            lines = duel("export", *rules.split(), "--jsonl").splitlines()
            self.assertGreater(len(lines), 10, rules)
            for line in lines if NIGHTLY else random.Random(1).sample(lines, min(100, len(lines))):
                want = json.loads(line)
                game = self.engine.game(rules, want["position"])
                got = [{"move": c.move, "outcome": c.value.outcome, "plies": c.value.plies}
                       for c in game.choices()]
                self.assertEqual(got, want["moves"], line)
                self.assertEqual(game.turn, want["turn"])
                value = game.value()
                self.assertEqual((value.outcome, value.plies), (want["outcome"], want["plies"]))
                self.assertEqual([c.move for c in game.choices()], game.legal())

    def test_rewards(self) -> None:
        """In every game, rewards of −regret and +regret sum to score − value."""
        chance = random.Random(2)
        for i in range(300):
            game = self.engine.game((BOOKS + VARIANTS)[i % 15])
            value = game.value().points
            total = 0.0
            while game.result is None:
                choice = chance.choice(game.choices())
                total += -choice.regret if game.turn == "first" else choice.regret
                game = game.play(choice.move)
            self.assertEqual(total, game.points("first") - value, game)
            self.assertEqual(game.points("first") + game.points("second"), 1)
            self.assertEqual(game.choices(), [])
            with self.assertRaisesRegex(IllegalMove, "the game is over"):
                game.play("7a")

    def test_immutable(self) -> None:
        start = self.engine.game("dilemma")
        after = start.play(" 7 A ")
        self.assertEqual((start.moves, after.moves), ((), ("7a",)))
        self.assertEqual((after.position, after.turn), ("7__/___", "second"))
        self.assertEqual(after, self.engine.game("dilemma").play("7a"))
        with self.assertRaises(AttributeError):
            start.rules = "sevens"  # type: ignore[misc]
        for move, reason in (("7a", "7 is taken"), ("9d", "no place d|places a b c"),
                             ("", "empty|digit"), ("7a 8b", "7a 8b"), ("x\ny", "MOVE:")):
            with self.assertRaisesRegex(IllegalMove, reason):
                after.play(move)
        with self.assertRaises(ValueError):
            start.points("first")

    def test_refusals(self) -> None:
        for rules, start in (("chess", ""), ("dilemma target=1", ""), ("dilemma", "77_/___"),
                             ("dilemma\nquit", "")):
            with self.assertRaises((EngineError, ValueError), msg=rules):
                self.engine.game(rules, start)
            self.assertEqual(self.engine.game("dilemma").position, "___/___")  # it goes on
        with self.assertRaisesRegex(EngineError, "7:words"):
            self.engine.game("dilemma", disguise="no seed").prompt()
        with self.assertRaisesRegex(EngineError, "level"):
            self.engine.game("dilemma").reply("genius")

    def test_prompts(self) -> None:
        game = self.engine.game("dilemma", "7_1/53_")
        system, user = game.prompt()
        self.assertEqual((system["role"], user["role"]), ("system", "user"))
        self.assertIn("first   7 _ 1\nsecond  5 3 _\n", user["content"])
        self.assertEqual(game.read("So:\n**Move: 9 B.**").move, "9b")
        self.assertEqual(game.read("7b").fault, "illegal")
        self.assertEqual(game.read("9b or 2b").fault, "unreadable")
        self.assertEqual(game.read("<think>" + "é" * 90000 + "\nMOVE: 9b").fault, "unreadable")
        self.assertEqual(game.read("é" * 90000 + "\nMOVE: 9b").move, "9b")
        named = self.engine.game("dilemma", "7_1/53_", disguise="7:words")
        self.assertNotIn("first   7 _ 1", named.prompt()[1]["content"])
        words = self.engine.game("dilemma", "7_1/53_", disguise=7)
        text = " ".join(m["content"] for m in words.prompt())
        self.assertNotRegex(text, r"[0-9]|[Dd]ilemma")
        self.assertEqual(words.read("MOVE: 9b").fault, "unreadable")
        self.assertEqual(words.play("9b").result, "p1win")

    def test_levels(self) -> None:
        game = self.engine.game("dilemma")
        self.assertEqual(game.reply("casual", 3), game.reply("casual", 3))
        self.assertEqual({c.move: c.regret for c in game.choices()}[game.reply()], 0)
        self.assertGreater(len({game.reply("beginner", s) for s in range(20)}), 1)

    def test_exam(self) -> None:
        items = list(exam(["dilemma", "sevens"], 3, 5))
        self.assertEqual([i.rules for i in items], ["dilemma"] * 3 + ["sevens"] * 3)
        for item in items:
            choices = self.engine.game(item.rules, item.position).choices()
            keeps = {c.move.split("=")[0] for c in choices if c.regret == 0}
            self.assertEqual(set(item.keeps), keeps)
            self.assertAlmostEqual(item.chance, len(keeps) / len(item.moves))
        with self.assertRaisesRegex(ValueError, "chess"):
            list(exam(["chess"], 1))

    def test_threads(self) -> None:
        """Threads share one engine and never get the answer to another's question."""
        wrong: list[object] = []

        def work(i: int) -> None:
            chance = random.Random(i)
            game = self.engine.game((BOOKS + VARIANTS)[i % 15])
            while game.result is None:
                move = chance.choice(game.legal())
                after = game.play(move)
                if after.moves[:-1] != game.moves or move[0] not in after.position:
                    wrong.append((game, move, after))
                game = after

        threads = [threading.Thread(target=work, args=(i,)) for i in range(32)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])


class Faults(unittest.TestCase):
    def script(self, text: str) -> str:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = Path(folder.name) / "engine"
        file.write_text(f"#!{sys.executable}\n{text}")
        file.chmod(0o755)
        return str(file)

    def test_killed(self) -> None:
        with Engine() as engine:
            game = engine.game()
            assert engine._process is not None
            engine._process.child.kill()
            engine._process.child.wait()
            with self.assertRaisesRegex(EngineError, "ended with code -9"):
                game.play("7a")
            self.assertEqual(game.play("7a").position, "7__/___")  # another process
            child = engine._process.child
        self.assertIsNotNone(child.poll())
        with self.assertRaisesRegex(EngineError, "closed"):
            game.play("7a")

    def test_silent(self) -> None:
        for text in ("import time; time.sleep(60)", "import sys\nfor _ in sys.stdin: pass",
                     "while True: print('response ', end='', flush=True)"):
            with Engine(self.script(text), timeout=0.5) as engine:
                began = time.monotonic()
                with self.assertRaisesRegex(EngineError, "no answer in 0.5 s"):
                    engine.game()
                self.assertLess(time.monotonic() - began, 30)

    def test_missing(self) -> None:
        with Engine("/nowhere/duel") as engine, self.assertRaisesRegex(EngineError, "cannot start"):
            engine.game()

    def test_no_orphan(self) -> None:
        """The engine ends with a Python that is killed, and with one that forgets to close it."""
        program = ("from digitduel import Engine\nimport time\ne = Engine()\ne.game()\n"
                   "print(e._process.child.pid, flush=True)\n")
        for rest, kill in (("", False), ("time.sleep(60)", True)):
            child = subprocess.Popen([sys.executable, "-c", program + rest],
                                     stdout=subprocess.PIPE, text=True)
            assert child.stdout is not None
            pid = int(child.stdout.readline())
            if kill:
                child.send_signal(signal.SIGKILL)
            child.wait()
            child.stdout.close()
            for _ in range(600):
                if not Path(f"/proc/{pid}/stat").exists() or \
                        Path(f"/proc/{pid}/stat").read_text().split(") ")[1][0] == "Z":
                    break
                time.sleep(0.05)
            else:
                self.fail(f"process {pid} is still there")

    def test_fork(self) -> None:
        """After a fork the child has a process of its own, and the parent keeps its."""
        with Engine() as engine:
            game = engine.game()
            pid = os.fork()
            if pid == 0:
                os._exit(0 if game.play("7a").position == "7__/___" else 1)
            self.assertEqual(os.waitpid(pid, 0)[1], 0)
            self.assertEqual(game.play("8a").position, "8__/___")


if __name__ == "__main__":
    unittest.main()
