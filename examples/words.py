"""An engine that plays games in words, written from docs/protocol.md.

It plays the first legal move. Put a language model in the place of best.
"""
import re
import sys


class Game:
    def __init__(self, rules):
        find = lambda pattern: re.search(pattern, rules)
        self.tokens = find(r"there once: ([^.]*)\.")[1].split(", ")
        row = find(r"a row of [a-z-]+ places?: ([^.]*), all empty")
        ends = find(r"two ends, (\w+) and (\w+)\.")
        self.row, self.line = bool(row), bool(ends)
        self.places = row[1].split(", ") if row else list(ends.groups()) if ends else []
        self.shut = find(r"may not put (\w+) into (\w+)") or find(
            r"neither begin with (\w+) nor put it at (\w+)")

    def start(self, position="first: nothing; second: nothing"):
        """Reads a position: the filled places of both players, and the tokens taken."""
        self.taken, self.filled = [], ([], [])
        for side, has in enumerate(position.split("; ")):
            for part in has.partition(": ")[2].split(", "):
                *before, token = part.split()
                if token not in ("empty", "nothing"):
                    self.taken.append(token)
                    self.filled[side].append(before[-1] if self.row else self.line)

    def play(self, move):
        token, _, place = move.partition("=")[0].partition("@")
        self.filled[len(self.taken) % 2].append(place)
        self.taken.append(token)

    def legal(self):
        mine = self.filled[len(self.taken) % 2]
        for token in self.tokens:
            shut = self.shut and token == self.shut[1]
            if token in self.taken or self.line and shut and not mine:
                continue
            if not self.places:
                yield token
            for place in self.places if mine or self.row else self.places[:1]:
                if not (self.row and place in mine or shut and place == self.shut[2]):
                    yield f"{token}@{place}"

    def best(self):
        return next(self.legal(), "(none)")


game = held = None
for line in sys.stdin:
    replies = []
    match line.split():
        case ["ugi"]:
            replies = ["id name Words", "option name Words type string", "ugiok"]
        case ["isready"]:
            replies = ["readyok"]
        case ["setoption", "name", "Words", "value", *words]:
            game = Game(" ".join(words))
        case ["uginewgame"]:
            game.start()
        case ["position", how, *words]:
            position, _, moves = " ".join(words).partition("moves ")
            game.start(position) if how == "fen" else game.start()
            for move in moves.split():
                game.play(move)
        case ["go", "infinite"]:
            held = game.best()
        case ["go", *_]:
            replies = ["bestmove " + game.best()]
        case ["stop"] if held:
            replies, held = ["bestmove " + held], None
        case ["quit"]:
            break
    for text in replies:
        print(text, flush=True)
