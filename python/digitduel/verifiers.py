"""An environment for verifiers, with an exact reward for every turn.

    vf-eval digitduel-verifiers

A trace gets the reward ``score`` (1, 0.5 or 0) and the metric ``regret``, and in
``info["turn_rewards"]`` minus the regret of each of its moves. A forfeit is a
turn that gives away the value of its position.
"""
from __future__ import annotations

import random
import ssl
from collections.abc import Iterable
from typing import Any

import httpx
import verifiers.v1 as vf

from . import Engine, Game
from ._start import starts

_engine = Engine()
_tls = ssl.create_default_context()  # loading the certificates takes long


class DuelData(vf.TaskData):
    rules: str
    start: str
    side: str


class DuelTask(vf.Task[DuelData]):
    """A game from a start, in which the model has one side."""


class DuelTasksetConfig(vf.TasksetConfig):
    rules: list[str] = ["dilemma"]
    games: int = 50  #: starts for each of the rules; the model has either side once
    seed: int = 1


class DuelTaskset(vf.Taskset[DuelTask, DuelTasksetConfig]):
    def load(self) -> Iterable[DuelTask]:
        c = self.config
        for rules in c.rules:
            system = _engine.game(rules).prompt()[0]["content"]
            for start in starts(_engine, rules, c.games, c.seed):
                for side in ("first", "second"):
                    yield DuelTask(DuelData(
                        rules=rules, start=start, side=side, system_prompt=system,
                        name=f"{rules} {start} {side}"))


class DuelHarness(vf.Harness[vf.HarnessConfig]):
    """Sends the conversation to the model, in this process and without tools."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(self, ctx: vf.ModelContext, trace: vf.Trace[Any], runtime: vf.Runtime,
                     endpoint: str, secret: str, mcp_urls: dict[str, str],
                     data: vf.TaskData) -> vf.ProgramResult:
        system, prompt = self.resolve_prompt(data)
        messages = [{"role": "system", "content": system}] if system else []
        if isinstance(prompt, str):
            messages.append({"role": "user", "content": prompt})
        elif prompt is not None:
            messages += [{"role": m.role, "content": str(m.content)} for m in prompt]
        async with httpx.AsyncClient(timeout=None, verify=_tls) as client:
            answer = await client.post(
                endpoint.rstrip("/") + "/chat/completions",
                json={"model": ctx.model, "messages": messages},
                headers={"Authorization": f"Bearer {secret}"})
        failed = "" if answer.is_success else f"{answer.status_code} {answer.text}"
        return vf.ProgramResult(exit_code=int(bool(failed)), stdout="", stderr=failed)


class DuelEnvConfig(vf.EnvConfig):
    #: It plays by the harness of this module, which needs no sandbox.
    player: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())
    opponent: str = "perfect"  #: a level, from beginner to perfect
    retries: int = 2  #: further tries after an answer that is no legal move


class DuelEnv(vf.Env[DuelEnvConfig]):
    async def run(self, task: DuelTask, agents: vf.Agents[Any]) -> None:
        d = task.data
        game = _engine.game(d.rules, d.start)
        chance = random.Random(f"{d.rules} {d.start} {d.side}")
        rewards: list[float] = []
        async with agents.player.interaction(task) as talk:
            fault, score = "", 0.0
            while game.result is None and not fault:
                if game.turn != d.side:
                    game = game.play(game.reply(self.config.opponent, chance.getrandbits(32)))
                    continue
                move, fault = await self._ask(game, talk)
                lost = game.value().points
                if not fault:
                    lost = next(c.regret for c in game.choices() if c.move == move)
                    game = game.play(move)
                rewards.append(-lost)
            if not fault:
                score = game.points("first" if d.side == "first" else "second")
            talk.trace.record_reward("score", score, 1.0)
            talk.trace.record_metric("regret", -sum(rewards))
            talk.trace.info["turn_rewards"] = rewards
            talk.trace.info["fault"] = fault

    async def _ask(self, game: Game, talk: vf.Interaction) -> tuple[str, str]:
        """The move of the model, or the fault by which it loses."""
        text = game.prompt()[1]["content"]
        fault = "silent"
        for _ in range(self.config.retries + 1):
            segment = await talk.turn(text)
            if segment.terminated:
                return "", fault
            read = game.read(segment.last_reply or "")
            if read.move is not None:
                return read.move, ""
            fault = read.fault or "unreadable"
            text = (f"That cannot be played: {read.reason}. Answer again, and end with the line "
                    "MOVE: ...")
        return "", fault
