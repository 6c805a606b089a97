"""A document is called otherwise, read anew and brought back, as the page of documents does it."""

from __future__ import annotations

import zipfile
from io import BytesIO

import pytest

from assistant.project_assistant import ProjectAssistant
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import InputError, NotFoundError
from rag_system.ingestion.jobs import Worker
from rag_system.settings import Settings
from tests.indexing import opened_project, upload

LAW = b"# Ley 27444\n\n## Articulo 5\n\nEl plazo para apelar es de quince dias habiles."
NEWER = LAW.replace(b"quince", b"veinte")
NAME = "Reglamento de patos silvestres"


def only(project: ProjectAssistant) -> tuple[str, str]:
    (document,) = project.library.all()
    return document.document_id, document.title


def seen_through(project: ProjectAssistant) -> None:
    list(project.library.see_through({each.ingestion_id: each.path for each in project.library.ingestions()}))


def test_a_given_title_is_shown_found_and_outlives_the_next_version_of_the_file(settings: Settings) -> None:
    with opened_project(settings) as project:
        upload(project, "ley.md", LAW)
        key, before = only(project)
        assert before != NAME
        project.shelf.rename(key, f"  {NAME}\n")
        assert only(project)[1] == NAME
        answer = project.ask("¿Qué plazo da el Reglamento de patos silvestres?")
        assert [each.document for each in answer.citations] == ["ley.md"]
        report = upload(project, "ley.md", NEWER)
        assert report.status == "updated"
        assert only(project)[1] == NAME
        assert project.ask("¿Cuál es el plazo para apelar?").evidence[0].chunk.title == NAME


@pytest.mark.parametrize("title", ["", " \n\t", "x" * 201])
def test_a_title_has_letters_and_an_end(settings: Settings, title: str) -> None:
    with opened_project(settings) as project:
        with pytest.raises(InputError, match="Escriba un título"):
            project.shelf.rename("00000000-0000-0000-0000-000000000000", title)
        with pytest.raises(NotFoundError):
            project.shelf.rename("00000000-0000-0000-0000-000000000000", "Ley")


def test_what_was_removed_comes_back_as_it_was_called(settings: Settings) -> None:
    with opened_project(settings) as project:
        upload(project, "ley.md", LAW)
        key, _ = only(project)
        project.shelf.rename(key, NAME)
        (path,) = (each.path for each in project.library.all())
        assert project.library.remove(key)
        assert (project.library.all(), project.library.ingestions()) == ([], [])
        assert project.shelf.restore(path) == 1
        seen_through(project)
        assert only(project)[1] == NAME
        with pytest.raises(NotFoundError, match="ya no se puede recuperar"):
            project.shelf.restore(path)


def test_what_came_in_an_archive_comes_back_with_it(settings: Settings) -> None:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("uno.md", LAW)
        archive.writestr("dos.md", NEWER)
    with opened_project(settings) as project:
        accepted = project.library.accept_stream("leyes.zip", BytesIO(packed.getvalue()))
        list(project.library.see_through({each.ingestion_id: each.path for each in accepted}))
        paths = [each.path for each in project.library.all()]
        assert len(paths) == 2
        for document in project.library.all():
            project.library.remove(document.document_id)
        assert project.shelf.restore("cargados/leyes.zip") == 2
        seen_through(project)
        assert [each.path for each in project.library.all()] == paths


def test_a_newer_file_of_the_path_is_not_undone(settings: Settings) -> None:
    with opened_project(settings) as project:
        upload(project, "ley.md", LAW)
        (path,) = (each.path for each in project.library.all())
        project.library.remove(only(project)[0])
        upload(project, "ley.md", NEWER)
        with pytest.raises(NotFoundError):
            project.shelf.restore(path)


def test_a_document_is_read_anew_and_answers_meanwhile(settings: Settings) -> None:
    with opened_project(settings) as project:
        upload(project, "ley.md", LAW)
        key, title = only(project)
        waiting = project.shelf.reread(key)
        assert project.ask("¿Cuál es el plazo para apelar?").citations
        seen_through(project)
        again, same = only(project)
        assert (again != key, same) == (True, title)
        report = project.library.ingestion(waiting)
        assert report is not None
        assert report.status == "updated"


def test_bytes_of_what_was_removed_are_forgotten_after_a_while(settings: Settings) -> None:
    with opened_project(settings) as project:
        upload(project, "ley.md", LAW)
        project.library.remove(only(project)[0])
        with project._database.as_login() as owner:
            owner.execute("UPDATE ingestions SET accepted_at = now() - interval '2 hours' WHERE status = 'removed'")
        Worker(database=project._database, embeddings=HashEmbeddings, settings=settings)._forget()
        with project._database.as_login() as owner:
            assert owner.execute("SELECT count(*) FROM files").fetchone() == (0,)
            assert owner.execute("SELECT count(*) FROM ingestions").fetchone() == (0,)


def test_what_a_file_is_to_blame_for_is_not_worth_another_try(settings: Settings) -> None:
    with opened_project(settings) as project:
        project.library.accept_stream("roto.pdf", BytesIO(b"%PDF-1.7\nno es un PDF"))
        seen_through(project)
        (file,) = project.library.ingestions()
        assert (file.status, file.can_help) == ("failed", False)
        report = project.library.ingestion(file.ingestion_id)
        assert report is not None
        assert report.code == "unreadable_file"


def test_what_is_removed_while_it_waits_to_be_read_anew_stays_away(settings: Settings) -> None:
    with opened_project(settings) as project:
        upload(project, "ley.md", LAW)
        key, _ = only(project)
        project.shelf.reread(key)
        project.library.remove(key)
        assert (project.library.all(), project.library.ingestions()) == ([], [])
