"""A real nginx before the chat, with a server of the product's own configuration; each request leaves a line."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.faults.processes import until

__all__ = ["ACCESS", "NGINX", "configured", "running"]

NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
ACCESS = "access.log"  # who was asked, in their order, and what
_CONFIGURATION = """\
user {user};
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{}}
http {{
    log_format asked '$upstream_addr $status $uri';
    access_log {folder}/{access} asked;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {written}
}}
"""


def configured(written: str, here: dict[str, str]) -> str:
    """What is written for an organisation, with the addresses and files of a test."""
    for said, instead in here.items():
        assert said in written
        written = written.replace(said, instead)
    return written


@contextmanager
def running(folder: Path, written: str) -> Iterator[None]:
    """With what stands in the `http` block."""
    assert NGINX is not None
    user = pwd.getpwuid(os.geteuid()).pw_name
    (file := folder / "nginx.conf").write_text(
        _CONFIGURATION.format(user=user, folder=folder, access=ACCESS, written=written), encoding="utf-8"
    )
    with subprocess.Popen([NGINX, "-e", str(folder / "error.log"), "-c", str(file)]) as nginx:
        try:
            until(lambda: (folder / "pid").exists() or nginx.poll() is not None, "nginx starts")
            yield
        finally:
            nginx.terminate()
