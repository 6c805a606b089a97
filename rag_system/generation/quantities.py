"""A quantity that a question asks for, and no passage says: «¿cuántas horas dura…?» where no hours are given.

Each row of the table is a kind of quantity. A sentence bears the question out when it holds a quantity of that kind and
speaks, itself or right above it, of what is asked, in a passage that has the names asked about. Numbers of norms,
articles and list marks, dates and hours are none (`figures`); «gratuito», «la mitad» and «el plazo que fije el
reglamento» are. A number that is all a cell or the rest of a line says («Alumnos por aula | 25») is of any kind.

What norms enumerate («¿cuántos requisitos hay?») is let pass, since a list answers it without a number; so are whole
stories, of which no passage has all the words. Things of which no passage has the word may be called otherwise there
(«¿cuántas personas?», «45 210 habitantes»): any number of things bears such a question out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from rag_system.generation.figures import Figure, read_figures
from rag_system.generation.fitness import is_a_story
from rag_system.generation.premises import with_its_place
from rag_system.generation.terms import TermReader, topic_terms
from rag_system.query.names import find_names
from rag_system.query.text import analyze_terms, fold, query_terms, stem, tokens
from rag_system.query.typing_habits import written_out
from rag_system.types import Evidence, QueryPlan

__all__ = ["unsaid_quantity"]

_LEAST = 0.6  # share of what the question is about, in the sentence, right above it or in the title, …
_ENOUGH = 3  # … or so many of its terms: a long question tells more than a passage repeats
_OF_A_LONG_QUESTION = 2
_NEAR, _FOLLOWS = 30, 45  # characters between a number and what it counts, before it and after
_OPENING_WORDS = 3  # that stand before what is asked: «¿y hasta con cuántos días …?»


@dataclass(frozen=True, slots=True)
class _Kind:
    asked: re.Pattern[str]  # in a folded question
    units: frozenset[str]  # of `figures`, "" for what is counted
    said: re.Pattern[str]  # in a folded sentence that says it without such a figure
    told: str  # the end of a Spanish sentence


_TIME = frozenset({"dia", "semana", "mes", "año", "hora", "minuto"})
_MONEY = frozenset({"%", "uit", "soles", "dolares", "euros"})
_SIZE = frozenset({"metro", "kilometro", "kilo", "mb", "gb"})
_MEASURES = _TIME | _MONEY | _SIZE
_SETS = r"(?:determin|fij|establ|defin|calcul|aprob|aprueb|acuerd|acord)\w+"
_WITHOUT_FIGURE = (
    r"ilimitad\w+|(?:sin|no (?:hay|tienen?|existen?|estan? sujet[oa]s? a)) (?:\w+ )?(?:limite|tope|cobro)s?|"
    r"mitad|doble|triple|terci[oa]s?|totalidad"
)
_SHARE = r"proporcion|equivale\w*"  # of an amount, and of no number of things
_SPANS = (
    r"anual(?:es|mente)?|mensual(?:es|mente)?|semanal(?:es|mente)?|diari[oa]s?|semestral\w*|trimestral\w*|"
    r"quincena\w*|bienal\w*|bimestral\w*|indefinid\w+|indeterminad\w+|inmediat\w+|permanente\w*|vitalici[oa]|"
    r"el mismo dia|(?:mes|dia|a[nñ]o)s? (?:\w+ )?siguiente|siguiente (?:dia|mes|a[nñ]o)|mientras|"
    r"en tanto|hasta (?:que|el|la)|"
    r"un(?:a)? (?:dia|semana|mes|a[nñ]o|hora|quincena|bimestre|trimestre|semestre|decada)|"
    r"(?:bimestre|trimestre|semestre|quinquenio|bienio|decenio)s?|dias|meses|a[nñ]os|"
    r"segundos|\d+ ?(?:seg|s)"
)
_SALARY = (
    r"(?:una?|media|doble|\w+ \(?\d+\)?) remuneracion\w*|"
    r"remuneracion(?:es)? (?:minim|integr|mensual|total|ordinari|complet|basic|comput|equivalent|vigent)\w*"
)
_PAYS = (
    rf"gratuit\w+|gratis|sin costo|exonerad\w+|inafect\w+|{_SALARY}|s/|sin pag\w+|no (?:se )?(?:pag|cobr)\w+|"
    r"ad honorem|urp|unidades? de referencia|pesos|bolivianos|colones|guaranies|quetzales|lempiras|cordobas|"
    r"\d+ ?(?:€|eur)|(?:€|eur) ?\d+"
)
_LISTED = (  # what norms enumerate
    r"tipos|clases|formas|modalidades|causas|causales|categorias|principios|requisitos|etapas|fases|pasos|partes|niveles|"
    r"documentos|datos|funciones|derechos|obligaciones|articulos|capitulos|titulos|casos|elementos|veces"
)
_IN_COPIES = r"por (?:dupli|tripli|cuadrupli)cado"
_NOT_SAID = "en los pasajes que tratan de eso no se dice"
# What is asked, the units of the figures that say it, what else says it, what a norm leaves to another one.
_ROWS: tuple[tuple[str, frozenset[str], str, str, str], ...] = (
    (
        r"(?<!unos )(?<!unas )\bcuant[oa]s? (?:mas )?(?:tiempo|dias|horas|semanas|meses|a[nñ]os|minutos|segundos)\b|"
        r"\bcuanto (?:\w+ ){0,2}(?:dur|tard|demor)\w+",
        _TIME,
        _SPANS,
        r"plazos?|tiempo|duracion|vigencia",
        f"{_NOT_SAID} cuánto tiempo",
    ),
    (
        r"\bporcentaje\b",
        frozenset({"%"}),
        r"por ciento|puntos porcentuales",
        r"porcentajes?|tasas?",
        f"{_NOT_SAID} qué porcentaje",
    ),
    (
        r"\bcuant[oa] (?:\w+ ){0,2}(?:mid|pes)\w+|\bcuant[oa]s (?:metros|kilometros|kilos|litros|gramos|centimetros)\b",
        _SIZE,
        r"\d+ ?(?:cm|mm|l|g|gr|ml|ha|m2|tm|t|kb|tb)\b|kilobytes?|"
        r"\w*metr[oa]s?|litros?|gramos?|toneladas?|hectareas?|pulgadas?",
        r"medidas?|dimensiones|pesos?|tama[nñ]o",
        f"{_NOT_SAID} cuánto mide ni cuánto pesa",
    ),
    (
        r"\bcuant[oa] (?:\w+ ){0,2}(?:dinero|plata|presupuesto|cuesta|cobra|paga|gana|gast|asign|vale)\w*|"
        r"\bque (?:monto|tasa)\b",
        _MONEY,
        _PAYS,
        r"montos?|cuantias?|tarifas?|tasas?|costos?|precios?|valor|dietas?|derechos? de tramit\w+",
        f"{_NOT_SAID} cuánto dinero",
    ),
    (
        rf"(?<!unos )(?<!unas )\bcuant[oa]s (?!(?:mas|uit|soles|dolares|euros|{_LISTED})\b)\w{{3,}}",
        frozenset({""}),
        rf"igual numero|mayoria|unanim\w+|{_IN_COPIES}",
        r"numero|cantidad",
        f"{_NOT_SAID} cuántos",
    ),
    (
        r"\ba cuanto asci\w+|\bde cuanto (?:es|son|era|sera|seria)\b",
        _MEASURES | {""},
        rf"{_SPANS}|{_PAYS}",
        r"montos?|cuantias?|tarifas?|tasas?|costos?|precios?|valor|porcentajes?|plazos?|duracion|numero|cantidad",
        f"{_NOT_SAID} de cuánto es",
    ),
)


def _kind(asked: str, units: frozenset[str], said: str, left: str, told: str) -> _Kind:
    left_to_another = rf"(?:{left})(?: \S+){{0,8}}? {_SETS}|{_SETS} (?:\S+ ){{0,3}}(?:{left})"
    share = "" if units == {""} else f"|{_SHARE}"
    words = re.compile(rf"(?<!\w)(?:{said}|{_WITHOUT_FIGURE}{share}|{left_to_another})(?!\w)")
    return _Kind(re.compile(asked), units, words, told)


_KINDS = tuple(_kind(*row) for row in _ROWS)
# «¿Cuánto pesa un archivo?»: a sentence with the same verb is of that.
_VERBS = frozenset(query_terms("dura duran tarda demora mide pesa cuesta cobra paga gana vale asciende"))
_ASKING = _VERBS | frozenset(
    query_terms(
        "cuánto cuántos cuántas tiempo porcentaje dinero plata monto tasa días horas semanas meses años minutos "
        "segundos metros kilómetros kilos litros gramos centímetros hay tener máximo mínimo causan"
    )
)
_COUNTED = re.compile(r"\bcuant[oa]s (\w{3,})")
_MONTHS = "enero|febrero|marzo|abril|mayo|junio|julio|agosto|setiembre|septiembre|octubre|noviembre|diciembre"
_NOUN = re.compile(
    rf"[\s)*_]*(?:\([^)]{{1,40}}\)[\s*_]*)?(?:(?:o|u) m[aá]s )?(?!(?:{_MONTHS}|del|que|por|las?|los|con|sin|para)\b)"
    r"(?:[a-záéíóúñ]{3,}|[ao] \d|(?:[dkMmG]?[A-Z]|[kMG]?Hz|°[CF])\b)"  # «50 dB»
)
_BEFORE_ALONE = re.compile(
    r"[^\W\d_][^\n]*[:|](?:[\s*_(]|[^\W_]{1,4}(?!\w)|[/.$])*$"
)  # «Aulas: », «Sesiones: del 1 al »
_AFTER_ALONE = re.compile(r"[\s*_.;)]*(?:$|[|\n])")
_SAME_CLAUSE = re.compile(rf"[^.;:|\n]{{0,{_NEAR}}}")
_OPENS = re.compile(
    r"[^.;|\n]*(?:\b(?:son|es|será|serán|fue|fueron|menos|más|m[ií]nimo|m[aá]ximo|hasta|de|a),? |(?P<colon>: )|\()$"
)
# «Los testigos son dos.»; «se reúne no menos de dos, ni más de cuatro veces al mes».
_CLOSES = re.compile(r"[\s)*_]*(?:[.;]|$|\n|,? ni (?:m[aá]s|mayor)\b)")
_COUNTED_IN = frozenset({"dia", "hora", "semana", "mes", "%"})  # vacations, absences, signatures
_TERM = re.compile(r"\b(?:plazo|termino|dentro de|vigencia|contad|a partir|anterior|siguiente|durante|edad)\w*")
_OF_AGE = re.compile(r"[^.;:]{0,20} de edad\b")
_ONE = frozenset({"un", "una", "unico", "unica", "solo", "sola", "ningun", "ninguna", "cada"})
_YEAR = re.compile(r"(?:19|20)\d\d")
_COMPOSED = re.compile(r"\b(?:integr|conform|compuest|compon|consta|constitu|formad|cuenta con)\w*")


def unsaid_quantity(plan: QueryPlan, evidence: Sequence[Evidence]) -> str:
    """The quantity asked for that no passage says, as the end of a Spanish sentence; empty for nothing."""
    question = fold(written_out(plan.question))
    kind = next((each for each in _KINDS if each.asked.search(question)), None)
    if kind is None or not evidence or plan.identifiers or _is_a_case(kind, question, plan):
        return ""
    reader = _Reader(kind, plan, evidence)
    return "" if any(map(reader.bears_out, evidence)) else kind.told


def _is_a_case(kind: _Kind, question: str, plan: QueryPlan) -> bool:
    """Whether a case is told before it is asked how much: who asks that first tells none, however long."""
    asked = kind.asked.search(question)
    opens = asked is not None and len(tokens(question[: asked.start()])) <= _OPENING_WORDS
    return is_a_story(plan.standalone_question) and not opens


def _headings(item: Evidence) -> list[str]:
    return [heading for chunk in item.chunks for heading in chunk.heading_path]


def _whole(item: Evidence) -> str:
    return "\n".join((item.chunk.title, *_headings(item), item.text))


def _stands_alone(figure: Figure, said: str) -> bool:
    """Whether a number is all that a cell says, or the line after a colon."""
    return (
        not figure.unit
        and not _YEAR.fullmatch(figure.value)
        and _AFTER_ALONE.match(said, figure.end) is not None
        and _BEFORE_ALONE.search(said[: figure.start]) is not None
    )


def _is_whole(figure: Figure, said: str) -> bool:
    """Whether a figure may count things: no year, and no part of a code («hoja -0662»)."""
    part = said[max(0, figure.start - 1) : figure.start] in {"-", "/"}
    return not part and not figure.unit and figure.value.isdecimal() and not _YEAR.fullmatch(figure.value)


class _Reader:
    """Reads whether a passage says a quantity of a kind, of what a question is about."""

    def __init__(self, kind: _Kind, plan: QueryPlan, evidence: Sequence[Evidence]) -> None:
        question = plan.standalone_question
        terms = [term for term in topic_terms(question) if term not in _ASKING] or topic_terms(question)
        counted = _COUNTED.search(fold(plan.question)) if "" in kind.units else None
        units = {figure.unit for figure in read_figures(f"2 {counted[1]}")} - {""} if counted else set()
        self._kind = kind
        self._units = units or kind.units  # «¿cuántos megas?»
        self._counted = TermReader(question, [stem(counted[1])]) if counted and not units else None
        # «¿cuántas personas?», where «habitantes» are counted: nobody can tell whether they are the same.
        self._otherwise = self._counted is not None and not any(map(self._counted, map(_whole, evidence)))
        if counted and self._otherwise:
            terms = [term for term in terms if term != stem(counted[1])]
        self._read = TermReader(question, terms)
        enough = _OF_A_LONG_QUESTION if is_a_story(question) else _ENOUGH
        lenient = plan.reformulated or self._otherwise
        least = 1 if lenient else max(1, min(round(_LEAST * len(terms)), enough))
        self._least = least if terms else 0
        self._asks = TermReader(question, [term for term in topic_terms(question) if term in _VERBS])
        self._names = () if plan.reformulated else find_names(plan.question)

    def bears_out(self, item: Evidence) -> bool:
        text = frozenset(analyze_terms(_whole(item)))
        if not all(any(way <= text for way in name.ways) for name in self._names):
            return False
        sentences = ((unicodedata.normalize("NFC", said), place) for said, place in with_its_place(item))
        return any(self._says(said, place, item.chunk.title) for said, place in sentences)

    def _says(self, said: str, place: str, title: str) -> bool:
        near = self._read(place)
        lacking = self._least - len(near | self._read(title)) - bool(self._asks(said))
        if lacking > 1 or (self._least and not near):
            return False
        figures = read_figures(said)
        if any(self._counts_outright(figure, said) for figure in figures):
            return True
        if lacking > 0:
            return False
        given = any(_stands_alone(figure, said) or self._is_of_the_kind(figure, said) for figure in figures)
        return given or self._says_without_figure(fold(said)) or self._counts_one(said)

    def _is_of_the_kind(self, figure: Figure, said: str) -> bool:
        return figure.unit in self._units if self._counted is None else self._counts(figure, said)

    def _says_without_figure(self, folded: str) -> bool:
        """«Ilimitado», «por unanimidad»; of what is counted where it is named near: «el número de mesas se fijará»."""
        if self._counted is None:
            return self._kind.said.search(folded) is not None
        if self._otherwise and re.search(_IN_COPIES, folded):  # «¿cuántas copias?»
            return True
        return any(self._names_it(folded, *match.span()) for match in self._kind.said.finditer(folded))

    def _names_it(self, said: str, start: int, end: int) -> bool:
        """Whether what is counted stands near a stretch of a sentence."""
        return self._is_named(said[max(0, start - _NEAR) : end + _FOLLOWS])

    def _counts(self, figure: Figure, said: str) -> bool:
        """Whether a figure is of what is counted: it stands near, and a unit or a noun follows."""
        named = self._names_it(said, figure.start, figure.end)
        if figure.unit in _MEASURES:
            by_time = figure.unit in _TIME and not _TERM.search(fold(said))
            beside = by_time and (self._otherwise or self._is_named(said))
            return (named or beside) and figure.unit in _COUNTED_IN and not _OF_AGE.match(said, figure.end)
        if not _is_whole(figure, said):
            return False
        clause = _OPENS.search(said[: figure.start])
        if clause and (clause["colon"] or _CLOSES.match(said, figure.end)):
            named = named or self._otherwise or self._is_named(clause[0])
            return named
        composed = self._otherwise or _COMPOSED.search(fold(said)) is not None
        return (named or composed) and _NOUN.match(said, figure.end) is not None

    def _counts_outright(self, figure: Figure, said: str) -> bool:
        """«Tres (3) cuotas», for «¿cuántas cuotas?»: one more word of the question."""
        after = _SAME_CLAUSE.match(said, figure.end)
        return after is not None and _is_whole(figure, said) and self._is_named(after[0])

    def _is_named(self, part: str) -> bool:
        """Whether part of a sentence names what is counted."""
        return self._counted is not None and bool(self._counted(part))

    def _counts_one(self, said: str) -> bool:
        """«Una audiencia por año», which is no figure for `figures`."""
        words = tokens(said)
        ones = (nxt for word, nxt in pairwise(words) if word in _ONE)
        return any(self._counted(nxt) for nxt in ones) if self._counted else False
