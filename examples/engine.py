"""An engine for three of the games, written from docs/protocol.md.

It wins at once if it can, and otherwise plays a random move.
"""
import random
import sys

POOLS = {"dilemma": "0123456789", "highest": "123456789", "reverse": "123456789"}


class Game:
    def __init__(self, rules, numbers=("___", "___")):
        self.rules, self.numbers = rules, list(numbers)
        self.taken = "".join(numbers).replace("_", "")
        self.turn = len(self.taken) % 2  # 0: the first side

    def legal(self):
        left = [d for d in POOLS[self.rules] if d not in self.taken and self.result() == "none"]
        return [d + "abc"[i] for d in left for i in range(3) if self.numbers[self.turn][i] == "_"]

    def play(self, move):
        after, i = list(self.numbers), "abc".index(move[1])
        after[self.turn] = after[self.turn][:i] + move[0] + after[self.turn][i + 1:]
        return Game(self.rules, after)

    def result(self):
        for number, wins in zip(self.numbers, ("p1win", "p2win")):
            full = "_" not in number and number[0] != "0"
            if self.rules == "dilemma" and full and int(number) % 7 == 0:
                return wins
        if "_" in "".join(self.numbers):
            return "none"
        order = {
            "dilemma": lambda n: (7 - n % 7, n),
            "highest": lambda n: -n,
            "reverse": lambda n: n,
        }[self.rules]
        first, second = (order(int(number)) for number in self.numbers)
        return "p1win" if first < second else "p2win"

    def best(self):
        wins = [m for m in self.legal() if self.play(m).result() == ("p1win", "p2win")[self.turn]]
        return random.choice(wins or self.legal() or ["(none)"])

    def query(self, name):
        return {
            "gameover": lambda: str(self.result() != "none").lower(),
            "p1turn": lambda: str(self.turn == 0).lower(),
            "result": self.result,
            "fen": lambda: "/".join(self.numbers),
            "legal": lambda: " ".join(self.legal()),
        }.get(name, lambda: "unknown")()


def answers(game, held, words):
    """Returns the game after a command, the move held back until stop, and the reply lines."""
    match words:
        case ["ugi"]:
            names = " ".join("var " + name for name in POOLS)
            rules = f"option name Rules type combo default dilemma {names}"
            return game, held, ["id name Chance", rules, "ugiok"]
        case ["isready"]:
            return game, held, ["readyok"]
        case ["uginewgame"]:
            return Game(game.rules), None, []
        case ["setoption", "name", "Rules", "value", name] if name in POOLS:
            return Game(name), None, []
        case ["position", "startpos", *moves]:
            start = Game(game.rules)
        case ["position", "fen", text, *moves]:
            start = Game(game.rules, text.split("/"))
        case ["go", "infinite"] if game.legal():
            return game, game.best(), []
        case ["go", *_]:
            return game, held, ["bestmove " + game.best()]
        case ["stop"]:
            return game, None, ["bestmove " + held] if held else []
        case ["query", name]:
            return game, held, ["response " + game.query(name)]
        case _:
            return game, held, []
    for move in moves[1:]:
        start = start.play(move)
    return start, held, []


game, held = Game("dilemma"), None
for line in sys.stdin:
    if line.split() == ["quit"]:
        break
    game, held, replies = answers(game, held, line.split())
    for text in replies:
        print(text, flush=True)
