"""The examples of the project that use this package, with scripted models."""
import importlib.util
import os
import tempfile
import unittest
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from inspect_ai.model import ModelOutput, ModelUsage, get_model

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Examples(unittest.TestCase):
    def test_play(self) -> None:
        with redirect_stdout(StringIO()) as out:
            result = load("python_play").main("beginner")
        self.assertIn(result, ("p1win", "p2win", "draw"))
        self.assertIn("regret", out.getvalue())

    def test_inspect(self) -> None:
        def output(*_: Any) -> ModelOutput:
            made = ModelOutput.from_content("mockllm/model", "MOVE: 1a")
            made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
            return made
        with tempfile.TemporaryDirectory() as folder, redirect_stdout(StringIO()) as out:
            os.environ.update(INSPECT_DISPLAY="none", INSPECT_LOG_DIR=folder)
            log = load("python_inspect").main(
                get_model("mockllm/model", custom_outputs=output), items=2)
        self.assertEqual(log.status, "success")
        self.assertIn("dilemma", out.getvalue())

    def test_page(self) -> None:
        """The code of docs/python.md runs, apart from that which needs a model."""
        page = (EXAMPLES.parent / "docs" / "python.md").read_text("utf-8")
        blocks = [b.split("```")[0] for b in page.split("```python\n")[1:]]
        self.assertEqual(len(blocks), 4)
        for block in blocks:
            if "openai/" not in block:
                with redirect_stdout(StringIO()):
                    exec(block, {})

    def test_train(self) -> None:
        """Play gets better: the last games give away less than a third of what the first do."""
        with redirect_stdout(StringIO()):
            regrets = load("python_train").main(400, "dilemma pool=1-6 width=2")
        self.assertLess(3 * sum(regrets[-80:]), sum(regrets[:80]))


if __name__ == "__main__":
    unittest.main()
