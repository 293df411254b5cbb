"""Recomputes the published table of gg-bench from a checkout of its results.

    git clone https://github.com/vivek3141/gg-bench
    python3 ggbench.py gg-bench/results

A result file has, for each game, how often the model won (gpt_wins), lost (agent_wins) and drew
(draws), how often it gave only illegal answers (gpt_faults), and how often the game was played
(total_games). The published score is the mean share of wins over the games. It leaves plays with
faults out. The column "as losses" is the share of all plays. That includes the few plays that the
opponent could not continue (agent_faults).
"""
import json
import pathlib
import sys

SCORED = ("gpt_wins", "agent_wins", "draws")


def read(folder):
    """Returns the counts of each model by game: {model: {game: counts}}."""
    models = {}
    for path in sorted(pathlib.Path(folder).glob("*_eval_*.json")):
        with open(path, encoding="utf-8") as file:
            games = {name: counts for name, counts in json.load(file).items() if name.isdigit()}
        if games:
            models[path.name.split("_eval_")[0]] = games
    return models


def score(games, denominator):
    """Returns the mean share of wins in percent over the games with a denominator, or None."""
    shares = []
    for counts in games.values():
        total = sum(counts[key] for key in denominator)
        if total:
            shares.append(counts["gpt_wins"] / total)
    return 100 * sum(shares) / len(shares) if shares else None


def total(games, *keys):
    return sum(counts[key] for counts in games.values() for key in keys)


def report(models):
    """Yields the lines of the report."""
    published = {name: score(games, SCORED) or 0 for name, games in models.items()}
    width = max(len(name) for name in models)
    yield f"{'model':{width}}  scored  draws  illegal  published  as losses"
    for name in sorted(models, key=published.get, reverse=True):
        games = models[name]
        losses = score(games, ("total_games",)) or 0
        yield (f"{name:{width}}  {total(games, *SCORED):6}  {total(games, 'draws'):5}"
               f"  {total(games, 'gpt_faults'):7}  {published[name]:9.2f}  {losses:9.2f}")
    scored, draws, illegal, stuck = (
        sum(total(games, *keys) for games in models.values())
        for keys in (SCORED, ("draws",), ("gpt_faults",), ("agent_faults",)))
    by_game = {}
    for games in models.values():
        for game, counts in games.items():
            by_game.setdefault(game, []).append(counts)
    drawn = [game for game, all_counts in by_game.items() if any(c["draws"] for c in all_counts)]
    always = [game for game in drawn if not any(
        c["gpt_wins"] or c["agent_wins"] for c in by_game[game])]
    yield ""
    yield f"{draws} of {scored} scored plays are draws, in {len(drawn)} games"
    yield f"only draws for every model: {' '.join(sorted(always, key=int)) or 'none'}"
    yield f"{illegal} plays with illegal answers are not scored, nor {stuck} of the opponent's"


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: python3 ggbench.py FOLDER, the folder results of a checkout of gg-bench")
    models = read(sys.argv[1])
    if not models:
        sys.exit(f"{sys.argv[1]}: no result files MODEL_eval_DATE.json")
    for line in report(models):
        print(line)


if __name__ == "__main__":
    main()
