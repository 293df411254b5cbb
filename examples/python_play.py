"""Plays a game of Digit Dilemma against a level, and shows what each move gave away.

    python3 examples/python_play.py casual
"""
import random
import sys

from digitduel import Engine


def main(level: str = "casual", seed: int = 1) -> str:
    chance = random.Random(seed)
    with Engine() as engine:
        game = engine.game("dilemma")
        while game.result is None:
            if game.turn == "second":
                game = game.play(game.reply(level, seed))
                continue
            choice = chance.choice(game.choices())  # put a model in the place of chance
            print(game.position, choice.move, choice.value.outcome, "regret", choice.regret)
            game = game.play(choice.move)
        print(game.position, game.result)
        return game.result


if __name__ == "__main__":
    main(*sys.argv[1:])
