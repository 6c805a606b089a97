r"""How editors write their notes between the lines of a norm; `rag_system.query.editor_notes` applies it.

Patterns work on the aligned fold of `identifier_grammar`, with «¤» for each star. A note is a sign or a bracket, the
part of the norm, a participle, and the norm that did it; in the clipped style of editors («Artículo 12 modificado por
la Ley 3») it needs no sign.
"""

from __future__ import annotations

import re

from rag_system.query.months import MONTH_PATTERN

__all__ = [
    "AFTERWARDS",
    "ANNOUNCES_NEW",
    "ANNOUNCES_OLD",
    "ANY_DATE",
    "APPARATUS",
    "BARE",
    "BRACKETED",
    "COLON",
    "IMPERSONAL",
    "INLINE",
    "LABEL",
    "LABEL_HINTS",
    "LISTED",
    "MARK",
    "NOTE_HINTS",
    "PARTLY",
    "PLAIN",
    "REFERENCE",
    "SAID_BEFORE",
    "SIGNED",
    "SIGNS",
    "SUPPOSED",
    "WHEN",
    "YEAR_OF_NORM",
]

# A text without any of these has neither a note nor a label: most are told apart so, before they are folded.
NOTE_HINTS = (
    "derog abrog suprimi elimin anulad efecto inconstitucional inexequible nul modific sustitu reemplaz reform "
    "subrogad incorpor agregad adicionad incluid añad rectific precisad vigencia contenido redacci"
).split()
LABEL_HINTS = "texto redacci versi legislaci normativa antes anterior".split()

# ---------------------------------------------------------------- words

_PARTS = (
    r"articulo|art\.|inciso|parrafo|paragrafo|numeral|literal|apartado|disposicion|capitulo|titulo|anexo|fraccion"
    r"|punto|acapite|item|subnumeral|seccion|libro|norma|ley|decreto|reglamento|resolucion|ordenanza|directiva|texto"
    r"|definicion|denominacion|epigrafe|encabezado|rubro|nota|regla|clausula|sumilla"
)
_TENS = "decim|undecim|duodecim|vigesim|trigesim"
_ORDINAL = (
    rf"(?:(?:primer|segund|tercer|cuart|quint|sext|septim|setim|octav|noven|{_TENS})[oa]?"
    r"|unic[oa]|(?:pen|antepen)?ultim[oa])"
)
_OF_PART = rf"(?:{_PARTS})(?:e?s)?"
_REPEALED = r"derogad[oa]s?|abrogad[oa]s?|suprimid[oa]s?|eliminad[oa]s?|anulad[oa]s?|dejad[oa]s? sin efecto"
_STRUCK_DOWN = r"inconstitucional(?:es)?|inexequibles?"
_STRUCK = rf"(?:declarad[oa]s?\s+)?(?:{_STRUCK_DOWN})(?:\s+y\s+nul[oa]s?)?|declarad[oa]s?\s+nul[oa]s?"
_REPLACED = r"modificad[oa]s?|sustituid[oa]s?|reemplazad[oa]s?|reformad[oa]s?|subrogad[oa]s?|redaccion dada"
_ELSE = r"incorporad[oa]s?|agregad[oa]s?|adicionad[oa]s?|incluid[oa]s?|añadid[oa]s?|rectificad[oa]s?|precisad[oa]s?"
_VERB = (
    rf"(?P<verb>(?P<repealed>{_REPEALED})|(?P<struck>{_STRUCK})|(?P<replaced>{_REPLACED})|(?P<else>{_ELSE}))(?![a-zñ])"
)
_WAS = r"(?:fue|fueron|ha sido|han sido|queda|quedo|esta|posteriormente|luego|tacitamente|expresamente|y)"
_NORM = (
    r"art(?:iculos?|s?\.)|ley(?:es)?|decretos?|d\.?\s?(?:l|s|u|leg)\b|d-l|resoluci|ordenanza|disposici|sentencia"
    r"|corte\b|tribunal|expediente|exp\.|acto legislativo|acuerdo|circular|reglamento|codigo|constituci|dof\b"
    r"|b\.?\s?o\b|fe de|numeral|literal|inciso|directiva|orden\b|real decreto|norma|r\.?\s?[ms]\.?\b"
    rf"|(?:primera?|segunda|tercera?|unica|cuarta|quinta|sexta|septima|setima|octava|novena|(?:{_TENS})[oa])\b"
)
_BY = (
    r"[^;:\n]{0,60}?\b(?:por|mediante|segun|conforme|de acuerdo|en virtud|(?=dof\b|b\.?\s?o\b)):?"
    rf"[^;:\n]{{0,80}}?\b(?:{_NORM})"
)

# ---------------------------------------------------------------- notes

