"""Archives, messages and locked PDF files become the documents that they bring; two of a name never become one."""

from __future__ import annotations

import io
import logging
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from email.message import EmailMessage
from io import BytesIO
from pathlib import Path

import pytest
from psycopg import sql
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from assistant.ingesting import Passwords, remove_documents
from assistant.project_assistant import ProjectAssistant
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import NotFoundError
from rag_system.ingestion import unpacking
from rag_system.ingestion.report import IngestReport
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from tests.fakes.compound_file import compound_file
from tests.indexing import opened_project, project_of, upload

PASSWORD = "secreta"
TEXT = "El plazo para el trámite número {} es de {} días hábiles."

_ENTRY = b"PK\x01\x02\x14\x03\x14\0"  # of an archive's directory; its flags follow, of which the first says «encrypted»


def note(number: int) -> bytes:
    return TEXT.format(number, number).encode()


def archive(files: Mapping[str, bytes], *, encrypted: bool = False) -> bytes:
    with zipfile.ZipFile(buffer := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in files.items():
            package.writestr(name, data)
    data = buffer.getvalue()
    return data.replace(_ENTRY + b"\0\0", _ENTRY + b"\1\0") if encrypted else data


def message(subject: str = "Plazos", *attached: tuple[str, bytes], html: str = "") -> bytes:
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["To"] = subject, "Ana Quispe <ana@empresa.pe>", "beto@empresa.pe"
    mail["Date"] = "Tue, 03 Feb 2026 14:05:00 -0500"
    mail.set_content("Les adjunto lo acordado en la reunión.")
    if html:
        mail.add_alternative(html, subtype="html")
    for name, data in attached:
        mail.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return mail.as_bytes()


def locked(text: str = "Su saldo es de 300 soles.", password: str = PASSWORD) -> bytes:
    canvas = Canvas(buffer := io.BytesIO(), encrypt=StandardEncryption(password, ownerPassword="otra"), invariant=True)
    canvas.drawString(72, 700, text)
    canvas.save()
    return buffer.getvalue()


@pytest.fixture
def assistant(settings: Settings) -> Iterator[ProjectAssistant]:
    with opened_project(settings, embeddings=HashEmbeddings()) as opened:
        yield opened


def told(reports: Iterable[IngestReport]) -> dict[str, str]:
    """What became of each path."""
    return {report.path: report.status for report in reports}


def paths(assistant: ProjectAssistant) -> list[str]:
    return [document.path for document in assistant.library.all()]


# ---------------------------------------------------------------- what is inside


def test_what_an_archive_and_a_message_bring_are_documents_below_them(
    assistant: ProjectAssistant, tmp_path: Path
) -> None:
    mail = message("Plazos", ("acta ñ.txt", note(1)))
    inside = {"sub/uno.txt": note(2), "correo.eml": mail, "../../fuera.txt": note(3), "C:\\docs\\dos.txt": note(4)}
    (tmp_path / "carpeta.zip").write_bytes(archive({**inside, ".git/x": b"x", "__MACOSX/y": b"x"}))
    (tmp_path / "suelto.eml").write_bytes(mail)
    assert told(assistant.library.add([tmp_path])) == {
        "carpeta.zip/sub/uno.txt": "indexed",
        "carpeta.zip/correo.eml": "indexed",
        "carpeta.zip/correo.eml/acta ñ.txt": "indexed",
        "carpeta.zip/fuera.txt": "indexed",
        "carpeta.zip/C:/docs/dos.txt": "indexed",
        "suelto.eml": "indexed",
        "suelto.eml/acta ñ.txt": "indexed",
    }
    (found,) = [each for each in assistant.library.all() if each.path == "suelto.eml"]
    assert (found.title, found.format, found.container) == ("Plazos", "eml", "")
    original = assistant.originals.find("carpeta.zip/correo.eml/acta ñ.txt")
    assert original is not None
    assert assistant.originals.content(original) == note(1)
    assert set(told(assistant.library.add([tmp_path])).values()) == {"unchanged"}


def test_an_archive_that_changed_changes_adds_and_removes_its_documents(
    assistant: ProjectAssistant, tmp_path: Path
) -> None:
    file = tmp_path / "normas.zip"
    file.write_bytes(archive({"uno.txt": note(1), "dos.txt": note(2), "tres.txt": note(3)}))
    list(assistant.library.add([file]))
    file.write_bytes(archive({"uno.txt": note(1), "dos.txt": note(20), "cuatro.txt": note(4)}))
    assert told(assistant.library.add([file])) == {
        "normas.zip/uno.txt": "unchanged",
        "normas.zip/dos.txt": "updated",
        "normas.zip/tres.txt": "removed",
        "normas.zip/cuatro.txt": "indexed",
    }
    assert paths(assistant) == ["normas.zip/cuatro.txt", "normas.zip/dos.txt", "normas.zip/uno.txt"]


def test_a_message_is_removed_with_what_came_with_it_and_an_archive_by_its_path(
    assistant: ProjectAssistant, tmp_path: Path
) -> None:
    (tmp_path / "correo.eml").write_bytes(message("Plazos", ("uno.txt", note(1))))
    (tmp_path / "normas.zip").write_bytes(archive({"uno.txt": note(2), "dos.txt": note(3)}))
    list(assistant.library.add([tmp_path]))
    with pytest.raises(NotFoundError):
        list(remove_documents(assistant, [""]))
    removed = [each.path for each in remove_documents(assistant, ["normas.zip", "correo.eml"])]
    assert sorted(removed) == ["correo.eml", "correo.eml/uno.txt", "normas.zip/dos.txt", "normas.zip/uno.txt"]
    assert paths(assistant) == []
    list(assistant.library.add([tmp_path / "correo.eml"]))
    (mail,) = [each for each in assistant.library.all() if each.path == "correo.eml"]
    assert assistant.library.remove(mail.document_id)
    assert paths(assistant) == []


def _bomb() -> bytes:
    return archive({"ceros.txt": bytes(80 * 2**20)})


def _deep(levels: int) -> bytes:
    data = note(1)
    for _ in range(levels):
        data = archive({"mas.zip" if data.startswith(b"PK") else "uno.txt": data})
    return data


HOSTILE: dict[str, tuple[Callable[[], bytes], dict[str, str]]] = {  # what each path is told
    "bomba.zip": (_bomb, {"bomba.zip": "se expande más"}),
    "matrioska.zip": (lambda: _deep(5), {"matrioska.zip/mas.zip/mas.zip/mas.zip": "dentro de otros"}),
    "cortado.zip": (lambda: archive({"uno.txt": note(1)})[:-30], {"cortado.zip": "dañado"}),
    "cifrado.zip": (lambda: archive({"uno.txt": note(1)}, encrypted=True), {"cifrado.zip": "contraseña"}),
    "vacio.zip": (lambda: archive({}), {"vacio.zip": "no contiene documentos"}),
    "oculto.zip": (lambda: archive({".a": b"x", "../..": b"x", "/": b""}), {"oculto.zip": "no contiene documentos"}),
    "miente.zip": (lambda: note(9), {"miente.zip": "no se admite"}),
    "soy-zip.txt": (lambda: archive({"uno.txt": note(1)}), {"soy-zip.txt/uno.txt": ""}),
    "soy-correo.txt": (lambda: message("Plazos"), {"soy-correo.txt": ""}),
    "mezcla.zip": (
        lambda: archive(
            {"bueno.txt": note(1), "malo.zip": b"PK\x03\x04" + bytes(40), "x.exe": b"MZ\x90\0" + bytes(99)}
        ),
        {"mezcla.zip/bueno.txt": "", "mezcla.zip/malo.zip": "dañado", "mezcla.zip/x.exe": "no se admite"},
    ),
    "cabeceras.eml": (
        lambda: b"From: a\nSubject: =?utf-8?q?=\nDate: ayer\nContent-Type: ;;\n\nHola a todos.",
        {"cabeceras.eml": ""},
    ),
    "partes.eml": (
        lambda: b"From: a\nTo: b\nContent-Type: multipart/mixed; boundary=x\n\n--x\n--x\n",
        {"partes.eml": ""},
    ),
    "cortado.msg": (
        lambda: compound_file({"__properties_version1.0": bytes(64), "__substg1.0_1000001F": b"h\0" * 9_000})[:900],
        {"cortado.msg": "dañado"},
    ),
}


def test_each_hostile_container_gets_one_line_and_the_rest_goes_on(assistant: ProjectAssistant, tmp_path: Path) -> None:
    for name, (content, _) in HOSTILE.items():
        (tmp_path / name).write_bytes(content())
    reports = {report.path: report for report in assistant.library.add([tmp_path])}
    wanted = {path: part for _, expected in HOSTILE.values() for path, part in expected.items()}
    assert set(reports) == set(wanted)
    for path, part in wanted.items():
        assert part in reports[path].error, path
        assert (reports[path].status in ("indexed", "empty")) is (not part), reports[path]
        assert "\n" not in reports[path].error


def test_a_file_that_brings_too_much_brings_nothing(
    assistant: ProjectAssistant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {f"{number}.txt": note(number) for number in range(4)}
    (tmp_path / "a.zip").write_bytes(archive({"dentro.zip": archive(files)}))
    for limit, value in (("_MOST_DOCUMENTS", 3), ("_MOST_BYTES", 400)):
        with monkeypatch.context() as patch:
            patch.setattr(unpacking, limit, value)
            (report,) = assistant.library.add([tmp_path / "a.zip"])
        assert (report.path, report.status) == ("a.zip", "failed")
        assert "contiene más de lo que se admite" in report.error
    assert assistant.library.ingestions() == []
    assert set(told(assistant.library.add([tmp_path / "a.zip"])).values()) == {"indexed"}


# ---------------------------------------------------------------- two of a name


def test_two_files_of_a_name_from_different_folders_are_kept_both(assistant: ProjectAssistant, tmp_path: Path) -> None:
    for number, folder in enumerate("ab", 1):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "contrato.txt").write_bytes(note(number))
    first, second = (tmp_path / folder / "contrato.txt" for folder in "ab")
    assert told(assistant.library.add([first])) == {"contrato.txt": "indexed"}
    (report,) = assistant.library.add([second])
    assert (report.path, report.status, report.beside) == ("contrato (2).txt", "indexed", "contrato.txt")
    for number, (file, path) in enumerate(((first, "contrato.txt"), (second, "contrato (2).txt")), 3):
        file.write_bytes(note(number))
        assert told(assistant.library.add([file])) == {path: "updated"}
    assert told(assistant.library.add([tmp_path / "a", tmp_path / "b"])) == {
        "contrato.txt": "unchanged",
        "contrato (2).txt": "unchanged",
    }
    assert told(assistant.library.add([second], same_name="replace")) == {"contrato.txt": "updated"}


def test_the_same_file_by_another_name_of_its_folder_is_the_same(assistant: ProjectAssistant, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "enlace").symlink_to(tmp_path / "real")
    (tmp_path / "real" / "uno.txt").write_bytes(note(1))
    list(assistant.library.add([tmp_path / "real"]))
    (tmp_path / "real" / "uno.txt").write_bytes(note(2))
    assert told(assistant.library.add([tmp_path / "enlace"])) == {"uno.txt": "updated"}


def test_two_archives_of_a_name_keep_their_documents_apart(assistant: ProjectAssistant, tmp_path: Path) -> None:
    for number, folder in enumerate("ab", 1):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "normas.zip").write_bytes(archive({f"{folder}.txt": note(number)}))
        list(assistant.library.add([tmp_path / folder]))
    assert paths(assistant) == ["normas (2).zip/b.txt", "normas.zip/a.txt"]
    assert set(told(assistant.library.add([tmp_path / "b"])).values()) == {"unchanged"}


