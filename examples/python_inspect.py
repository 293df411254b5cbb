"""Scores a model with Inspect on single positions, and prints its kappa for each game.

    python3 examples/python_inspect.py openai/gpt-4o-mini
"""
import sys

from inspect_ai import eval

from digitduel.inspect import digitduel_exam


def main(model, items=20):
    log = eval(digitduel_exam(items=items), model=model)[0]
    for score in log.results.scores:
        for name, metric in score.metrics.items():
            print(f"{name:14} {metric.value:.3f}")
    return log


if __name__ == "__main__":
    main(sys.argv[1])
