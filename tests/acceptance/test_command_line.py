"""What the command line promises to people and to programs."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.conftest import COMMAND, SAMPLES, Legajo, clean_environment, run_legajo

QUESTION = "¿Qué plazo hay para interponer un recurso de apelación?"


def lines(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_ingesting_again_changes_nothing(legajo: Legajo) -> None:
    reports = lines(legajo("ingest", SAMPLES, "--json"))
    assert {report["status"] for report in reports} == {"unchanged"}
    assert {report["path"] for report in reports} == {
        file.relative_to(SAMPLES).as_posix() for file in SAMPLES.rglob("*") if file.is_file()
    }
    assert set(reports[0]) == {"path", "status", "pages", "chunks", "error"}


def test_documents_lists_every_format(legajo: Legajo) -> None:
    found = lines(legajo("documents", "--json"))
    kinds = {"pdf", "docx", "html", "md", "txt", "pptx", "xlsx", "csv", "epub", "odt"}
    assert {document["format"] for document in found} == kinds
    assert all(document["status"] == "indexed" and document["title"] for document in found)


def test_a_file_that_fails_is_told_and_sets_the_exit_code(legajo: Legajo, tmp_path: Path) -> None:
    (tmp_path / "roto.pdf").write_bytes(b"%PDF-1.7 nada")
    (tmp_path / "nota.txt").write_text("El almacén abre a las ocho.", encoding="utf-8")
    done = legajo("ingest", tmp_path, "--project", "otro", "--json")
    assert done.returncode == 1
    reports = {row["path"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert reports["nota.txt"]["status"] == "indexed"
    assert reports["roto.pdf"]["status"] == "failed"
    assert "dañado" in reports["roto.pdf"]["error"]


def test_documents_are_taken_out_by_the_path_they_are_listed_with(legajo: Legajo, tmp_path: Path) -> None:
    for name in ("uno.txt", "dos.txt", "tres.txt"):
        (tmp_path / name).write_text(f"El archivo {name} habla del almacén.", encoding="utf-8")
    lines(legajo("ingest", tmp_path, "--project", "quitar", "--json"))
    wrong = legajo("documents", "--remove", "uno.txt", "--remove", "nada.txt", "--project", "quitar")
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert "«nada.txt»" in wrong.stderr
    removed = lines(legajo("documents", "--remove", "uno.txt", "--remove", "dos.txt", "--project", "quitar", "--json"))
    assert [(row["path"], row["status"]) for row in removed] == [("uno.txt", "removed"), ("dos.txt", "removed")]
    assert [row["path"] for row in lines(legajo("documents", "--project", "quitar", "--json"))] == ["tres.txt"]
    assert len(list(tmp_path.iterdir())) == 3


def test_nothing_to_ingest_is_said(legajo: Legajo, tmp_path: Path) -> None:
    blank = legajo("ingest", "", "--project", "nada")
    assert (blank.returncode, blank.stdout) == (1, "")
    assert "está vacía" in blank.stderr
    (tmp_path / "vacía").mkdir()
    empty = legajo("ingest", tmp_path / "vacía", "--project", "nada")
    assert (empty.returncode, empty.stdout) == (0, "")
    assert "no hay archivos que incorporar" in empty.stderr


def test_projects_do_not_see_each_other(legajo: Legajo, tmp_path: Path) -> None:
    (tmp_path / "cafetería.txt").write_text("La cafetería del tercer piso vende chocolate.", encoding="utf-8")
    lines(legajo("ingest", tmp_path, "--project", "aparte", "--json"))
    (inside,) = lines(legajo("search", "chocolate en la cafetería", "--project", "aparte", "--json"))
    (outside,) = lines(legajo("search", "chocolate en la cafetería", "--json"))
    assert [row["path"] for row in inside["results"]] == ["cafetería.txt"]
    assert "cafetería.txt" not in {row["path"] for row in outside["results"]}


def test_analyze_needs_no_database(legajo: Legajo, tmp_path: Path) -> None:
    done = legajo("analyze", "que dice la ley n° 29.733", "--json", DATABASE_URL="postgresql://nadie@127.0.0.1:1/nada")
    (plan,) = lines(done)
    assert plan == {
        "id": "1",
        "question": "que dice la ley n° 29.733",
        "route": "retrieve",
        "standalone_question": "que dice la ley n° 29.733",
        "reformulated": False,
        "citation": False,
        "authors": [],
        "years": [],
        "identifiers": ["ley:29733"],
        "past": False,
    }


def test_a_dash_reads_the_question_from_standard_input() -> None:
    done = subprocess.run(
        [COMMAND, "analyze", "-", "--json"], input="¿Qué dice la ley 29733?\n".encode(), capture_output=True, check=True
    )
    assert json.loads(done.stdout)["identifiers"] == ["ley:29733"]


def test_search_shows_results_scores_and_funnel(legajo: Legajo) -> None:
    (found,) = lines(legajo("search", QUESTION, "--top-k", "3", "--json"))
    assert [row["rank"] for row in found["results"]] == [1, 2, 3]
    first = found["results"][0]
    told = {"rank", "score", "document", "path", "page", "chunk_id", "section", "text", "scores"}
    assert set(first) == told | {"project", "state"}
    assert {"semantic", "lexical", "metadata"} <= set(first["scores"])
    funnel = found["funnel"]
    assert set(funnel) >= {"generated", "merged", "rejected", "returned"}
    assert funnel["near_words"] == []  # they cost: only where an explanation is asked for
    assert funnel["returned"] == 3 == funnel["merged"] - sum(funnel["rejected"].values())


def test_ask_cites_what_it_says(legajo: Legajo) -> None:
    (row,) = lines(legajo("ask", QUESTION, "--json"))
    assert (row["provider"], row["abstained"]) == ("extractive", False)
    assert row["citations"]
    texts = {result["chunk_id"]: result["text"] for result in row["results"]}
    for citation in row["citations"]:
        assert citation["quote"] in texts[citation["chunk_id"]]
        assert f"[{citation['n']}]" in row["answer"]
    assert row["metrics"]["total_ms"] >= row["metrics"]["ttft_ms"] > 0


def test_a_conversation_goes_on_where_the_last_question_left_it(legajo: Legajo, tmp_path: Path) -> None:
    (tmp_path / "plazos.txt").write_text(
        "El recurso de apelación se interpone en quince días hábiles.\n\n"
        "La apelación la resuelve el superior jerárquico.",
        encoding="utf-8",
    )
    lines(legajo("ingest", tmp_path, "--project", "seguido", "--json"))
    early = legajo("ask", "¿y quién lo resuelve?", "--continue", "--project", "seguido")
    assert (early.returncode, early.stdout) == (1, "")
    assert "Todavía no hay ninguna conversación que seguir" in early.stderr
    lines(legajo("ask", "¿Quién resuelve el reclamo?", "--project", "seguido", "--json"))  # a program's: not kept
    assert legajo("ask", QUESTION, "--project", "seguido").returncode == 0
    followed = legajo("ask", "¿Y quién lo resuelve?", "--continue", "--project", "seguido", "--json")
    (row,) = lines(followed)
    assert row["reformulated"] is True
    assert "apelación" in row["standalone_question"]
    assert f"Sigue la conversación «{QUESTION.strip('¿?')}»." in followed.stderr


def test_only_one_question_continues_a_conversation(legajo: Legajo, tmp_path: Path) -> None:
    done = legajo("ask", "--continue", "--questions", tmp_path / "preguntas.jsonl")
    assert (done.returncode, done.stdout) == (1, "")
    assert "una sola pregunta" in done.stderr


def test_an_explanation_is_read_by_people_and_by_programs(legajo: Legajo) -> None:
    shown = legajo("ask", QUESTION, "--explain").stdout
    headings = ["Fuentes:", "CÓMO SE LEYÓ LA PREGUNTA", "DE LOS CANDIDATOS A LOS RESULTADOS", "POR QUÉ QUEDARON ESTOS"]
    assert [shown.count(heading) for heading in headings] == [1] * len(headings)
    assert sorted(headings, key=shown.index) == headings
    (row,) = lines(legajo("ask", QUESTION, "--explain", "--json"))
    funnel = row["funnel"]
    assert [each["chunk_id"] for each in funnel["survivors"]] == [each["chunk_id"] for each in row["results"]]
    assert all(each["proposed_by"] for each in funnel["survivors"])
    assert {each["reason"] for each in funnel["examples"]} == {name for name, n in funnel["rejected"].items() if n}
    assert 0 < len(funnel["near_words"]) <= 8


def test_a_question_file_is_answered_line_by_line(legajo: Legajo, tmp_path: Path) -> None:
    history = [
        {"role": "user", "content": "¿Qué exige la ISO 9001?"},
        {"role": "assistant", "content": "Diez cláusulas."},
    ]
    rows = [{"id": "a", "question": "hola"}, {"id": "b", "question": "¿y la ISO 27001?", "history": history}]
    file = tmp_path / "preguntas.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    first, second = lines(legajo("ask", "--questions", file, "--json"))
    assert (first["id"], first["route"], first["results"]) == ("a", "trivial", [])
    assert (second["id"], second["reformulated"], second["identifiers"]) == ("b", True, ["iso:27001"])
    told = legajo("ask", "--questions", file).stdout
    assert [line for line in told.splitlines() if line.startswith("Pregunta ")] == [
        "Pregunta a: hola",
        "Pregunta b: ¿y la ISO 27001?",
    ]
    assert told.index(first["answer"]) < told.index("Pregunta b") < told.index("Fuentes:")


def test_evaluate_prints_a_table_for_people(legajo: Legajo, tmp_path: Path) -> None:
    questions = tmp_path / "preguntas.jsonl"
    questions.write_text("\n".join(Path(QUESTIONS).read_text(encoding="utf-8").splitlines()[:4]), encoding="utf-8")
    done = legajo("evaluate", "--questions", questions)
    assert done.returncode == 0, done.stderr
    assert "file@5" in done.stdout
    assert "phrase@5" in done.stdout


def test_doctor_finds_nothing_wrong(legajo: Legajo) -> None:
    findings = lines(legajo("doctor", "--json"))
    assert all(finding["ok"] for finding in findings)
    assert "pgvector" in json.dumps(findings)


def test_doctor_tells_a_reranker_that_cannot_be_loaded(legajo: Legajo) -> None:
    done = legajo("doctor", LEGAJO_RERANKER="/no/existe")
    assert done.returncode == 1
    assert re.findall(r"^\[FALLA\] (.*?):.*/no/existe", done.stdout, re.MULTILINE) == ["Modelo que reordena"]


def test_doctor_tells_a_recipe_that_does_not_exist(legajo: Legajo) -> None:
    done = legajo("doctor", LEGAJO_RECIPE="mejor")
    assert done.returncode == 1
    assert re.findall(r"^\[FALLA\] (.*?):.*«mejor».*default", done.stdout, re.MULTILINE) == ["Receta de búsqueda"]


def test_doctor_tells_a_setting_without_effect(legajo: Legajo) -> None:
    done = legajo("doctor", LEGAJO_QUERY_ANGLES="3")
    assert done.returncode == 0
    assert re.findall(r"^\[bien \] (.*?): extractive; LEGAJO_QUERY_ANGLES no tiene efecto", done.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({}, r"ninguno \(LLM_FALLBACK\)"),
        ({"LLM_FALLBACK": "groq", "LLM_PROVIDER": "local"}, r"Falta la clave de Groq.*GROQ_API_KEY"),
        ({"LLM_FALLBACK": "groq", "LLM_PROVIDER": "local", "GROQ_API_KEY": "x", "LLM_FALLBACK_MODEL": "a"}, "groq a"),
        ({"LLM_FALLBACK": "local"}, "local; LLM_FALLBACK no tiene efecto"),
    ],
)
def test_doctor_tells_who_steps_in(legajo: Legajo, environment: dict[str, str], told: str) -> None:
    done = legajo("doctor", **environment)
    assert done.returncode == 0
    assert re.findall(rf"^\[bien \] Proveedor de reserva: {told}", done.stdout, re.MULTILINE)


def test_doctor_tells_a_fallback_that_does_not_exist(legajo: Legajo) -> None:
    done = legajo("doctor", LLM_FALLBACK="gruq")
    assert done.returncode == 1
    assert "LLM_FALLBACK" in done.stdout


QUESTIONS = str(Path(__file__).with_name("questions.jsonl"))
NOWHERE = "legajo: No existe el proyecto «nohay». Hay: "
WRONG = [
    (("ask", "plazo", "--project", "nohay", "--json"), {}, NOWHERE),
    (("search", "plazo", "--project", "nohay"), {}, NOWHERE),
    (("documents", "--project", "nohay", "--json"), {}, NOWHERE),
    (("evaluate", "--questions", QUESTIONS, "--project", "nohay"), {}, NOWHERE),
    (("projects", "show", "nohay"), {}, NOWHERE),
    (("projects", "change", "nohay", "--recipe", "rrf"), {}, NOWHERE),
    (("search",), {}, "pregunta"),
    (("search", "plazo", "--top-k", "99"), {}, "de 1 a 20"),
    (("search", "qué", "plazo", "hay"), {}, "entre comillas"),
    (("search", "plazo", "--recipe", "mejor"), {}, "default"),
    (("ask", "plazo", "--json", "--recipe", "mejor"), {}, "legajo: No existe la receta «mejor»"),
    (("ask", "plazo", "--json"), {"LEGAJO_RECIPE": "mejor"}, "legajo: No existe la receta «mejor»"),
    (("search", "plazo", "--recipe", "lumen"), {"LEGAJO_RERANKER": "/no/existe"}, "LEGAJO_RERANKER"),
    (("ask", "plazo", "--provider", "google"), {}, "GOOGLE_API_KEY"),
    (("ingest", "/no/existe"), {}, "/no/existe"),
    (("ask", "--questions", "/no/existe.jsonl"), {}, "/no/existe.jsonl"),
    (("vuela",), {}, "vuela"),
    (("documents",), {"DATABASE_URL": "postgresql://ana:secreta@127.0.0.1:1/nada"}, "127.0.0.1"),
    (("documents",), {"LLM_TEMPERATURE": "mucha"}, "LLM_TEMPERATURE"),
]


@pytest.mark.parametrize(("arguments", "environment", "said"), WRONG)
def test_mistakes_get_one_clear_line(
    legajo: Legajo, arguments: tuple[str, ...], environment: dict[str, str], said: str
) -> None:
    done = legajo(*arguments, **environment)
    assert done.returncode != 0
    assert done.stdout == ""
    (line,) = done.stderr.strip().splitlines()
    assert said in line
    assert "Traceback" not in line
    assert "secreta" not in line


def test_a_command_starts_the_database_and_leaves_no_process_behind(free_home: Path) -> None:
    assert lines(run_legajo(free_home, ["documents", "--json"]))
    assert processes_of(free_home) == []


def test_a_mistake_of_the_installed_command_gets_one_clear_line(sample_home: Path) -> None:
    done = run_legajo(sample_home, ["projects", "show", "nohay"])
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(f"{NOWHERE}.*\n", done.stderr)


def processes_of(home: Path) -> list[Path]:
    running = Path("/proc").glob("[0-9]*/cmdline")
    return [p for p in running if p.exists() and str(home).encode() in p.read_bytes()]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_ends_a_command_and_releases_the_database(
    free_home: Path, tmp_path: Path, number: signal.Signals, code: int
) -> None:
    questions = tmp_path / "preguntas.jsonl"
    os.mkfifo(questions)
    with waiting_for("search", questions, free_home) as command, questions.open("w"):
        # here the command has opened the database and reads the questions
        command.send_signal(number)
        out, error = command.communicate()
    assert (command.returncode, out, error) == (code, "", "legajo: Interrumpido.\n")
    assert processes_of(free_home) == []


@pytest.mark.parametrize(
    ("before", "number"),
    [
        (("nohup",), signal.SIGHUP),
        (("sh", "-c", """trap '' INT; exec "$@" """, "sh"), signal.SIGINT),  # as «legajo … &» of a script
    ],
)
def test_a_command_stays_deaf_to_what_it_was_started_deaf_to(
    tmp_path: Path, before: tuple[str, ...], number: signal.Signals
) -> None:
    questions = tmp_path / "preguntas.jsonl"
    os.mkfifo(questions)
    with waiting_for("analyze", questions, tmp_path, *before) as command:
        with questions.open("w") as pipe:
            command.send_signal(number)
            pipe.write('{"question": "hola"}')
        out, _ = command.communicate()
    assert (command.returncode, json.loads(out)["route"]) == (0, "trivial")


def waiting_for(subcommand: str, questions: Path, home: Path, *before: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*before, COMMAND, subcommand, "--questions", questions, "--json"],
        env=clean_environment(home),
        cwd=home,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