_SIGN = r"(?:\(\\?¤{0,4}\)|¤{1,4}(?=\s|\()|\(\d{1,3}(?:-[a-z])?\)|\[\d{1,3}\])"
_OPENER = rf"(?P<sign>(?:\s*{_SIGN})*)\s*(?P<bracket>[(<\[]?)\s*"
_HEAD = r"(?P<head>(?:notas?(?:\s(?:infoleg|spij|del? (?:editor|redactor|vigencia|la redaccion)))?\s*[:.-]+\s*)?)"
_WHO = r"(?:(?:el|la|los|las|este|esta|presente)\s+){0,2}"
_PART = rf"(?:{_ORDINAL}\s+(?:y\s+{_ORDINAL}\s+)?)*(?P<part>{_PARTS})(?:e?s)?(?![a-zñ])"
_NUMBER = r"(?P<number>\d{1,4}(?:[.-]\d{1,3})*(?:-[a-z](?![a-z]))?|[a-zñ]{1,2}(?=\))|[a-z](?=\s)|[ivxlc]+(?![a-z]))?"
# What may stand between the part and its participle in the clipped style: numbers, ordinals, «del artículo 44°».
_CLIPPED = rf"""(?:[\s,]+(?:\(?\d[\w.°-]*\)?°?|[("“«]?[a-zñ]{{1,2}}[)"”»]?|[ivxlc]+|del?|la|las|los|el|{_ORDINAL}|y
    |original|{_OF_PART}|presente|tabla|codigo|tributario|preliminar|final(?:es)?|complementarias?|transitorias?
    )(?![a-zñ])){{0,14}}""".replace("\n", "").replace("    ", "")
_ITEM_MARK = r"(?:[a-zñ]{1,2}\)|[a-zñ]\.|\d{1,3}(?:\.\d{1,3})*[.)-]?|[ivxlc]{1,6}[.)-])"

SIGNS = re.compile(rf"(?:\s*{_SIGN})*\s*")
SIGNED = re.compile(
    rf"{_OPENER}{_HEAD}{_WHO}(?:{_PART}\s*{_NUMBER}[^;:\n]{{0,110}}?\b)??(?:{_WAS}\s+)*{_VERB}(?P<by>{_BY})?"
)
PLAIN = re.compile(rf"\s*(?:{_ITEM_MARK}\s+)?{_PART}\s*{_NUMBER}{_CLIPPED}[\s,]+(?:{_WAS}\s+)*{_VERB}{_BY}")
# «Redacción dada por: Ley N° 19.889 de 09/07/2020 artículo 12», «Derogado/s por: …», in a list of notes
LISTED = re.compile(rf"\s*{_VERB}(?:/[ao]?s?)?\s+por\s*:\s*(?:{_NORM})")
# «Se deroga el apartado 3 por la disposición derogatoria única de la Ley 3/2012»
IMPERSONAL = re.compile(
    rf"{_OPENER}{_HEAD}se\s+(?:(?P<repealed>derogan?|suprimen?|dejan? sin efecto)"
    r"|(?P<struck>declaran?\s+(?:la\s+)?inconstitucional\w*(?:\s+y\s+(?:nul[oa]s?|nulidad))?)"
    r"|(?P<replaced>modifican?|redactan?)|(?P<else>añaden?|incorporan?))"
    rf"(?:\s+(?:el|la|los|las|del|de la)\s+{_PART}\s*{_NUMBER}[^;:,]{{0,40}}?)?"
    rf",?\s+por\s+(?:(?:el|la|los|las)\s+)?(?P<by>{_NORM})"
)
# The whole text: «IV. (Se deroga).», «Artículo 120.- Derogado»
BARE = re.compile(
    rf"\s*(?:{_ITEM_MARK}\s*|art(?:iculo|\.)\s*\S{{1,8}}\s*-?\s*)?(?:"
    rf"(?:(?P<part>{_PARTS})\s+)?(?:se derogan?|derogad[oa]s?|abrogad[oa]s?|(?P<struck>{_STRUCK_DOWN}))"
    rf"|<\s*(?P<tagged>{_PARTS})\s+(?:\w+\s+)?(?P<tag>{_STRUCK})\s*>"
    rf"|[(\[<]\s*(?:{_OF_PART}\s+)?(?:se derogan?|sin contenido|{_REPEALED}|(?P<voided>{_STRUCK}))\s*[)\]>]"
    r")\s*[.\s]*"
)
# Its beginning: «[Derogada] Disposición derogada por …»
BRACKETED = re.compile(
    rf"\s*(?:{_SIGN}\s*)*[(\[<]\s*(?:se derogan?|derogad[oa]s?|abrogad[oa]s?|(?P<struck>{_STRUCK_DOWN}))\s*[)\]>][.\s]*"
)
AFTERWARDS = re.compile(rf"\b(?:posteriormente|luego|despues|finalmente)\b.{{0,30}}?\b(?:{_REPEALED})")
PARTLY = re.compile(
    r"\bque se (?:le |les )?opong|\ben (?:lo|cuanto|el extremo|los extremos|tanto)\b|\bcon excepcion\b|\bsalvo\b"
    r"|\bexcepto\b|\bparcialmente\b|\benunciados?\b|\bfrases?\b|\bexpresion(?:es)?\b|\bapartes?\b|\bpalabras?\b"
    r"|\bterminos? [\"“«]"
)
SUPPOSED = re.compile(r"\bestaria\b|\bhabria\b")

