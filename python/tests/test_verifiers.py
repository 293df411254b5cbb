"""The environment for verifiers, with the real library and a scripted model server."""
import asyncio
import json
import os
import threading
import unittest
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import verifiers.v1 as vf

from digitduel import Engine
from digitduel.verifiers import DuelEnv, DuelEnvConfig, DuelTask


class Model(ThreadingHTTPServer):
    """A chat server that answers by a function of the last question."""

    request_queue_size = 200
    daemon_threads = True

    def __init__(self, answer: Callable[[str], str]) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                text = answer(body["messages"][-1]["content"])
                sent = json.dumps({
                    "id": "1", "object": "chat.completion", "created": 1, "model": body["model"],
                    "choices": [{"index": 0, "finish_reason": "stop",
                                 "message": {"role": "assistant", "content": text}}],
                    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
                }).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(sent)))
                self.end_headers()
                self.wfile.write(sent)

            def log_message(self, *_: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Verifiers(unittest.TestCase):
    def rollouts(self, games: int, answer: Callable[[str], str]) -> list[vf.Trace]:
        server = Model(answer)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        env = DuelEnv(DuelEnvConfig.model_validate(
            {"taskset": {"id": "digitduel_verifiers", "games": games}, "opponent": "casual"}))
        url = f"http://127.0.0.1:{server.server_port}/v1"
        ctx = vf.ModelContext("scripted", vf.EvalClientConfig(base_url=url, api_key_var="NONE"))

        async def play() -> list[vf.Episode]:
            async with env.serving():
                tasks: list[DuelTask] = list(env.taskset)
                return await asyncio.gather(*(env.run_episode(t, ctx) for t in tasks))

        traces = []
        for episode in asyncio.run(play()):
            self.assertEqual([e.message for e in episode.errors], [])
            self.assertEqual([e.message for t in episode.traces for e in t.errors], [])
            traces += episode.traces
        self.assertEqual(len(traces), 2 * games)
        return traces

    def test_perfect(self) -> None:
        """Many rollouts at once of a model that never gives anything away."""
        with Engine() as engine:
            def best(question: str) -> str:
                rows = [line.split()[1:] for line in question.splitlines()[2:4]]
                return "MOVE: " + engine.game("dilemma", "/".join(map("".join, rows))).reply()
            for trace in self.rollouts(50 if os.environ.get("DUEL_NIGHTLY") else 10, best):
                self.assertEqual(trace.metrics["regret"], 0)
                self.assertEqual(sum(trace.info["turn_rewards"]), 0)
                self.assertEqual(trace.info["fault"], "")

    def test_turns(self) -> None:
        """Rewards of turns sum to minus the regret; a model without moves forfeits."""
        seen = set()
        for answer in (lambda q: "MOVE: 0a", lambda q: "Hm."):
            for trace in self.rollouts(5, answer):
                self.assertEqual(sum(trace.info["turn_rewards"]), -trace.metrics["regret"])
                self.assertIn(trace.rewards["score"].score, (0, 0.5, 1))
                seen.add(trace.info["fault"])
        self.assertLessEqual({"illegal", "unreadable"}, seen)


if __name__ == "__main__":
    unittest.main()
