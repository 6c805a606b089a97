"""What a question takes for granted, and no passage says: «¿por qué fue derogada la ISO 45001?».

Each row of the table is a kind of premise that words can tell: what a question that has it says, and what a passage
that bears it out must say. A row that needs its subject is borne out only by a sentence that also speaks of what is
asked, itself or in its heading or lead-in: that a law forbids one thing does not mean that it forbids another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag_system.generation.passages import read_passage
from rag_system.generation.terms import TermReader, topic_terms
from rag_system.query.identifiers import extract_identifiers, same_identifier
from rag_system.query.text import fold, query_terms
from rag_system.query.typing_habits import written_out
from rag_system.types import Evidence, QueryPlan

__all__ = ["unsaid_premise", "with_its_place"]


@dataclass(frozen=True, slots=True)
class _Premise:
    asked: re.Pattern[str]  # in a folded question
    said: re.Pattern[str]  # in a folded passage that bears it out
    told: str  # the end of a Spanish sentence
    subject: float = 0.0  # least share, 0…1, of what the question is about in the same sentence or right above it


_HOW_COME = (
    r"(?:por que|(?:desde )?cuando|en que (?:a[nñ]o|fecha|articulo|numeral|parte)|quien|donde|"
    r"que (?:ley|norma|articulo))"
)
_FORBIDS = (
    r"\b(?:prohib\w*|vedad[oa]s?|imped\w+|impid\w+|abst(?:en|ien)\w+|nul[oa]s?|ilicit\w+|excluid[oa]s?|deneg\w+|"
    r"no (?:se )?(?:\w+ )?(?:pued\w+|podra\w*|deb\w+|permit\w+|admit\w+|acept\w+|autoriz\w+|procede\w*)|"
    r"no (?:esta|estan|es|son) (?:permitid|autorizad|admisib)\w*|sin que pueda\w*|(?:solo|unicamente) (?:se )?pued\w+|"
    r"no se (?:fum|us|utiliz|com|beb|ingres|entr|corr|grab|toc|estacion|vend|port|llev)\w*|"
    r"no \w+[aei]r(?:se)?\b|fuera de (?:uso|servicio)|nunca|evit\w+|prohibicion\w*)"
)
# A pay, and how much it is or who says so: that somebody collects something tells nobody how much.
_PAID = r"(?:sueld|remuner|salari|honorari|diet|percib|gan[ae]n?\b|haber(?:es)?\b|cobr|ingreso|arancel|tarifa)\w*"
_AMOUNT = r"(?:\d|%|s/|soles|uit|equivale\w*|gratuit\w*|(?:determina|fija|establec|aprueb|calcul|regul|exced|tope)\w*)"
_PAYS = rf"\b{_PAID}.{{0,200}}(?<!\w){_AMOUNT}|(?<!\w){_AMOUNT}.{{0,200}}\b{_PAID}"
_MONEY = (
    r"[$€£]|\b(?:usd|eur|mxn|cop|clp|ars)(?![^\W\d])|"
    r"\b(?:dolar(?:es)?|euros?|pesos|bolivianos|guaranies|quetzales|colones)\b"
)
_ANY, _HALF, _MOST = 0.01, 0.5, 0.6  # of what the question is about
_ROWS: tuple[tuple[str, str, str, float], ...] = (
    (
        rf"\b{_HOW_COME} (?:\S+ ){{0,8}}?(?:derog|abrog)\w*",
        r"\b(?:derog|abrog)\w*|\b(?:sin efecto|perdio vigencia|dejo de regir|retirad[oa])\b",
        "en los pasajes que tratan de eso no se dice que se derogara",
        0.0,
    ),
    (
        rf"\b{_HOW_COME} (?:\S+ ){{0,8}}?(?:fue|fueron|se|sido|la|lo) (?:modific|reform)\w*",
        r"\b(?:modific|reform|sustitu|incorpor|actualiz|reemplaz|agreg|añad)\w*|"
        r"\b(?:nueva redaccion|texto vigente)\b",
        "en los pasajes que tratan de eso no se dice que se modificara",
        0.0,
    ),
    (
        rf"\b{_HOW_COME} (?:\S+ ){{0,9}}?(?:prohib|veda\b|vedo\b|impid)\w*",
        _FORBIDS,
        "en ellos no se dice que eso se prohíba",
        _ANY,
    ),
    (
        r"\bcuantos a[nñ]os de (?:carcel|prision|pena)\b|\bcuantos a[nñ]os (?:\w+ )?(?:dan|caen|ponen) (?:por|de)\b|"
        r"\b(?:que|cual es la|cuanto es la) (?:pena|condena)\b(?! de muerte)|\b(?:pena|condena) (?:por|para)\b",
        r"\b(?:carcel|prision|privativa|delit\w*|pena(?:l|les|s)?|reclusion|internamiento|reprimid\w+|dias-multa|"
        r"castig\w+|sancionad\w+ con)\b",
        "en lo que dicen sobre eso no hay penas de cárcel",
        _MOST,
    ),
    (
        r"\bque delitos?\b",
        r"\b(?:delit\w*|penal(?:es)?|privativa|reprimid\w+|dias-multa)\b",
        "en lo que dicen sobre eso no se habla de delitos",
        _HALF,
    ),
    (
        r"\bcuanto (?:cuesta|vale|sale)n?\b|\b(?:cual es|que|cuanto es)\b.{0,12} (?:precio|tarifa|arancel)\b|"
        r"\b(?:tasa de interes|que interes)\b",
        r"\d ?%|\bs/|\bsoles\b|\buit\b|\bpor ciento\b|\bgratuit\w+|\bgratis\b|\bsin costo\b|\bexonerad\w+|"
        rf"\b(?:costo|precio|tarifa|tasa|derecho)s? .{{0,60}}\d|\bcuestan? .{{0,60}}\d|\bsin pagar\b|{_MONEY}",
        "en lo que dicen sobre eso no hay ningún precio",
        _MOST,
    ),
    (
        r"\b(?:cuanto es|cual es|de cuanto es|cuanto esta)\b.{0,20}\b(?:sueldo|salario|remuneracion) minim\w+",
        r"\b(?:s/\W*|soles\W*)\d|\d[\d.,]* (?:nuevos )?soles\b",
        "en ellos no se dice cuánto es",
        _ANY,
    ),
    (
        r"\bquien(?:es)? (?:fue el que )?(?:invento|descubrio|escribio|compuso|pinto|fundo|construyo|diseñ?o)\b",
        r"\b(?:invent|descubr|escri[bt]|compus|compuest|pint|fund[oóa]|construy|construid|diseñ|cre[oóa]|autor)\w*",
        "en ellos no se dice quién fue",
        _MOST,
    ),
    (
        r"\b(?:que|cual es la|de cuanto es la|cuanto es la|a cuanto asciende la|por que hay) "
        r"(?:multa|sancion|penalidad)\b",
        r"\b(?:mult|sancion|penalid|penaliz|amonest|suspen|destitu|inhabilit|clausur|decomis|cancel|infrac)\w*|\buit\b",
        "en ellos no se habla de multas ni de sanciones",
        0.0,
    ),
    (
        r"\bque (?:premio|galardon|medalla|condecoracion)\b|\bpor que (?:\w+ ){0,4}premi(?:o|aron|ada|ado)\b",
        r"\b(?:premi|galard|medall|condecor|reconoc|distin(?:g|c)|ganador)\w*",
        "en ellos no se habla de premios",
        _ANY,
    ),
    (
        r"\b(?:donde|que|en que universidad) (?:estudio|estudiaron|se formo|se graduo|carrera (?:estudio|tiene))\b|"
        r"\bque (?:titulo|grado) (?:profesional |academico )?tiene\b"
        r"(?! (?:el|l[ao]s?|es[ae]|est[ea]) (?:capitulo|titulo|seccion|articulo|libro|anexo|ley|norma|reglamento)s?\b)",
        r"\b(?:estudios? (?:en la|univ\w+)|universidad|egresad[oa]|titulad[oa]|graduad[oa]|bachiller|licenciad[oa]|"
        r"magister|maestria|doctorado|ingenier[oa]|abogad[oa]|medic[oa]|contador[a]?|profesion|carrera)\b",
        "en ellos no se dicen los estudios de esa persona",
        _ANY,
    ),
    (
        r"\b(?:donde|cuando|en que (?:ciudad|a[nñ]o|fecha)) nacio\b|\bque edad tiene (?!que)|"
        r"\bcuantos a[nñ]os tiene (?!que)",
        r"\bnaci\w+|\bedad\b|\ba[nñ]os de edad\b|\ba[nñ]os\b",
        "en ellos no se dicen la edad ni el nacimiento de esa persona",
        _ANY,
    ),
    (
        r"\bcuantos hijos tiene\b|\b(?:esta casad[oa]|con quien se caso)\b|\b(?:el|la) (?:espos[oa]|conyuge) del?\b",
        r"\b(?:hij[oa]s?|casad[oa]s?|espos[oa]s?|conyuge|matrimonio|pareja|solter[oa]|viud\w+)\b",
        "en ellos no se habla de la familia de esa persona",
        _ANY,
    ),
    (
        r"\bcuanto (?:gana|cobra|percibe)n? (?:el|la|los|las|un|una|don|dona)\b",
        _PAYS,
        "en ellos no se dice cuánto gana",
        _ANY,
    ),
    (
        r"\b(?:sueldo|salario) (?:de|del|tiene)\b",
        r"\b(?:sueld|remuner|salari|honorari|diet|percib|gan[ae]|haber|cobr)\w*",
        "en ellos no se dice cuánto gana",
        _ANY,
    ),
    (
        r"\b(?:donde vive|en que (?:calle|distrito|ciudad) vive)\b(?! (?:una?|l[oa]s) )",
        r"\b(?:viv|resid|domicili|habit)\w*",
        "en ellos no se dice dónde vive",
        _ANY,
    ),
    (
        r"\b(?:a|en|por) que partido (?:politico )?(?:pertenece|milita|postulo)\b|\bde que partido es\b",
        r"\b(?:partido|milit|afiliad)\w*",
        "en ellos no se habla de su partido",
        _ANY,
    ),
)
_PREMISES = tuple(_Premise(re.compile(asked), re.compile(said), told, subject) for asked, said, told, subject in _ROWS)
_MADE_OF = frozenset(
    query_terms(
        "cárcel prisión pena años dan caen ponen cuesta vale sale precio tarifa tasa inventó descubrió compuso "
        "prohíbe prohibido comete cometen gana cobra percibe sueldo estudió vive nació edad años hijos "
        "casado premio partido tiene"
    )
)
_SUPPOSED = re.compile(r"\b(?:si|en caso de que) (?:\w+ )?(?:prohib|derog|modific)\w*")  # «¿qué pasa si se deroga…?»


def unsaid_premise(plan: QueryPlan, evidence: Sequence[Evidence]) -> str:
    """What the question takes for granted and no passage says, as the end of a Spanish sentence; empty for nothing."""
    question = fold(written_out(plan.question))
    if _SUPPOSED.search(question):
        return ""
    taken = (premise for premise in _PREMISES if premise.asked.search(question))
    return next((premise.told for premise in taken if not _is_borne_out(premise, plan, evidence)), "")


def _is_borne_out(premise: _Premise, plan: QueryPlan, evidence: Sequence[Evidence]) -> bool:
    terms = _subject(premise, plan.standalone_question)
    if not premise.subject or not terms:
        texts = (text for item in evidence for text in _of_the_norm(plan.identifiers, item))
        return any(premise.said.search(fold(text)) for text in texts)
    read = TermReader(plan.standalone_question, terms)
    # What a follow-up says in its own words («¿y cuánto cuesta consultarlo?») the passage calls otherwise.
    least = (_ANY if plan.reformulated else premise.subject) * len(terms)
    for item in evidence:
        title = item.chunk.title if premise.subject >= _HALF else ""  # says too much where one word is enough
        for sentence, place in with_its_place(item):
            if premise.said.search(fold(sentence)) and len(read(f"{title}\n{place}")) >= least:
                return True
    return False


def _subject(premise: _Premise, question: str) -> list[str]:
    """The terms of the question that its premise is about, not those that make it one."""
    return [term for term in topic_terms(question) if not premise.said.search(term) and term not in _MADE_OF]


def _of_the_norm(asked: Sequence[str], item: Evidence) -> Iterator[str]:
    """All that a passage says; where a norm is asked for and the passage is of another, the sentences that name it.

    What the norm itself repeals are others: «Se deroga la Ley 30036» tells nothing of the law that says so.
    """
    chunk = item.chunk
    above = "\n".join((chunk.title, *(heading for each in item.chunks for heading in each.heading_path)))
    if not asked or _names(asked, (*chunk.identifiers, *extract_identifiers("\n".join((chunk.path, above))))):
        whole = f"{above}\n{item.text}"
        yield _REPEALS_OTHERS.sub(" ", whole) if asked else whole
    else:
        yield from (s.text for s in read_passage(item.text) if _names(asked, extract_identifiers(s.text)))


_REPEALS_OTHERS = re.compile(
    r"\b(?:der[oó]g(?:a|an|ase|anse|uese|uense)|abr[oó]g\w+|quedan? derogad\w+ (?:l[oa]s|tod[oa]s)|derogatori[oa]s?|"
    r"derogaci[oó]n(?:es)?|d[eé]j[ae]\w* sin efecto)\b",
    re.IGNORECASE,
)


def _names(asked: Sequence[str], named: Sequence[str]) -> bool:
    return any(same_identifier(one, other) for one in named for other in asked)


def with_its_place(item: Evidence) -> Iterator[tuple[str, str]]:
    """Each sentence with the lead-in that it completes; and both with the headings above and the sentence before."""
    headings = "\n".join(heading for chunk in item.chunks for heading in chunk.heading_path[-1:])
    before = ""
    for sentence in read_passage(item.text):
        said = "\n".join((sentence.lead.text if sentence.lead else "", sentence.text))
        yield said, "\n".join((headings, sentence.heading.text if sentence.heading else "", before, said))
        before = sentence.text
