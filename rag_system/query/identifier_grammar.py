"""How norms and standards are written: the names that announce them and the numbers that follow.

Patterns work on an *aligned fold* of the text: lower case, no accents, typographic dashes and spaces made plain, one
character for each original character, so that positions hold. `rag_system.query.identifiers` applies them.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

__all__ = ["HINT", "KNOWN_ISO", "LIST_JOINT", "NAMES", "NUMBERS", "Name", "NumberForm", "aligned_fold", "aligned_plain"]


# ---------------------------------------------------------------- the aligned fold


def _aligned_table() -> dict[int, str]:
    table = dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2212, 0xFE58, 0xFF0D), "-")
    table |= dict.fromkeys((0x09, 0x0A, 0x0D, 0xA0, 0x2007, 0x2009, 0x202F, 0x200B, 0x3000, ord("_")), " ")
    table |= {ord("º"): "°", ord("ª"): "°", ord("˚"): "°", ord("№"): "#", ord("*"): "°", ord("’"): "'"}
    table |= {code: chr(code - 0xFEE0) for code in (*range(0xFF10, 0xFF1A), *range(0xFF41, 0xFF5B))}  # full width
    for code in range(0xC0, 0x250):
        base = unicodedata.normalize("NFD", chr(code).lower())[0]
        table[code] = "ñ" if chr(code) in "ñÑ" else base
    return table


_ALIGNED = _aligned_table()


def aligned_fold(text: str) -> str:
    """A plain copy of a composed (NFC) text with the same length, so that positions hold in both."""
    low = text.lower()
    return (low if len(low) == len(text) else text).translate(_ALIGNED)


def aligned_plain(text: str) -> str:
    """The aligned fold of any text, composed where that keeps its length: positions hold in the text itself."""
    composed = text if text.isascii() else unicodedata.normalize("NFC", text)
    return aligned_fold(composed if len(composed) == len(text) else text)


# ---------------------------------------------------------------- pieces

_YEAR = r"(?:19|20)\d\d"
_UNITS = (
    r"(?:dias?|meses|mes|anos?|horas?|minutos?|semanas?|soles|dolares|pesos|euros|uit|trabajador(?:es)?|empleados|personas"
    r"|empresas|veces|por\s+ciento|%|paginas|kilos|kg|metros|km|servidores|articulos?|capitulos|casos|puntos|alumnos)"
)

# N°, N.º, No., Nro., núm., #
MARK = r"(?:n\s?\.?\s?[°o]s?\.?|n\.?\s?os?\.|nros?\.?|nrs?\.?|nums?\.?|numeros?|n\.?(?=\s?\d)|\#)"
_TO_NUMBER = rf"[\s.,:(«\"'-]*(?:{MARK}[\s.:-]*)?"

# Ministries and offices that close a number when it is typed with spaces («912 2006 minsa»).
_OFFICES = (
    r"(?:jus|pcm|tr|ef|sa|minsa|minam|mtc|produce|mimp|mimdes|minedu|ed|in|re|ag|minagri|midagri|em|mem|mc|mincul|de|mindef"
    r"|vivienda|itinci|mincetur|midis|minjus|mininter|mtpe|mef|sunat|servir|indecopi|osce|sbs|cg|inen|susalud|sunafil)"
)
_NOT_OFFICE = r"(?!(?:tuo|reglamento|anexo|texto|ley|version|final|actualizad[oa]|vigente|pdf|docx?|html?|txt|md)\b)"


class NumberForm:
    """How the numbers of a family of norms are written: the first one, and one further down a list."""

    __slots__ = ("first", "item")

    def __init__(self, *, first: str, item: str = "", lead: str = _TO_NUMBER) -> None:
        self.first = re.compile(lead + first, re.VERBOSE)
        self.item = re.compile(item, re.VERBOSE) if item else None


_END = r"(?![\da-zñ]|[./:-]\d|,\d{3}(?!\d))"  # a number ends where neither a letter nor more number follows
_OF_YEAR = rf"(?:\s*,?\s*del?\s+(?:ano\s+)?(?P<edition>{_YEAR})(?!\d|\s*[-/]))?"  # «de 2012»
_PUBLISHED = rf"(?:-(?P<published>{_YEAR})(?![\d-]))?"  # LEY-29733-2011
_NOT_UNIT = rf"(?!\s*{_UNITS}(?![a-zñ]))"

_SLASHED = rf"(?P<slash>(?:\d{{1,4}}\s?/\s?(?:{_YEAR}|\d\d)|\d{{1,3}}-{_YEAR}))(?![\d/-])"  # 39/2015, 30/92
_THOUSAND = r"\d{1,2}(?:[.,']\s?|\s{1,2})\d{3}"  # 29.733, 31 047
_NUMBER = rf"(?:(?P<thousand>{_THOUSAND})|(?P<number>\d{{1,5}}))"
_ITEM = rf"(?:(?P<thousand>{_THOUSAND})|(?P<number>\d{{3,5}}))"

_COMPOUND = rf"""
    (?P<number>\d{{1,6}}) (?:\s?[-/]\s?|\s)
    (?P<year>{_YEAR}|(?<=[-/])\d\d|(?<=[-/]\s)\d\d) (?!\d)
    (?P<suffix>
        (?: \s?[-/]\s? {_NOT_OFFICE} [a-z]{{2,}} | \s {_OFFICES}(?![a-zñ]) )
        (?: [-/.] {_NOT_OFFICE} (?:[a-z]+|\d{{1,2}}(?:\.\d{{1,2}})*) (?![\da-zñ]) )*
    )?
    (?![a-zñ])
