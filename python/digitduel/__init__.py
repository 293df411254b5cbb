"""Two-player digit games with exact values, for evaluating and training models.

    from digitduel import Engine

    with Engine() as engine:
        game = engine.game("dilemma")
        best = min(game.choices(), key=lambda c: c.regret)
        print(best.move, best.value.outcome)

The program duel does all the work: rules, solver, prompts and the reader of
answers are not written twice.
"""
from ._binary import binary
from ._engine import Engine, EngineError, Rules
from ._exam import Item, exam
from ._game import Choice, Game, IllegalMove, Outcome, Read, Result, Side, Value

__version__ = "0.1.0"

__all__ = [
    "BOOKS", "Choice", "Engine", "EngineError", "Game", "IllegalMove", "Item", "Outcome", "Read",
    "Result", "Rules", "Side", "Value", "binary", "exam",
]

#: The games of the five rulebooks.
BOOKS = ("dilemma", "sevens", "highest", "divisibility", "reverse")
