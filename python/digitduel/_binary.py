"""Finding the program."""
import os
import shutil
import sys
from pathlib import Path


def binary() -> str:
    """The path of the program duel: DUEL_BINARY, the one in the wheel, or one on the path."""
    chosen = os.environ.get("DUEL_BINARY")
    if chosen:
        return chosen
    name = "duel.exe" if sys.platform == "win32" else "duel"
    inside = Path(__file__).parent / "bin" / name
    if inside.is_file():
        return str(inside)
    found = shutil.which("duel")
    if found is None:
        raise FileNotFoundError(
            "the program duel was not found: install the wheel for this platform, put duel on "
            "the path, or set DUEL_BINARY"
        )
    return found