ANNOUNCES_NEW = re.compile(
    r"(?:cuy[oa]s?|con el|nuev[oa]|siendo su|el|su|los|la|quedando)\s+(?:siguiente\s+)?(?:nuevo\s+)?"
    r"(?:texto|tenor|redaccion|terminos?|redactad[oa])\b.{0,60}\bsiguientes?\b|\ben los siguientes terminos\b"
    r"|\bcon (?:el siguiente|la siguiente) (?:texto|tenor|redaccion)\b|\bquedando redactad[oa]\b"
)
ANNOUNCES_OLD = re.compile(
    r"\b(?:antes|anteriormente|hasta entonces)\b.{0,50}\b(?:redactad[oa]|decia|establecia|señalaba|disponia)"
)
COLON = re.compile(r"siguientes?(?: terminos| texto| tenor)?\s?:\s|(?:redactad[oa]|decia) asi\s?:\s")

APPARATUS = re.compile(
    r"\(?¤|\(\)\s|concordancias?\b|enlace web|jurisprudencia|ver jurisprudencia|nota (?:spij|infoleg)\b"
    r"|antecedentes normativos\b|\(?texto segun\b"
)
REFERENCE = re.compile(rf"\(?ver\s[^.;:]{{0,60}}?\b(?:{_NORM})")

# ---------------------------------------------------------------- labels

LABEL = re.compile(
    r"\W*(?:texto|redaccion|version|legislacion|normativa)\s+(?:"
    r"(?P<old>anterior(?:es)?|derogad[oa]|primitiv[oa]|no vigente|sustituid[oa]"
    r"|vigente\s+(?:hasta|antes)\b[^:\n]{0,60})"
    r"(?:\s+(?:a|al|de|del|por|segun|en|\()[^:\n]{0,120})?"
    r"|original\s+(?P<original>(?:de la|del?)\s+(?:\d|articulo|ley|decreto|codigo|inciso|numeral|parrafo)[^:\n]{0,120})"
    r"|(?P<bare>original)"
    r"|(?P<new>vigente|actual|en vigor)(?:\s+(?:desde|a partir)\b[^:\n]{0,60})?"
    r")\s*(?P<end>[:.]?)[\s)\]>¤]*"
)
SAID_BEFORE = re.compile(r"\W*(?:antes|anteriormente)\s+(?:decia|establecia|señalaba|disponia)\s*:|\W*decia antes\s*:")

# ---------------------------------------------------------------- where they stand inside a text

INLINE = re.compile(
    rf"(?<=[\w.;:\"”»)-])\s*(?=(?:{_SIGN}\s*)+(?:{_PARTS}|{_ORDINAL}|derogad|rectificad)"
    rf"|[(<]\s*(?:{_ORDINAL}\s+)*(?:{_PARTS})\b[^()<>]{{0,120}}?(?:ad|id)[oa]s?\b|<\s*(?:{_PARTS})\s)"
)
MARK = re.compile(
    r"[\s\"“”«»'-]*(?:\(\d{1,3}\)\s?(?=[a-zñ]{1,2}[.)]|\d{1,2}[.)]))?"
    r"(?P<mark>\(?[a-zñ]{1,2}\)|[a-zñ]\.(?=[-\s])|\(\d{1,3}\)|\d{1,3}(?:\.\d{1,3})+\.?(?=[\s-]|$)"
    r"|\d{1,3}[.)](?=[-\s]|$)|[ivxlc]{1,6}[.)](?=[-\s]|$)|-(?=\s))"
)

# ---------------------------------------------------------------- when

_NUMERIC_DATE = r"\d{1,2}\s?[-./]\s?\d{1,2}\s?[-./]\s?(\d{4}|\d{2})(?!\d)"
_WORDED_DATE = rf"(?:\d{{1,2}}\s+)?(?:de\s+)?{MONTH_PATTERN}\s+(?:del?\s+(?:año\s+)?)?(\d{{4}})"
WHEN = re.compile(
    r"(?:publicad[oa]s?|b\.?\s?o\.?|dof|de fecha|vigente hasta|vigencia)\b[^;()]{0,40}?"
    rf"(?:{_NUMERIC_DATE}|{_WORDED_DATE})"
)
ANY_DATE = re.compile(rf"{_NUMERIC_DATE}|{_WORDED_DATE}")
YEAR_OF_NORM = re.compile(r"\bde(?:l año)? ((?:19|20)\d\d)\b|[/-]((?:19|20)\d\d)\b")
