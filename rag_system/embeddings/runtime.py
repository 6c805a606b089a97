"""OpenVINO without its telemetry. Nothing else imports `openvino`.

Left alone, importing it writes a client id to `~/intel` and forks a process that reports to Google Analytics: not in a
program that promises to work with private documents and without a network. Where the reporting package cannot be
imported, OpenVINO uses an empty stand-in of its own.

Its bindings look for numpy at the first array that they are given, and two threads that give them their first ones at
the same time wait for each other for ever: one holds the interpreter, the other what numpy is kept in. So the first
array is given here, where the import lock lets nobody else by.
"""

from __future__ import annotations

import sys

sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]

import numpy as np  # noqa: E402
import openvino as ov  # noqa: E402
from openvino import opset13 as op  # noqa: E402

__all__ = ["op", "ov"]

ov.Tensor(np.zeros(1, dtype=np.float32))
