"""What one person has on a shared machine: their keys are theirs, and they hear of what is not."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from assistant.doctor import examine
from rag_system.errors import ConfigurationError
from rag_system.privacy import exposed, keep_private
from rag_system.settings import load_settings


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEGAJO_HOME", str(tmp_path))
    tmp_path.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o666, 0o604])
def test_keys_that_others_could_read_are_ours_alone_once_they_were_read(home: Path, mode: int) -> None:
    (home / ".env").write_text("GROQ_API_KEY=gsk-de-prueba\n", encoding="ascii")
    (home / ".env").chmod(mode)
    load_settings()
    assert _mode(home / ".env") == 0o600


@pytest.mark.parametrize("mode", [0o600, 0o400])
def test_what_is_private_stays_as_it_is(tmp_path: Path, mode: int) -> None:
    file = tmp_path / ".env"
    file.touch()
    file.chmod(mode)
    keep_private(file)
    keep_private(tmp_path / "nada")
    assert _mode(file) == mode


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_file_of_somebody_else_is_told_not_changed(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.touch()
    file.chmod(0o644)
    os.chown(file, 12345, 12345)
    keep_private(file)
    assert _mode(file) == 0o644
    assert [str(file) in sentence for sentence in exposed([file], tmp_path)] == [True]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize(("owner", "mode", "planted"), [(12345, 0o777, True), (12345, 0o755, False), (0, 0o777, False)])
def test_settings_that_another_user_may_have_put_there_are_refused(
    home: Path, owner: int, mode: int, *, planted: bool
) -> None:
    file = home / ".env"
    file.write_text("LLM_PROVIDER=local\nLLM_BASE_URL=http://ajeno.example/v1\n", encoding="utf-8")
    os.chown(file, owner, owner)
    home.chmod(mode)
    if planted:
        with pytest.raises(ConfigurationError, match="es de otro usuario"):
            load_settings()
    else:
        assert load_settings().llm_provider == "local"


@pytest.mark.parametrize(("mode", "told"), [(0o700, 0), (0o755, 0), (0o775, 1), (0o777, 1)])
def test_a_folder_that_others_can_change_is_told(home: Path, mode: int, told: int) -> None:
    home.chmod(mode)
    assert len(list(exposed([], home))) == told
    configuration = next(finding for finding in examine() if finding.check == "Privacidad")
    assert configuration.ok is not bool(told)
    assert (str(home) in configuration.detail) is bool(told)