def test_the_chat_asks_before_one_upload_takes_anothers_place(assistant: ProjectAssistant) -> None:
    assert upload(assistant, "acta.txt", note(1)).status == "indexed"
    (asked,) = assistant.library.accept_stream("acta.txt", BytesIO(note(2)))
    assert asked.report is not None
    assert (asked.report.status, asked.report.code) == ("failed", "same_name")
    assert assistant.library.ingestions() == []
    (kept,) = assistant.library.accept_stream("acta.txt", BytesIO(note(2)), same_name="keep")
    list(assistant.library.see_through({kept.ingestion_id: kept.path}))
    assert paths(assistant) == ["cargados/acta (2).txt", "cargados/acta.txt"]
    (again,) = assistant.library.accept_stream("acta.txt", BytesIO(note(1)))
    assert again.report is not None
    assert again.report.status == "unchanged"
    assert upload(assistant, "acta.txt", note(3)).status == "updated"
    assert len(paths(assistant)) == 2


def test_one_that_still_waits_has_its_name_too(database: Database, settings: Settings) -> None:
    from assistant.assistant import Assistant

    project = project_of(Assistant(database=database, settings=settings, embeddings=HashEmbeddings()))
    (waiting,) = project.library.accept_stream("acta.txt", BytesIO(note(1)))
    assert waiting.ingestion_id
    (asked,) = project.library.accept_stream("acta.txt", BytesIO(note(2)))
    assert asked.report is not None
    assert asked.report.code == "same_name"
    assert [each.ingestion_id for each in project.library.ingestions()] == [waiting.ingestion_id]


