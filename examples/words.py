"""An engine that is told games in words alone, written from docs/protocol.md: it plays the first legal move. A language model would take its place in best."""
import re
import sys


class Game:
    def __init__(self, rules):
        find = lambda pattern: re.search(pattern, rules)
        self.tokens = find(r"there once: ([^.]*)\.")[1].split(", ")
        row, ends = find(r"a row of [a-z-]+ places?: ([^.]*), all empty"), find(r"two ends, (\w+) and (\w+)\.")
        self.row, self.line = bool(row), bool(ends)
        self.places = row[1].split(", ") if row else list(ends.groups()) if ends else []
        self.shut = find(r"may not put (\w+) into (\w+)") or find(r"neither begin with (\w+) nor put it at (\w+)")

    def start(self, position="first: nothing; second: nothing"):
        """Reads what both players have: the places that are filled, and the tokens that are taken."""
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
    said = []
    match line.split():
        case ["ugi"]:
            said = ["id name Words", "option name Words type string", "ugiok"]
        case ["isready"]:
            said = ["readyok"]
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
            said = ["bestmove " + game.best()]
        case ["stop"] if held:
            said, held = ["bestmove " + held], None
        case ["quit"]:
            break
    for text in said:
        print(text, flush=True)
