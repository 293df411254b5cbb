"""The program duel as an engine: one process that answers questions about positions."""
from __future__ import annotations

import json
import os
import subprocess
import threading
import time
import weakref
from dataclasses import dataclass
from typing import Any, Literal, cast

from ._binary import binary as find_binary
from ._game import Facts, Game, Result


class EngineError(RuntimeError):
    """The program ended, did not answer in time, or refused a question."""


@dataclass(frozen=True)
class Rules:
    """The parts of the rules that decide how moves and positions are written."""

    rules: str
    digits: str
    place: Literal["slots", "ends", "hand"]
    width: int  #: the number of digits that fill a number


class _Process:
    """A running engine. A watchdog kills it when an answer is overdue, which ends a read."""

    def __init__(self, command: list[str], timeout: float) -> None:
        try:
            self.child = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL)
        except OSError as err:
            raise EngineError(f"{command[0]}: cannot start: {err}") from err
        self.owner = os.getpid()
        self.deadline: float | None = None
        self.late = False
        self.rules = ""
        self.disguise = "none"
        self.ended = threading.Event()
        threading.Thread(target=self._watch, args=(timeout / 20,), daemon=True).start()

    def _watch(self, interval: float) -> None:
        while not self.ended.wait(interval):
            deadline = self.deadline
            if deadline is not None and time.monotonic() > deadline:
                self.late = True
                self.child.kill()
                return

    def end(self) -> None:
        """End the process. A copy of it after a fork belongs to the other process."""
        self.ended.set()
        if self.owner != os.getpid():
            return
        self.child.kill()
        for pipe in (self.child.stdin, self.child.stdout):
            try:
                if pipe is not None:
                    pipe.close()
            except OSError:
                pass
        self.child.wait()


class Engine:
    """One process of the program duel, started when it is needed first.

    Threads may share an engine: questions are asked one at a time. After an
    :class:`EngineError` the next question starts another process.
    """

    def __init__(self, binary: str | None = None, timeout: float = 60) -> None:
        self._binary = binary or ""
        self._timeout = timeout
        self._lock = threading.Lock()
        self._process: _Process | None = None
        self._closed = False
        self._finalizer = weakref.finalize(self, lambda: None)

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process. Games of this engine can no longer be asked."""
        with self._lock:
            self._closed = True
            self._end()

    def game(self, rules: str = "dilemma", start: str = "",
             disguise: int | str | None = None) -> Game:
        """A game from the start, or from a position such as ``7_1/53_``."""
        words = "none" if disguise is None else str(disguise)
        facts = self._look(rules, start, None)
        return Game(rules, facts.position, (), facts, words, self)

    def rules(self, rules: str) -> Rules:
        """The parts of the rules of a game."""
        return Rules(**json.loads(self._ask(rules, "", "none", "query rules")[0]))

    def _look(self, rules: str, start: str, move: str | None) -> Facts:
        """The facts of a position, after a move if there is one."""
        fen, turn, result, legal = self._ask(
            rules, start, None, "query fen", "query p1turn", "query result", "query legal",
            move=move)
        return Facts(
            fen, "first" if turn == "true" else "second",
            None if result == "none" else cast(Result, result), tuple(legal.split()))

    def _query(self, rules: str, position: str, disguise: str, query: str) -> Any:
        """The answer to one query in JSON."""
        return json.loads(self._ask(rules, position, disguise, "query " + query)[0])

    def _ask(self, rules: str, position: str, disguise: str | None, *questions: str,
             move: str | None = None, options: tuple[str, ...] = ()) -> list[str]:
        """The answers to questions about a position. No disguise: it does not matter."""
        if "\n" in " ".join([rules, position, disguise or "", move or "", *options]):
            raise ValueError("a text for the engine has more than one line")
        with self._lock:
            process = self._running()
            lines = [f"setoption name {o}" for o in options]
            if process.rules != rules:
                lines.append(f"setoption name Rules value {rules}")
            if disguise is not None and process.disguise != disguise:
                lines.append(f"setoption name Disguise value {disguise}")
            lines.append(f"position fen {position}" if position else "position startpos")
            if move is not None:
                lines[-1] += f" moves {move}"
            lines += questions
            try:
                answers, refused = self._exchange(process, "\n".join(lines) + "\n", len(questions))
            except BaseException:  # also an interrupt, which leaves answers unread
                self._end()
                raise
            if refused or "unknown" in answers:
                process.rules = ""  # which of the lines were refused is not known
                raise EngineError(refused or f"{rules}: no answer to {questions[0]}")
            process.rules = rules
            if disguise is not None:
                process.disguise = disguise
            return answers

    def _exchange(self, process: _Process, text: str, count: int) -> tuple[list[str], str]:
        child = process.child
        answers: list[str] = []
        refused = ""
        assert child.stdin is not None and child.stdout is not None
        process.deadline = time.monotonic() + self._timeout
        try:
            child.stdin.write(text.encode())
            child.stdin.flush()
            while len(answers) < count:
                line = child.stdout.readline().decode()
                if not line.endswith("\n"):
                    raise EOFError
                word, _, rest = line.rstrip("\r\n").partition(" ")
                if word in ("response", "bestmove"):
                    answers.append(rest)
                elif rest.startswith("string "):
                    refused = refused or rest.removeprefix("string ")
        except (OSError, EOFError) as err:
            if process.late:
                raise EngineError(
                    f"{self._binary}: no answer in {self._timeout:g} s") from None
            code = child.wait()
            raise EngineError(f"{self._binary}: ended with code {code}") from err
        finally:
            process.deadline = None
        return answers, refused

    def _running(self) -> _Process:
        if self._closed:
            raise EngineError("the engine is closed")
        if self._process is not None and self._process.owner != os.getpid():
            self._process = None  # a fork: the process belongs to the parent
        if self._process is None:
            self._binary = self._binary or find_binary()
            self._process = _Process([self._binary, "engine"], self._timeout)
            self._finalizer.detach()
            self._finalizer = weakref.finalize(self, self._process.end)
        return self._process

    def _end(self) -> None:
        if self._process is not None:
            self._finalizer.detach()
            self._process.end()
            self._process = None