# ---------------------------------------------------------------- passwords


def test_a_locked_pdf_is_kept_open_and_its_password_nowhere(
    assistant: ProjectAssistant, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    (tmp_path / "saldo.pdf").write_bytes(locked())
    (refused,) = assistant.library.add([tmp_path / "saldo.pdf"])
    assert (refused.status, refused.code) == ("failed", "password_needed")
    passwords = Passwords(known=["secreta"])
    assert told(assistant.library.add([tmp_path / "saldo.pdf"], password_of=passwords)) == {"saldo.pdf": "indexed"}
    assert told(assistant.library.add([tmp_path / "saldo.pdf"], password_of=passwords)) == {"saldo.pdf": "unchanged"}
    original = assistant.originals.find("saldo.pdf")
    assert original is not None
    assert b"/Encrypt" not in assistant.originals.content(original)
    assert assistant.originals.page(original, 1, quotes=["saldo es de 300"]).marks
    assert list(assistant.library.reindex()) == []
    assert "secreta" not in caplog.text
    assert not _stored(assistant, "secreta")


def _stored(assistant: ProjectAssistant, secret: str) -> list[str]:
    """The tables in which a word stands."""
    tables = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
    row = "SELECT EXISTS (SELECT FROM {} AS t WHERE t::text LIKE %s)"
    with assistant._database.as_login() as owner:
        return [
            name
            for (name,) in owner.execute(tables).fetchall()
            if owner.execute(sql.SQL(row).format(sql.Identifier(name)), (f"%{secret}%",)).fetchone() == (True,)
        ]


def test_a_password_is_asked_once_and_again_when_it_is_wrong(assistant: ProjectAssistant, tmp_path: Path) -> None:
    for name, password in (("a.pdf", "secreta"), ("b.pdf", "secreta"), ("c.pdf", "distinta")):
        (tmp_path / name).write_bytes(locked(f"Saldo de {name}.", password))
    answers = iter(["mala", "secreta", ""])
    asked: list[str] = []

    def ask(sentence: str) -> str:
        asked.append(sentence)
        return next(answers)

    reports = {report.path: report for report in assistant.library.add([tmp_path], password_of=Passwords(ask=ask))}
    assert [reports[name].status for name in ("a.pdf", "b.pdf", "c.pdf")] == ["indexed", "indexed", "failed"]
    assert reports["c.pdf"].code == "password_refused"
    assert ["«a.pdf»" in asked[0], "no lo abre" in asked[1], "«c.pdf»" in asked[2]] == [True, True, True]
    assert len(asked) == 3


def test_the_chat_asks_for_a_password(assistant: ProjectAssistant) -> None:
    for password, code in (("", "password_needed"), ("mala", "password_refused")):
        (asked,) = assistant.library.accept_stream("saldo.pdf", BytesIO(locked()), password=password)
        assert asked.report is not None
        assert asked.report.code == code
    assert upload(assistant, "saldo.pdf", locked(), password="secreta").status == "indexed"


def test_a_locked_attachment_is_told_in_its_place(assistant: ProjectAssistant, tmp_path: Path) -> None:
    (tmp_path / "banco.eml").write_bytes(message("Su estado de cuenta", ("saldo.pdf", locked())))
    reports = {report.path: report for report in assistant.library.add([tmp_path])}
    assert (reports["banco.eml"].status, reports["banco.eml/saldo.pdf"].code) == ("indexed", "password_needed")
    passwords = Passwords(known=["secreta"])
    again = told(assistant.library.add([tmp_path], password_of=passwords))
    assert again == {"banco.eml": "unchanged", "banco.eml/saldo.pdf": "indexed"}
