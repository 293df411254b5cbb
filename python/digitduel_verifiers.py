"""The plugin of verifiers, which finds plugins by the names of modules."""
from digitduel.verifiers import (
    DuelData, DuelEnv, DuelEnvConfig, DuelHarness, DuelTask, DuelTaskset, DuelTasksetConfig,
)

__all__ = [
    "DuelData", "DuelEnv", "DuelEnvConfig", "DuelHarness", "DuelTask", "DuelTaskset",
    "DuelTasksetConfig",
]
