"""What a question asks for (a span of time, an amount, who, a definition, a list…), and whether a sentence has it.

Pure functions over folded Spanish text (`query.text.fold`): no accents, lower case.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rag_system.query.text import stem

__all__ = ["Asked", "before_the_copula", "is_kind_word", "read_question", "speaks_of_itself"]

_NUMBER = (
    r"(?:\d[\d.,]*\)?|un|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|catorce|quince|veinte|"
    r"treinta|cuarenta|cuarenta y (?:cinco|ocho|nueve)|sesenta|noventa|cien|ciento (?:veinte|ochenta)|medio|media)"
)
_HOURS = (  # «de ocho a cinco», «a las nueve de la mañana», «al mediodía»
    r"\b(?:(?:de|desde|a|hasta) (?:la una|(?:las )?(?:dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce))"
    r" (?:a|hasta|y|en punto|de la (?:ma[nñ]ana|tarde|noche))|mediodia|medianoche|[ap]\. ?m\.)"
)
_UNIT = r"(?:dias?|horas?|semanas?|meses|mes|a[nñ]os?|minutos|quincena)"
_SPAN_OF_TIME = rf"\b{_NUMBER} (?:primer[oa]s )?{_UNIT}\b"
_MONTHS = "enero|febrero|marzo|abril|mayo|junio|julio|agosto|setiembre|septiembre|octubre|noviembre|diciembre"
_DAYS = r"lunes|martes|miercoles|jueves|viernes|sabados?|domingos?"
_DEFINES = (
    r"\b(?:que (?:es|son|significa\w*|se entiende|se considera\w*|quiere decir)|significado|defin\w+|concepto de|"
    r"en que consisten?|a (?:que|quien(?:es)?) se (?:llama|denomina|considera))\b"
)
# «¿Cuándo procede…?» asks for cases, not for a date.
_IN_WHICH_CASES = (
    r"(?:no\b|procede|corresponde|se (?:considera|aplica|requiere|necesita|exige|entiende|produce|configura)|"
    r"es (?:necesari|obligatori|nul|posible)|existe|hay\b)"
)
# «¿Cuándo no se necesita…?», «¿en qué casos no…?», «¿qué excepciones…?»
_WITHOUT = (
    r"(?:(?:cuando|casos|quienes|supuestos|que \w+|a quien(?:es)?) no (?:se )?(?:necesit|requier|exig|aplic|"
    r"proced|hace falta|pid|pag|entreg|pued)\w*|excepci\w+|except[uú]\w+|exonerad\w*)"
)
_ANY_NUMBER = 0.15  # worth of a number of whatever it be
_OF_OTHERS = 0.5
_GROUNDS = "causas?|causales|causal|motivos?|razon(?:es)?|supuestos"
_LIST = (
    r"\b(?:cuales son (?:l[oa]s)|que (?:requisitos|documentos|derechos|deberes|obligaciones|funciones|causas|causales|"
    r"motivos|razones|supuestos|faltas|principios|pasos|clases|tipos|casos|condiciones|temas|medidas|datos|sanciones|"
    r"recomendaciones|beneficios|atribuciones|competencias|facultades|impedimentos|elementos)|requisitos|pasos|"
    r"lista de|enumera\w*|que (?:se hace|hago|hacer|debo hacer)|que (?:esta|se|queda) prohib\w*|que prohibiciones|"
    r"como (?:se )?(?:tramit|solicit|inscrib|obten|obtien)\w*|"
    r"que (?:debe|deben|tiene que) (?:contener|incluir|tener|llevar|presentar|decir))\b"
)

# What a question asks for → what a sentence that answers it holds, and what that is worth (units of coverage).
_KINDS: tuple[tuple[str, str, float], ...] = (
    (
        r"\bplazos?\b|\bcuant[oa]s? (?:dias|horas|meses|semanas|a[nñ]os|tiempo)\b|\ben cuanto\b|\banticipacion\b|"
        r"\b(?:demora|dura|tarda|vence|caduca|prescribe)\w*|\b(?:hasta|desde) cuando\b|\bduracion\b|\bvigencia\b|"
        r"\bcuanto (?:se )?(?:puede |tarda |demora )",
        rf"{_SPAN_OF_TIME}|\bind(?:efinid|eterminad)[oa]\b|\bel mismo dia\b|\bmes siguiente\b|\bfecha a fecha\b|"
        r"\ben tanto (?!que\b|se trat)|\bmientras (?:dure|persist|subsist|se manten)\w*",
        0.3,
    ),
    (
        rf"\b{_WITHOUT}",
        r"\bno (?:se )?(?:requier|necesit|exig|aplic|proced|sera|es (?:necesari|exigible|obligatori|aplicable))|"
        r"\b(?:except|excluid|exonerad|exim|inaplicab)\w*|\bsalvo\b|\bsin (?:necesidad|que sea)\b",
        0.3,
    ),
    (
        r"\bcada cuanto\b|\bfrecuencia\b|\bperiodicidad\b|\bcuantas veces\b",
        r"\b(?:diari[oa]|semanal|quincenal|mensual|bimestral|trimestral|semestral|anual|cada|veces|vez|"
        r"al (?:mes|a[nñ]o))\w*",
        0.4,
    ),
    (
        rf"\b(?:cuando(?! {_IN_WHICH_CASES})|fechas?|que dias?|que mes(?:es)?|a que hora|horario)\b",
        rf"\b(?:{_MONTHS}|{_DAYS}|quincena|dentro de|a partir de|vencimiento|antes de|vez (?:por|al) mes|\d+:\d\d)\b|"
        rf"{_HOURS}|{_SPAN_OF_TIME}",
        0.25,
    ),
    (
        r"\b(?:multas?|monto|costo|cuesta|cobr(?:an?|o|aran?)|gratis|precio|tasa|sobretasa|sueldo|remuneracion|impuesto|pagar?n?|pagan|paga|"
        r"porcentaje|tope|presupuesto|indemnizacion|descuento|de cuanto)\b",
        r"\d ?%|\bs/|\bsoles\b|\buit\b|\bpor ciento\b|\bunidad(?:es)? impositiva|\bremuneracion(?:es)?\b|"
        r"\bgrat(?:is|uit[oa]s?|uitamente)\b|\bsin (?:costo|cobro|pago)\b|\bequivale\w*|\d[.,]\d\d\b|"
        r"\bno (?:esta|estan|se encuentra) (?:sujet|afect)[oa]s? a (?:cobro|pago|costo)\b",
        0.3,
    ),
    (
        r"\b(?:multas?|sancion\w*|castig\w+|pena|que (?:me |le )?pasa si|que ocurre si)\b",
        r"\b(?:multas?|sancion\w*|suspension|inhabilitacion|destitucion|amonestacion|pena|privativa|responsabilidad|"
        r"indemnizacion|uit|nul[oa]|pierde|cancelacion|clausura|interes(?:es)?)\b",
        0.15,
    ),
    (r"\b(?:cuant[oa]s?|edad|maxim[oa]|minim[oa])\b", rf"\d|\b{_NUMBER}\b", _ANY_NUMBER),
    (
        r"\b(?:quien|quienes|autoridad|competente|encargad[oa]s?|responsables?)\b",
        r"\b(?:corresponde|compete|competente|a cargo|responsable|encargad[oa]|ministerio|autoridad|empleador|"
        r"titular|juez|direccion|gerencia|consejo|comite|entidad|oficina|superior|organo|jef[ea]|president[ea]|"
        r"trabajadores|obligad[oa]s?|tienen derecho)\b",
        0.15,
    ),
    (
        r"\b(?:puedo|pueden?|podemos|se permite|permitid[oa]|prohibid[oa]|esta prohibido)\b",
        r"\b(?:puede[n]?|podra[n]?|prohibid[oa]|prohibe|derecho|no procede|nul[oa]|obligad[oa]s?|facultad|permite|"
        r"solo|si,|no\b)",
        0.12,
    ),
    (
        r"\b(?:debo|debe|deben|obligad[oa]s?|obligar|obligatori[oa]|es necesario|necesito|tengo que|derecho a)\b",
        r"\b(?:debe[n]?|debera[n]?|obligad[oa]s?|obligatori[oa]|derecho|no es (?:necesario|obligatorio)|exige\w*|"
        r"requiere\w*|facultativ[oa])\b",
        0.1,
    ),
    (
        r"\b(?:donde|ante quien|en que (?:lugar|ventanilla|oficina|sede|pagina|portal|sitio|diario|medio))\b",
        r"\b(?:ante|en la sede|en el local|oficina|registro|lugar|domicilio|ventanilla|institucion|local|sede|"
        r"entidad|mesa de partes|agencias?|portal(?:es)?|paginas?|sitios? web|plataforma|diario|periodico|"
        r"(?:pagina|sitio|portal) (?:web|institucional)|internet|banco de la nacion|establecimientos?)\b",
        0.15,
    ),
    (
        rf"\b(?:que|cuales|cuales son l[oa]s) (?:{_GROUNDS})\b|\bpor que\b",
        rf"\b(?:{_GROUNDS}|por (?:haber|no|la|el|las|los|\w+cion|\w+miento|muerte|renuncia|falta|sentencia)|cuando|"
        r"en caso|debido a|a causa de|en razon de|a consecuencia|siempre que)\b",
        0.15,
    ),
)
_ASKS = tuple((re.compile(asked), re.compile(answer), worth) for asked, answer, worth in _KINDS)
_OF_AMOUNTS, _OF_SANCTIONS = (
    next(kind for kind, (asked, *_) in zip(_ASKS, _KINDS, strict=True) if name in asked)
    for name in ("multas?|monto", "multas?|sancion")
)
_ASKS_DEFINITION, _ASKS_LIST = re.compile(_DEFINES), re.compile(_LIST)
_COUNTED = re.compile(r"\bcuant[oa]s (\w{4,})")
_A_NUMBER = re.compile(rf"\d[\d.,]*|{_NUMBER}")
# Possessive: signs and points that go on for pages are passed over once.
_OPENING = r"\W*+(?:\d[\d.]*+\W*+|[a-z]\)\s++)?"
_COPULA = re.compile(
    r"\b(?:es|son|se entiende\w*|entiendese|se considera\w*|se denomina\w*|se define\w*|consisten?|constituyen?|"
    r"se caracteriza\w*|comprende|significa)\b|[:.] "
)
# «Para efectos de la presente ley, el aula es…»
_FOR_THIS_NORM = re.compile(r"^\W*+(?:para|a) (?:los )?(?:efectos|fines) del? [^,.:]{3,60}, ")
_DENIED = re.compile(r"\bno (?:se )?$")
_WHAT_IT_IS = re.compile(
    r"\W*(?:el|la|los|las|lo|un|una|unos|unas|aquel\w*|tod[oa]s?|cualquier\w*|quien(?:es)?|modalidad|forma|tipo|"
    r"conjunto|proceso|documento|derecho|acto|beneficio|medio|instrumento|persona|organo|entidad|procedimiento|"
    r"contrato|acuerdo|sistema|mecanismo|tributo|impuesto)\b"
)
_TURNED = re.compile(
    rf"{_OPENING}(?:es|son|se entiende por|entiendase por|se considera|se consideran|se denomina|"
    r"denominase|constituyen?)\s+(?P<subject>[^,:]{3,80}?)(?:,|:| (?=(?:el|la|los|las|aquel\w*|tod[oa]s?|a) ))"
)
_KIND_WORD = re.compile(
    r"plazos?|termino|tiempo|duracion|dias?|horas?|mes|meses|a[nñ]os?|demora\w*|dura\w*|tarda\w*|fechas?|monto|cuesta\w*|"
    r"costo|precio|paga\w*|porcentaje|cuantia|tope|lugar|persona|autoridad|quien\w*|cuant\w+|cuando|cada"
)
# «El plazo es de…»: the sentence sets the figure, it does not only mention one.
_SETS = re.compile(
    r"\b(?:es|son|sera|seran|dura|no (?:podra |puede |debe )?(?:exceder|excede|ser)\w*|equivale\w*|asciende|"
    r"tienen? derecho|otorga\w*|paga\w*|percib\w+|resuelv\w+|dentro|maximo|minimo|hasta|en (?:el|un) plazo) "
    rf"(?:\w+ ){{0,6}}{_NUMBER}\b|\b(?:es|son|sera|seran) (?:igual|equivalente)s? (?:al?|en)\b"
)
_TIMES = "plazos?|termino|periodo|duracion|vigencia|fecha|horario"
_AMOUNTS = "monto|multas?|tasa|sobretasa|indemnizacion|remuneracion|costo|porcentaje|cantidad|numero"
_TIME, _AMOUNT, _OF_THE_KIND = (
    re.compile(rf"{_OPENING}(?:el|la|los|las) (?:\w+ )?(?:{kinds})\b")
    for kinds in (f"{_TIMES}|pago|abono|entrega", _AMOUNTS, f"{_TIMES}|{_AMOUNTS}|pago")
)
_ASKS_TIME = re.compile(
    rf"\b(?:cuando(?! {_IN_WHICH_CASES})|(?:que|cual es el|cuanto) plazo|cuanto tiempo|"
    r"cuant[oa]s (?:dias|horas|meses|semanas|a[nñ]os)|que (?:fecha|dia|mes)|fecha)\b"
)
_ASKS_AMOUNT = re.compile(r"\b(?:cuanto|cuanto se|monto|de cuanto) (?:cuesta|paga|cobra|debo pagar|es)\b|\bmonto\b")
# «¿Quién paga…?», «¿a dónde va la multa?»: no amount and no sanction, whatever the verb. «¿Qué multas hay para quien…?»
# asks for them: only where a question begins with it is the word no relative.
_ASKS_NO_FIGURE = re.compile(
    r"(?:^|[¿,;:.])\W*(?:(?:y|o|pero|a|ante|con|de|en|hacia|hasta|para|por|sobre|dime|saber) )*"
    r"(?:quien(?:es)?|donde|por que)\b"
)
_ASKS_FIGURE = re.compile(
    r"\bcuant[oa]s?\b|\b(?:que|cual es (?:el|la)) (?:multa|pena|sancion|monto|porcentaje|tasa|costo|precio|tope)\b"
)
# What a sentence says first of the thing asked for: who it is up to, whether it may be done.
_ASKS_WHO = re.compile(r"\b(?:quien(?:es)?|que (?:entidad|organo|autoridad|institucion|oficina|ministerio))\b")
_NAMES_WHO = re.compile(
    r"\b(?:a cargo del?|(?:corresponden?|competen?|incumben?) al?|(?:es|son) competentes?|"
    r"se encargan?|tienen? a su cargo|(?:por|de) cuenta del?|asum(?:e|en|ira|iran) |"
    r"(?:es|son|sera|seran) (?:\w+ )?(?:responsables?|encargad[oa]s?)|"
    r"\w+[ai]d[oa]s? por (?:el|la|los|las|un|una)|(?:es|sera) (?:tomada|ejercida|resuelto|resuelta|dictada) por)\b"
)
_ASKS_LEAVE = re.compile(
    r"^\W*(?:se )?(?:puede|pueden|puedo|podemos|podria|es (?:posible|legal|valido)|esta (?:permitido|prohibido)|"
    r"me pueden|pueden)\b"
)
_GIVES_LEAVE = re.compile(
    r"^\W*(?:\S+ ){0,12}?(?:(?:queda|esta|quedan|estan) (?:terminantemente )?prohibid[oa]s?|se prohibe|"
    r"(?:no )?podran?\b|(?:no )?pueden?\b|no procede|es nul[oa]|tienen? derecho|"
    r"no es(?:ta)? (?:permitid|posible)|no son \w+ables)"
)
_CONDITION = re.compile(
    r"^\W*(?:\d[\d.]*\W+|[a-z]\)\s+)?"
    r"(?:si |en caso\b|de no |excepcionalmente|como excepcion|cuando |tratandose |salvo )"
)
_SUPPOSES = re.compile(r"\b(?:si|en caso|cuando|excepci\w+|que (?:pasa|ocurre|sucede)|siendo|tratandose|salvo)\b")
# A document that tells of itself; the recitals of a norm; an editor's lines around it.
_ITSELF = re.compile(
    r"^\W*+(?:por lp|compartimos|est[ea] (?:guia|pagina|manual|articulo|documento|directiva)\b|documento de muestra|"
    r"el resto del articulo|notas?:|respuestas de |considerando|visto|que, |"
    r"que (?:el|la|los|las|en|de|del|mediante|por|con|conforme|segun|asimismo|ademas|resulta|"
    r"es|se|a|al|dicha|dicho) |tabla \w+\.|codigo [a-z]+-)|"
    r"diario oficial|control ?\+ ?f|publicad[oa] (?:en|el)|el texto oficial prevalece|"
    r"una entidad de ejemplo|"
    r"\[(?:ley|decreto|resolucion|ordenanza|circular|acuerdo) [^\]]{4,60}\]\W*$"  # a link to another norm
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a question asks for."""

    kinds: tuple[tuple[re.Pattern[str], re.Pattern[str], float], ...]
    defines: bool
    lists: bool
    counted: str  # stem of what «cuántos …» counts, or empty
    of_time: bool = False  # a date or a span of time, and no amount
    who: bool = False
    leave: bool = False  # whether something may be done
    supposes: bool = False  # a case, or an exception

    def worth(self, folded: str) -> float:
        """0…0.4: the worth of the best kind that a sentence holds of those asked for.

        Where something is counted, a number of something else («apartado 5.7») is worth less.
        """
        held = max((worth for _, answer, worth in self.kinds if answer.search(folded)), default=0.0)
        of_others = self.counted and held <= _ANY_NUMBER and not self.counts(folded)
        return held * _OF_OTHERS if of_others else held

    @property
    def something(self) -> bool:
        """Whether it asks for a thing that is known here, as «¿y los accidentes?» does not."""
        return bool(self.kinds) or self.defines or self.lists or self.who or self.leave

    @property
    def most(self) -> float:
        """The worth of the kind that matters most; 0 when none is asked for."""
        return max((worth for *_, worth in self.kinds), default=0.0)

    def sets_a_figure(self, folded: str) -> float:
        """0…1, where a figure is asked for: whether the sentence sets one, and is about it: «El plazo es de … días».

        Nothing where it sets one of another kind: an amount where a date is asked for.
        """
        if self.most < _FIGURES or not _SETS.search(folded) or self.worth(folded) < _FIGURES:
            return 0.0
        if self.of_time and _AMOUNT.match(folded):
            return 0.0
        return 1.0 if (_TIME if self.of_time else _OF_THE_KIND).match(folded) else _ONLY_SETS

    def says_outright(self, folded: str) -> bool:
        """Whether the sentence names who, where that is asked, or allows or forbids where that is."""
        if self.who and _NAMES_WHO.search(folded):
            return True
        return self.leave and _GIVES_LEAVE.match(folded) is not None

    def strays(self, folded: str) -> bool:
        """Whether the sentence holds for a case that the question does not suppose: «Si no recoge la copia, …»."""
        return not self.supposes and _CONDITION.match(folded) is not None

    def counts(self, folded: str) -> bool:
        """Whether a number stands right before the thing that is counted: «93 controles»."""
        if not self.counted:
            return False
        words = folded.split()
        counted = (i for i, word in enumerate(words) if i and stem(word.strip(".,;:()")) == self.counted)
        return any(_A_NUMBER.fullmatch(word.strip("().,")) for i in counted for word in words[max(0, i - 3) : i])


