"""What `deploy/` describes is this product: its commands, options and settings are there, and nothing runs as root."""

from __future__ import annotations

import re
import shlex
import signal
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from assistant.commands import cli
from assistant.ending import Ended
from launcher.start import start
from rag_system.settings import Settings, variable
from ui.serving.door import HEALTH

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
KUBERNETES = yaml.safe_load((DEPLOY / "kubernetes" / "legajo.yaml").read_text(encoding="utf-8"))["items"]
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
IMAGE = (DEPLOY / "Containerfile").read_text(encoding="utf-8")


def pods() -> Iterator[dict[str, Any]]:
    """What each workload runs."""
    return (each["spec"]["template"]["spec"] for each in KUBERNETES if "template" in each.get("spec", {}))


def started() -> Iterator[list[str]]:
    """The words after `legajo` of each thing that is started."""
    yield tomllib.loads("x=" + IMAGE.rsplit("CMD ", 1)[1])["x"]
    yield from (each["command"] for each in COMPOSE["services"].values() if "command" in each)
    yield from (container["args"] for pod in pods() for container in pod["containers"])
    for unit in UNITS:
        yield shlex.split(re.findall(r"^ExecStart=(.*)$", unit.read_text(encoding="utf-8"), re.MULTILINE)[0])[1:]


def variables() -> Iterator[str]:
    """The settings that are given in the environment."""
    for service in COMPOSE["services"].values():
        yield from service.get("environment", {})
    yield from (name for each in KUBERNETES if each["kind"] == "ConfigMap" for name in each["data"])
    yield from re.findall(r"\b(LEGAJO_[A-Z_]+)=", IMAGE)
    for unit in UNITS:
        yield from re.findall(r"^Environment=([A-Z_]+)=", unit.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("words", list(started()), ids=" ".join)
def test_what_is_started_is_a_command_with_its_options(words: list[str]) -> None:
    name, *options = words
    command = start if name == "serve" else cli.commands[name]
    command.make_parser(click.Context(command)).parse_args(list(options))


def test_each_variable_is_a_setting_or_of_another_program() -> None:
    ours = {variable(name) for name in Settings.model_fields}
    assert {name for name in variables() if not name.startswith("POSTGRES_")} <= ours | {"FORWARDED_ALLOW_IPS"}


def test_nothing_runs_as_root_or_writes_where_it_should_not() -> None:
    assert re.findall(r"^USER (.*)$", IMAGE, re.MULTILINE)[-1] == "10001:10001"
    for service in COMPOSE["services"].values():
        if "legajo" in service["image"]:
            assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    for pod in pods():
        assert pod["securityContext"]["runAsNonRoot"]
        assert all(each["securityContext"]["readOnlyRootFilesystem"] for each in pod["containers"])
    assert all("\nUser=legajo\n" in unit.read_text(encoding="utf-8") for unit in UNITS)


def test_the_image_is_built_in_the_format_that_knows_its_health_check() -> None:
    guide = (ROOT / "docs" / "how-to" / "instalar.md").read_text(encoding="utf-8")
    for text in (IMAGE, guide):
        builds = re.findall("podman build .*", text)
        assert builds
        assert all("--format docker" in each for each in builds)


def test_what_is_kept_beside_the_database_is_where_nobody_else_writes() -> None:
    """A file system in memory, and what Kubernetes lends to a group, can be written by others."""
    (home,) = re.findall(r"LEGAJO_HOME=(\S+)", IMAGE)
    assert f"VOLUME {home}\n" in IMAGE
    assert set(re.findall(r"--(?:uid|gid|owner|group) (\S+)", IMAGE)) == {"10001"}
    for service in COMPOSE["services"].values():
        if "legajo" in service["image"]:
            assert home not in service["tmpfs"]
    (settings,) = (each["data"] for each in KUBERNETES if each["kind"] == "ConfigMap")
    own = Path(settings["LEGAJO_HOME"])
    for pod in pods():
        for container in pod["containers"]:
            mounted = {Path(each["mountPath"]) for each in container["volumeMounts"]}
            assert own not in mounted
            assert own.parent in mounted


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_unit_that_is_stopped_has_not_failed_and_ends_itself_what_it_started(unit: Path) -> None:
    said = unit.read_text(encoding="utf-8").splitlines()
    assert f"SuccessExitStatus={Ended(signal.SIGTERM).exit_code}" in said
    assert "KillMode=mixed" in said


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_unit_leaves_the_reader_of_files_what_it_gives_its_own_rights_up_with(unit: Path) -> None:
    """Older versions of systemd leave those of Landlock out of `@system-service`, and do not know `@sandbox`."""
    (calls,) = re.findall(r"^SystemCallFilter=(.*)$", unit.read_text(encoding="utf-8"), re.MULTILINE)
    landlock = {f"landlock_{each}" for each in ("create_ruleset", "add_rule", "restrict_self")}
    assert set(calls.split()) == {"@system-service", *landlock}


def test_all_units_are_kept_within_the_same_bounds() -> None:
    (bounds,) = {unit.read_text(encoding="utf-8").partition("# It reads documents of anybody")[2] for unit in UNITS}
    assert "NoNewPrivileges=yes" in bounds


def test_a_chat_is_let_in_once_it_can_answer_and_asked_without_a_token_whether_it_lives() -> None:
    (chat,) = (each for pod in pods() for each in pod["containers"] if "startupProbe" in each)
    probes = {name: each["httpGet"]["path"] for name, each in chat.items() if name.endswith("Probe")}
    assert probes == {"startupProbe": "/ready", "readinessProbe": HEALTH, "livenessProbe": HEALTH}
    assert HEALTH in IMAGE
