"""An agent without any library that plays random moves.

It starts `duel mcp` and speaks the Model Context Protocol with it line by line.

    python3 examples/agent.py 20 duel mcp

plays twenty games. In a planned run it stops when all are played.
Put a model in the place of choose.
"""
import json
import random
import subprocess
import sys


class Client:
    def __init__(self, command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        self.asked = 0
        self.ask("initialize", protocolVersion="2025-11-25", capabilities={},
                 clientInfo={"name": "chance", "version": "1"})
        self.send(method="notifications/initialized")

    def send(self, **message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def ask(self, method, **params):
        self.asked += 1
        self.send(id=self.asked, method=method, params=params)
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self.asked:
                if "error" in answer:
                    raise RuntimeError(answer["error"]["message"])
                return answer["result"]
        raise EOFError("the program has ended")

    def call(self, tool, **arguments):
        """Returns the answer of a tool, and whether it is an error, which has a reason."""
        result = self.ask("tools/call", name=tool, arguments=arguments)
        return result["structuredContent"], result.get("isError", False)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def choose(state):
    """Returns a move that looks legal.

    A model would read state["goal"], state["notation"] and state["board"].
    """
    if state["moves"]:  # present with show_moves, and in a run with --show-moves
        return random.choice(state["moves"])
    own = state["position"].split("/")[state["you"] == "second"]
    if "_" in own:  # fixed places
        spots = [place for place, held in zip("abcdefgh", own) if held == "_"]
    elif state["rules"].startswith("sevens"):  # a hand
        spots = [""]
    else:  # a number that grows, whose first digit is written R
        spots = ["L", "R"] if own else ["R"]
    return random.choice(state["left"].split()) + random.choice(spots)


if len(sys.argv) < 3:
    sys.exit(__doc__)
client = Client(sys.argv[2:])
for _ in range(int(sys.argv[1])):
    state, refused = client.call("new_game")
    if refused:
        print(state["reason"])
        break
    while state["result"] == "*":
        state, _ = client.call("play", game=state["game"], move=choose(state), ply=state["ply"])
    print(state["rules"], "as", state["you"], "against", state["opponent"], *state["played"],
          state["result"])
client.close()