"""

_ISO_NUMBER = r"(?P<number>\d{3,5}(?:-\d{1,2}(?!\d))?)(?![\da-zñ]|\.\d)"
_NOM_OFFICE = r"[\s/-]+(?:stps|ssa\d?|semarnat|ecol|scfi|sede|sct\d?|ener|se|nucl|sedg|zoo)(?![\da-zñ])"

NUMBERS: dict[str, NumberForm] = {
    # 29733, 29.733, 31 047, 39/2015, «1581 de 2012»
    "law": NumberForm(
        first=rf"(?: {_SLASHED} | {_NUMBER} {_PUBLISHED} {_END} {_OF_YEAR} )",
        item=rf"(?: {_SLASHED} | {_ITEM} {_PUBLISHED} {_END} {_NOT_UNIT} {_OF_YEAR} )",
    ),
    # after a name («ley de conciliación 26872»): five digits, or fewer with «N.°»
    "named_law": NumberForm(
        first=rf"""
            (?: (?:{MARK})[\s.:-]* {_NUMBER}
              | (?<!\sde\s)(?<!\sy\s)(?<!\so\s)(?<!\sa\s)(?<!\scon\s)(?<!\spor\s)(?<!\sen\s)(?<!\sla\s)(?<!\smas\s)
                (?:(?P<dotted>\d\d\.\d{{3}})|(?P<five>[1-3]\d{{4}})) )
            {_PUBLISHED} {_END} {_NOT_UNIT} {_OF_YEAR}
        """,
        item=rf"{_ITEM} {_END} {_NOT_UNIT} {_OF_YEAR}",
        lead=r"[\s,(]*",
    ),
    # 1412, 1.412, 25844
    "decree": NumberForm(
        first=rf"{_NUMBER} {_PUBLISHED} {_END} {_OF_YEAR}",
        item=rf"{_ITEM} {_PUBLISHED} {_END} {_NOT_UNIT} {_OF_YEAR}",
    ),
    # 004-2019-JUS, 004-2019/JUS, 912 2006 minsa; a plain number is Chilean
    "compound_or_plain": NumberForm(
        first=rf"(?: {_COMPOUND} | (?P<plain>\d{{1,4}}) {_END} {_NOT_UNIT} {_OF_YEAR} )", item=_COMPOUND
    ),
    "compound": NumberForm(first=_COMPOUND, item=_COMPOUND),
    # 1720/2007
    "slashed": NumberForm(first=_SLASHED, item=_SLASHED),
    # «1072 de 2015»
    "numbered": NumberForm(
        first=rf"(?: {_SLASHED} | (?P<number>\d{{1,4}}) {_END} {_NOT_UNIT} {_OF_YEAR} )",
        item=rf"(?P<number>\d{{1,4}}) {_END} \s+del?\s+(?P<edition>{_YEAR})(?!\d)",
    ),
    # 12/2024, «029 de 2014»: never a number alone
    "dated": NumberForm(first=rf"(?: {_SLASHED} | (?P<number>\d{{1,4}}) \s+del?\s+(?P<edition>{_YEAR})(?!\d) )"),
    # HFP/1030/2021
    "order": NumberForm(first=rf"(?P<number>[a-z]{{2,3}}/\d{{1,4}}/{_YEAR})(?![\da-zñ/-])"),
    # 27001:2022, 20000-1:2018, 9001-2015, 9001 (2015), 9001 versión 2015
    "iso": NumberForm(
        first=rf"""
            (?:(?P<thousand>\d{{2}}\.\d{{3}})(?!\d)|{_ISO_NUMBER})
            (?:\s?[:/-]\s?(?P<edition>{_YEAR})(?!\d) | \s?\(\s?(?P<edition_b>{_YEAR})\s?\)
             | \s*,?\s+(?:en\s+su\s+)?(?:version|ver\.?|v\.?|edicion|ed\.?|rev\.?|del?(?:\s+ano)?|ano)?\s*
               (?P<edition_c>{_YEAR})(?![\d/-]) )?
        """,
        item=rf"""
            (?!{_YEAR}(?!\d)) {_ISO_NUMBER} {_NOT_UNIT}
            (?:\s?[:-]\s?(?P<edition>{_YEAR})(?!\d) | \s?\(\s?(?P<edition_b>{_YEAR})\s?\))?
        """,
    ),
    # 035-STPS-2018, 059-SSA1-2015
    "nom": NumberForm(
        first=rf"""
            (?P<number>\d{{1,3}})(?![\d.])
            (?P<suffix>{_NOM_OFFICE}|[/-][a-z]{{2,8}}\d?(?![\da-zñ]))?
            (?:[\s/-]+(?P<year>{_YEAR})(?!\d))?
        """,
        item=rf"(?P<number>\d{{3}})(?![\d.])(?P<suffix>{_NOM_OFFICE})?(?:[\s/-]+(?P<year>{_YEAR})(?!\d))?",
    ),
    # CC-9001-IMNC-2015, R-025-SCFI-2015
    "nmx": NumberForm(first=r"(?P<number>[a-z]{1,3}-\d{3,5}(?:-[a-z]{2,6})?(?:-(?:19|20)\d\d)?)(?![\da-zñ-])"),
    # «la 27444»: the numbers that Peruvian laws have had since 1985
    "bare_law": NumberForm(
        first=rf"(?P<number>(?:2[4-9]|3[0-2])\d{{3}}) {_END} {_NOT_UNIT}", lead=rf"(?:\s+|(?<=\.)|\s?{MARK}[\s.:-]*)"
    ),
    # 350.043-1:2011
    "ntp": NumberForm(
        first=rf"(?P<number>\d{{3}}[.\s]\d{{3}}(?:-\d{{1,2}}(?!\d))?|\d{{2,5}})(?!\d)(?:\s?[:-]\s?(?P<edition>{_YEAR}))?",
        item=rf"(?P<number>\d{{3}}\.\d{{3}}(?:-\d{{1,2}}(?!\d))?)(?!\d)(?:\s?[:-]\s?(?P<edition>{_YEAR}))?",
    ),
    # 2016/679
    "eu": NumberForm(first=r"(?P<eu>679/2016|(?:(?:19|20)\d\d|\d\d)/\d{1,4})(?:/[a-z]{2,3})?(?![\d/])"),
    # «v4», «versión 4.0», «2019», or nothing
    "edition": NumberForm(
        first=rf"""(?:(?:version|ver\.?|v\.?|edicion|ed\.?)[\s-]*)?
                   (?P<edition>{_YEAR}|[1-9]\d?(?:\.\d){{0,2}})(?![\da-zñ%]|[.,/:-]\d) {_NOT_UNIT}""",
        item=r"(?:(?:version|v\.?)\s*(?P<edition>[1-9](?:\.\d)?)|(?P<edition_b>2019))(?![\da-zñ%]|[.,/:-]\d)",
    ),
    # 169 (OIT)
    "oit": NumberForm(first=r"(?P<number>\d{1,3})(?!\d)"),
    # 800-53 rev. 5
    "nist": NumberForm(
        item=r"(?P<number>800-\d{1,3})(?![\da-zñ-])",
        first=r"""(?P<number>\d{3}-\d{1,3}(?:[a-qs-z](?![a-zñ]))?)(?![\d-]|[a-qs-zñ])
                  (?:[\s,(-]*(?:revision|rev\.?|r\.?|version|v\.?)[\s.-]*(?P<edition>\d)(?!\d))?""",
    ),
}

LIST_JOINT = re.compile(
    rf"""\s* (?: , (?:\s*(?:y|e|o|u|ni)\b)? | [;/&+] | \b(?:y/o|y|e|o|u|ni|con)\b | \b(?:vs|versus)\b\.?
              | \s(?=\d{{4,5}}(?!\d)) ) \s*
         (?:(?:de|en|con|a)\s+)? (?:(?:las?|los?|el|del)\s+)? (?:{MARK}\s*)?""",
    re.VERBOSE,
)

# Numbers that people write after «norma» or «la» without saying ISO.
KNOWN_ISO = frozenset(
    """
    9000 9001 9004 10002 10013 10015 12207 13485 14001 14004 14006 14031 14040 14044 14064 14971 15189 15489
    15504 16949 17020 17021 17024 17025 17065 18091 18788 19011 19600 19770 20000 20121 20400 21001 21101 21500
    21502 22000 22301 22313 22316 22320 24765 25000 25010 25012 25040 26000 26262 27000 27001 27002 27003 27004
    27005 27007 27017 27018 27032 27035 27037 27701 27799 28000 29110 29119 29990 30301 30401 30414 30415 31000
    31010 31022 37000 37001 37002 37301 38500 39001 41001 42001 45001 45003 50001 53800 55000 55001 56000 56002
    """.split()
)


# ---------------------------------------------------------------- names

_GAP_WORD = r"(?!n\.?°|nro|num|leye?s?\b|decreto|resolucion|iso\b|norma|articulo|art\b)[a-zñ,]+"
_LAW_VERBS = r"(?!(?:exig|oblig|fija|establec|dispon|permit|otorg|impon|cobr|mult|sancion|pag|regul|cambi)[a-z]*\s)"
_LAW_NAME = (
    r"(?:(?:general|organica|marco|federal|nacional|especial|de|del|que|sobre|para|contra)"
    rf"\s+(?:{_GAP_WORD}\s+){{0,14}}?"
    # «ley universitaria 30220», «ley peruana de protección de datos 29733»
    rf"|{_LAW_VERBS}{_GAP_WORD}\s+(?:(?:de|del|sobre|para|que)\s+(?:{_GAP_WORD}\s+){{0,12}}?)?)"
)
_RES = r"(?:resolucion(?:es)?|res(?:ol)?\.?)"
_ISO_FAMILY = r"(?:(?:ntp|une|en|ntc|gtc|nch|nmx|iram|din|bs|nf|nb|inte|unit|norma|estandar)[-\s/.]*(?:en[-\s]*)?)?"
_CERTIFIED = r"certifica(?:cion(?:es)?|r|rse|rnos|do|da)?(?:\s+(?:en|con|la|el|de))*|sistemas?\s+de\s+gestion"
_OF_OIT = r"(?:\s+de\s+la)?[\s-]+oit"


@dataclass(frozen=True, slots=True)
class Name:
    """How a family of norms is announced, and how its numbers are written."""

    kind: str
    form: str  # a key of `NUMBERS`; empty when no number follows
    pattern: re.Pattern[str]
    bare: str = ""  # what the name alone means: «cobit», «nist:csf»; empty when a number must follow


def _name(kind: str, form: str, pattern: str, bare: str = "") -> Name:
    return Name(kind, form, re.compile(rf"(?:{pattern})(?:(?![a-zñ])|(?<![a-zñ])|(?={MARK}[\s.]*\d))"), bare)


def _either(kind: str, form: str, pattern: str) -> tuple[Name, Name]:
    """Numbered as ministries do («045-2024-MDJM»), else in another form."""
    plain = re.sub(r"\s*\n\s*", "", pattern)
    return _name(kind, "compound", plain), _name(kind, form, plain)


# At one position the first that matches wins: longer names stand before shorter ones.
NAMES: tuple[Name, ...] = (
    _name("rdleg", "slashed", r"real\s+decreto\s+legislativo|r\.?\s?d\.?\s?leg\.?|rdlg"),
    _name("rdl", "slashed", r"real\s+decreto[\s-]*ley|r\.?\s?d\.?[\s-]?l(?:ey|\.)?"),
    _name("rd", "slashed", r"real(?:es)?\s+decretos?|r\.?\s?d\.?"),
    _name("lo", "slashed", r"leye?s?\s+organicas?|l\.?\s?o\.?"),
    _name(
        "dl",
        "decree",
        r"legislative\s+decrees?|d(?:ecretos?|ec\.?|c?to\.?|\.)?[\s-]*leg(?:islativos?|isl?)?\.?|d\.?\s?lgs?\.?",
    ),
    _name("dley", "decree", r"decretos?[\s-]*leye?s?|d\.?\s?ley"),
    _name("dfl", "decree", r"decretos?\s+con\s+fuerza\s+de\s+ley|d\.?\s?f\.?\s?l\.?"),
    _name(
        "ds",
        "compound_or_plain",
        r"supreme\s+decrees?|(?:decretos?[\s-]+|dec\.?\s*|dc?to\.?\s*|d\.\s*)supremos?|(?:decreto|dec\.?|dc?to\.?)\s?sup\.?|d\.?\s?s\.?",
    ),
    _name("du", "compound", r"(?:decretos?|dec\.|dc?to\.?)[\s-]+(?:de[\s-]+)?urg(?:encia|\.)|d\.?\s?u\.?"),
    _name("dl?", "decree", r"d\.?\s?l\.?"),  # Legislativo or Ley: the number decides
    _name("rm", "compound", rf"{_RES}\s?min(?:isterial(?:es)?|\.)?|r\.?\s?m\.?"),
    _name("rvm", "compound", rf"{_RES}\s?vice(?:ministerial(?:es)?|\.)?(?:\s?min\.)?|r\.?\s?v\.?\s?m\.?"),
    _name("rs", "compound", rf"{_RES}\s?sup(?:remas?|\.)|r\.?\s?s\.?"),
    _name("rl", "decree", rf"{_RES}\s?leg(?:islativas?|\.)|r\.?\s?l\.?"),
    _name("rj", "compound", rf"{_RES}\s?jef(?:atural(?:es)?|\.)|r\.?\s?j\.?"),
    _name("rd", "compound", rf"{_RES}\s?dir(?:ectoral(?:es)?|\.)|r\.?\s?d\.?"),
    _name(
        "resolucion", "compound", r"r\.\s?a\.|ra(?=\s?n)"
    ),  # Administrativa, as the others without a kind of their own
    _name("nom", "nom", r"normas?\s+oficial(?:es)?\s+mexicanas?(?:\s+nom)?|noms?"),
    _name(
        "iso",
        "iso",
        rf"{_ISO_FAMILY}i\.?s\.?o\.?s?(?:[-/\s]*(?:iec|ts|tr|pas|fdis|dis|astm|cie)(?![a-zñ]))*(?:\s+normas?)?",
    ),
    _name(
        "nist:csf",
        "edition",
        r"nist[\s-]*csf|csf\s+(?:del?\s+)?nist|csf(?=\s+v?[12]\.\d)|nist\s+cyber\s?security\s+framework"
        r"|marco\s+de\s+ciberseguridad\s+(?:del?\s+)?nist",
        bare="nist:csf",
    ),
    _name("nist", "nist", r"nist[\s-]*(?:sp|special\s+publication)?|sp(?=[\s-]*800-)", bare="nist"),
    _name("nmx", "nmx", r"nmx"),
    _name("ntp", "ntp", r"normas?\s+tecnicas?\s+peruanas?(?:\s+ntp)?|ntp"),
    _name("ntc", "ntp", r"normas?\s+tecnicas?\s+colombianas?(?:\s+ntc)?|ntc"),
    _name("nch", "ntp", r"nch"),
    _name(
        "iso?",  # only a number that is known to be of ISO
        "iso",
        r"(?:normas?|estandar(?:es)?)(?:\s+(?:tecnicas?|peruanas?|internacional(?:es)?|de\s+calidad))*"
        rf"|{_CERTIFIED}|las?(?=\s+\d{{4,5}}(?!\d))|(?=\d{{4,5}}(?:-\d{{1,2}})?:{_YEAR})",
    ),
    _name(
        "gdpr",
        "",
        r"(?:rgpd|gdpr|reglamento\s+general\s+(?:europeo\s+)?de\s+proteccion\s+de\s+datos)"
        r"(?:[\s,(]*(?:reglamento\s*)?(?:\(?(?:ue|eu)\)?\s*)?2016/679\)?)?",
        bare="gdpr",
    ),
    _name("ue", "eu", r"(?:reglamentos?|directivas?)(?:\s+europe[oa])?(?:\s*\(?(?:ue|eu|ce)\)?)?"),
    _name("hipaa", "", r"hipaa", bare="hipaa"),
    _name("pci-dss", "edition", r"pci[\s/-]*dss|pci(?=\s+v?\d)", bare="pci-dss"),
    _name("cobit", "edition", r"cobit\s?®?", bare="cobit"),
    _name("itil", "edition", r"itil(?:\s?®)?(?:\s+foundation)?", bare="itil"),
    _name("togaf", "edition", r"togaf\s?®?", bare="togaf"),
    _name("pmbok", "edition", r"pmbok\s?®?", bare="pmbok"),
    _name("coso", "edition", r"coso", bare="coso"),
    _name("ohsas", "iso", r"ohsas"),
    _name("iatf", "iso", r"iatf"),
    _name("iec", "iso", r"iec"),
    _name("ieee", "iso", r"ieee(?:\s+std\.?)?"),
    _name("oit", "numbered", r"convenios?\s+(?:de\s+la\s+)?oit"),
    _name("oit", "oit", rf"(?:convenio|c)(?=[\s.°nro-]*\d{{1,3}}{_OF_OIT})"),
    _name(
        "resolucion",
        "compound",
        rf"(?:resolucion(?:es)?|res(?:ol)?\.)(?:[\s-]+[a-zñ]{{2,}}\.?){{0,6}}?(?={_TO_NUMBER}\d)",
    ),
    _name("resolucion", "numbered", r"resolucion(?:es)?"),
    *_either("ordenanza", "numbered", r"ordenanzas?(?:[\s-]+(?:regional|municipal|provincial|metropolitana)(?:e?s)?)?"),
    _name(
        "directiva",
        "compound",
        r"directivas?(?:[\s-]+(?:general|administrativa|interna|tecnica|sanitaria|sectorial|de\s+organo)(?:e?s)?)?",
    ),
    *_either("circular", "dated", r"circular(?:es)?(?:[\s-]+(?:externa|interna|conjunta|administrativa)s?)?"),
    *_either(
        "acuerdo",
        "dated",
        r"""acuerdos?(?:[\s-]+(?:ministerial|gubernativo|municipal|regional|plenario
        |de\s+(?:concejo|consejo|directorio|pleno|sala\s+plena)(?:\s+(?:municipal|regional|directivo))?)(?:e?s)?)?""",
    ),
    _name("oficio", "compound", r"oficios?(?:[\s-]+(?:circular|multiple|ordinario|reservado)(?:e?s)?)?"),
    _name("orden", "order", r"orden(?=\s+[a-z]{2,3}/\d)"),
    _name("ley", "bare_law", r"las?(?=\s\d)|l\.?(?=\s?\d)|l\.?(?=\s?n)"),
    _name(
        "ley",
        "law",
        r"(?:leye?s?|laws?|leis?)(?:[\s-]+(?:reforma|estatutaria|organica|general|federal|marco))?|tuo(?=[\s-]+\d{2}[.\s]?\d{3})",
    ),
    _name("ley", "named_law", rf"leye?s?\s+{_LAW_NAME}(?=[,(]?\s*(?:{MARK}[\s.:-]*)?\d)"),
    _name("decreto", "compound", r"decretos?\s+(?:de\s+alcaldia|regional)"),
    _name("decreto", "compound", rf"decretos?(?={_TO_NUMBER}\d+-\d{{4}}-[a-z])"),
    _name("decreto", "numbered", r"decretos?(?:\s+(?:unico\s+reglamentario|ejecutivo|exento))?"),
)

# Where any of the names may begin; cheap, so that prose is passed over quickly.
HINT = re.compile(
    rf"""
    (?<![a-zñ\d])
    (?: ley | law | lei | supreme\s | legislative\s
      | tuo | real | dec | dc?to | [dl]\.?\s?[slfuo] | d\.?[\s-]?leg | r\.?\s?[dmsljv] | r\.\s?a\. | ra\s?n
      | res | ordenanza | directiva
      | circular | acuerdos?\b(?!\s+(?:con|al?)\b) | oficio | orden\s+[a-z]{{2,3}}/
      | nom | norm | ntp | ntc | nch | nmx | une | gtc | iram | en\s+iso | din | bs | nf | nb | inte
          | unit | estandar
      | certifica | sistemas?\s+de\s+gestion | i\.?s\.?o | nist | csf | sp[\s-] | marco\s+de\s+ciber | rgpd | gdpr
      | reglamento | hipaa | pci | cobit | itil | togaf | pmbok | coso | ohsas | iatf | iec | ieee | convenio
      | c\d{{2,3}}\s | las?\s+\d{{4,5}}(?!\d)
      | l\.?\s?\d{{5}}(?!\d) | l\.?\s?n\S{{0,3}}\s?\d{{5}}(?!\d) | \d{{4,5}}(?:-\d{{1,2}})?:{_YEAR} )
    """,
    re.VERBOSE,
)
