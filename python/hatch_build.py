"""Puts the program into a wheel for one platform.

DUEL_WHEEL_PROGRAM is the program, and DUEL_WHEEL_PLATFORM the platform of the
wheel. Without them the wheel has no program, and looks for one on the path.
"""
import os
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ProgramHook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        program = os.environ.get("DUEL_WHEEL_PROGRAM")
        if self.target_name != "wheel" or not program:
            return
        platform = os.environ["DUEL_WHEEL_PLATFORM"]
        name = "duel.exe" if platform.startswith("win") else "duel"
        build_data["force_include"][program] = f"digitduel/bin/{name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"
