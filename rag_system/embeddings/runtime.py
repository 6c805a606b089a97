"""OpenVINO without its telemetry. Nothing else imports `openvino`.

Left alone, importing it writes a client id to `~/intel` and forks a process that reports to Google Analytics: not in a
program that promises to work with private documents and without a network. Where the reporting package cannot be
imported, OpenVINO uses an empty stand-in of its own.
"""

from __future__ import annotations

import sys

sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]

import openvino as ov  # noqa: E402
from openvino import opset13 as op  # noqa: E402

__all__ = ["op", "ov"]