_FIGURES = 0.25  # worth from which a kind is a figure or a date
_ONLY_SETS = 0.4


def read_question(folded: str) -> Asked:
    """What a folded question asks for."""
    counted = _COUNTED.search(folded)
    defines = _ASKS_DEFINITION.search(folded) is not None
    of_time = _ASKS_TIME.search(folded) is not None and _ASKS_AMOUNT.search(folded) is None
    no_sanction = _ASKS_NO_FIGURE.search(folded) is not None and _ASKS_FIGURE.search(folded) is None
    never = [_OF_AMOUNTS] * (of_time or no_sanction) + [_OF_SANCTIONS] * no_sanction
    kinds = tuple(kind for kind in _ASKS if kind[0].search(folded) and kind not in never)
    return Asked(
        kinds=() if defines else kinds,
        defines=defines,
        lists=_ASKS_LIST.search(folded) is not None,
        counted=stem(counted[1]) if counted else "",
        of_time=of_time,
        who=_ASKS_WHO.search(folded) is not None,
        leave=_ASKS_LEAVE.search(folded) is not None,
        supposes=_SUPPOSES.search(folded) is not None,
    )


def before_the_copula(folded: str) -> tuple[str, bool]:
    """What a sentence says something of, and whether it says what that is: «El domicilio es el lugar…».

    The words before «es», «se caracteriza por» or a colon; empty when none. «El acto es eficaz…» only tells of it.
    Norms turn it round: «Son actos administrativos, las declaraciones…», «Entiéndase por domicilio la…».
    """
    folded = _FOR_THIS_NORM.sub("", folded)
    if turned := _TURNED.match(folded):
        return turned["subject"], True
    found = _COPULA.search(folded)
    if found is None or _DENIED.search(folded, 0, found.start()):
        return "", False
    only_tells = found[0] in {"es", "son"} and _WHAT_IT_IS.match(folded, found.end()) is None
    return folded[: found.start()], not only_tells


def is_kind_word(folded: str) -> bool:
    """Whether a word of a question only says what kind of thing is asked for: «plazo», «monto», «dura»."""
    return _KIND_WORD.fullmatch(folded) is not None


_EDITORS = re.compile(r"\W*\(\W*\*\W*\)")  # «(*)»: what follows was added by whoever published the norm


def speaks_of_itself(folded: str) -> bool:
    """Whether a sentence tells of its document, not of its matter: «Esta guía resume…», «Publicado en…»."""
    return _ITSELF.search(_EDITORS.split(folded, maxsplit=1)[0] or folded) is not None
