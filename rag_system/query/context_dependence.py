"""The signs in a question's words that it leans on the conversation, and the phrases that make it whole.

Connectors, demonstratives, clitics, a missing subject, bare noun phrases, ordinals. Only words are looked at here; the
conversation is `rag_system.query.reformulation`'s business.
"""

from __future__ import annotations

import re

from rag_system.query.citations import find_citations
from rag_system.query.common_words import is_common
from rag_system.query.identifiers import find_identifiers, without_identifiers
from rag_system.query.sentences import split_sentences
from rag_system.query.text import fold, stem, tokens
from rag_system.query.word_lists import PREDICATES, STOPWORDS, words

__all__ = [
    "compares",
    "keeps_asking",
    "leans",
    "only_names",
    "pointed_item",
    "points_at_norm",
    "topic_phrase",
    "without_connector",
]

_GENERIC_STEMS = frozenset(stem(word) for word in words("genericas"))
_ENOUGH = 3  # nouns and verbs of its own: what its pronouns stand for is among them
_LETTER = re.compile(r"[a-zñ]")
_WORD = re.compile(r"[^\W_]+(?:[-./:][^\W_]+)*")

# A connector opens the question: «¿y cómo se instala?», «pero ¿cuánto cuesta?».
_CONNECTOR = re.compile(
    r"""[^\w]*(?: (?:y|e|o|pero|entonces|ademas|tambien|tampoco|asimismo|o\s+sea|aunque|aparte\s+de\s+eso
      |por\s+(?:lo\s+)?tanto|en\s+cambio
        |(?:y\s+)?en\s+(?:ese|este|tal|dicho|cuyo)\s+caso|siendo\s+asi|de\s+ser\s+asi
        |si\s+es\s+asi)(?![a-zñ])[\s,:¿]* )+""",
    re.VERBOSE,
)
# «¿y si renuncio antes?»
_SUPPOSITION = re.compile(r"[^\w]*(?:y|pero|entonces|o)\s*,?\s*¿?\s*(?:que\s+pasa\s+)?si\s")
# «este año» points at the calendar, not at the conversation.
_NOW = (
    r"(?:año|ano|mes|semana|dia|noche|momento|tarde|mañana|siglo|bimestre|trimestre|semestre|ejercicio|pais|lugar|lado"
    r"|manera)"
)
# «eso», «dicha ley», «al respecto». Without its accent «está» is «esta»: only before these nouns is it a demonstrative.
_DEMONSTRATIVE = re.compile(
    rf"""\b(?: eso | esto | aquello | (?:este|esos|esas|estos|estas|ese|esa|aquel|aquella|aquellos|aquellas
      |dich[oa]s?)\b(?!\s+{_NOW}\b)
      | (?<!como\s)(?<!donde\s)(?<!que\s)(?<!cual\s)(?<!no\s)(?<!se\s)esta\s+(?!{_NOW}\b)(?:ley|norma|regla\w*
      |obligacion|licencia|sancion|multa|figura|disposicion|resolucion|medida|situacion|herramienta|clase|pregunta
      |respuesta|entidad|empresa|materia|tasa|pension|prestacion)
      | (?:l[oa]s?|el|del|al)\s+mism[oa]s? | lo\s+(?:anterior|mencionado|dicho) | al\s+respecto | ahi | alli
      | ell[oa]s? | entre\s+ambos | ambos | ambas
      | (?:de|a|con|por|para)\s+el(?=\W*$) | antes\s+mencionad[oa]s?
      | (?:que|lo\s+que)\s+(?:mencionas|dices|mencionaste|dijiste|explicaste|acabas\s+de\s+\w+) )\b""",
    re.VERBOSE,
)
# A pronoun at the end of the verb: «instalarlo», «resúmela», «pagarle» (but not «pagarle al trabajador»).
_ENCLITIC = re.compile(
    r"""\b(?: [a-zñ]{3,}(?:ar|er|ir|ando|iendo|yendo) | dar | ver | ir | ser | hacer | haber | leer | oir
        | (?:explica|resume|aclara|amplia|detalla|compara|analiza|traduce|repite|ejemplifica|simplifica|define
        |describe|desarrolla|muestra|di|da|pon|haz) )
        (?:me|te|se|nos)?(?:lo|la|los|las)\b
      | \b[a-zñ]{3,}(?:ar|er|ir)(?:le|les)\b(?!\s+(?:a|al)\b)""",
    re.VERBOSE,
)
# A pronoun before the verb: «quién lo regula», «me las pueden adelantar»; «la» and «las» are articles elsewhere.
_PROCLITIC = re.compile(
    rf"""\b(?: (?:lo|los)\s+(?:{PREDICATES}) | quien(?:es)?\s+(?:lo|la|los|las|le|les)\s+[a-zñ]+
        | (?:como|cuando|donde)\s+(?:lo|los|le|les)\s+[a-zñ]+
        | (?:como|cuando|donde|no|se|que\s+\w+)\s+(?:la|las)\s+(?:{PREDICATES})
        | (?:me|te|nos)\s+(?:lo|la|los|las)\s+[a-zñ]+ | (?:le|les)\s+[a-zñ]+(?:\s+[a-zñ]+)?(?=\W*$)
        | se\s+(?:lo|la|los|las|le|les)\s+[a-zñ]+(?!.*\s(?:a|al)\s) )\b""",
    re.VERBOSE,
)
# «¿cuáles son sus requisitos?»: whose, when no noun stands before.
_POSSESSIVE = re.compile(r"\bsus?\b")
_ORDINALS = {
    "primero": 0, "primera": 0, "segundo": 1, "segunda": 1, "tercero": 2, "tercera": 2, "cuarto": 3, "cuarta": 3,
    "quinto": 4, "quinta": 4, "ultimo": -1, "ultima": -1,
}  # fmt: skip
_ORDINAL = re.compile(
    rf"\b(?:el|la|del|al)\s+({'|'.join(_ORDINALS)})(?=\W*$|\s*[,?]|\s+(?:de\s+(?:ellos|ellas|los|las|esos|esas)|se|no|tambien|me|en|{PREDICATES})\b)"
)
# Whole messages that ask for more of the same: «dame un ejemplo», «explícame mejor», «¿por qué?».
_ELABORATE = re.compile(
    r"""[^\w]*(?: (?:dame|dime|quiero|quisiera|necesito|puedes\s+dar(?:me)?|me\s+das|pon(?:me)?)?\s*(?:un(?:os)?\s+
      |algun(?:os)?\s+|mas\s+|otr[oa]s?\s+)*
          (?:mas|ejemplos?|detalles?|resumen|informacion|conclusion(?:es)?|caso)(?:\s+(?:practicos?|concretos?|reales?|sencillos?|por\s+favor|cortos?|breve))*
        | (?:me\s+|lo\s+|puedes\s+|podrias\s+)*(?:explica\w*|aclara\w*|amplia\w*|detalla\w*|profundiza\w*
        |resum[ei]\w*|continua\w*|sigue|prosigue|repite\w*|desarrolla\w*|simplifica\w*)
          (?:\s+(?:mejor|mas|un\s+poco|poco|de\s+nuevo|otra\s+vez|con|un|ejemplos?|en|pocas|otras|palabras|detalle|simple|facil|sencillo|forma|mas\s+simple|por\s+favor|todo|la|respuesta))*
        | (?:y\s+)?por\s+?que(?:\s+(?:no|si|motivo|razon))? | como\s+asi | en\s+serio | seguro | de\s+verdad
        | es\s+(?:cierto|correcto|verdad|asi|obligatorio)
        | no\s+(?:te\s+)?(?:entend\w+|entiendo|me\s+queda\s+claro|comprendo)(?:\s+(?:bien|nada|eso))?
        | a\s+que\s+te\s+refieres | que\s+quieres\s+decir | (?:que|algo)\s+mas(?:\s+(?:dice|hay|debo\s+saber|sabes))?
        | cual(?:es)? | cuant[oa]s? | cuando | donde | quien(?:es)? | como | para\s+que
        | en\s+(?:resumen|sintesis|conclusion|pocas\s+palabras) | solo\s+eso | nada\s+mas | de\s+que\s+forma
        | (?:mas|menos)\s+\w+ )\W*""",
    re.VERBOSE,
)
# «qué es el REDAM»: the question brings its own subject. «Cuál es el tope» does not say of what, «el tope de…» does.
_NEW_SUBJECT = re.compile(
    r"""(?: que\s+(?:es|son|significan?|quiere\s+decir|se\s+entiende\s+por) | cual\s+es(?=.*\sdel?\s)
      | (?:define|explica\w*|hablame|cuentame|dime)(?:\s+(?:de|sobre|que\s+es))? )\s+
        (?:(?:el|la|los|las|un|una|de|del|sobre|lo)\s+)*(?P<subject>.+)""",
    re.VERBOSE,
)
_COMPARISON = re.compile(
    r"\b(?:diferencias?|difieren?|compar\w+|frente\s+a|versus|vs|respecto\s+(?:de|a)|relacion\s+con|relacionan?|igual(?:es)?\s+(?:que|a)|mejor\s+que|equival\w+|mas\s+\w+\s+que|complementa\w*|parec\w+)\b"
)
# «esa ley», «su reglamento», «el artículo»
_NORM = re.compile(
    r"\b(?:(?:es[ae]|est[ae]|dich[oa]|la|el|misma|mismo|su|del?)\s+)(?:citad[oa]\s+|mencionad[oa]\s+)?"
    r"(?:ley|norma|decreto|resolucion|reglamento|estandar|codigo|articulo|directiva|dispositivo|texto|legislacion)\b"
)
_QUESTION_WORD = re.compile(r"\b(?:que|cual(?:es)?|quien(?:es)?|como|cuando|donde|cuant[oa]s?)\b")
_VERB = re.compile(
    rf"\b(?:{PREDICATES}|hay|es|son|esta|estan|puedo|puede[ns]?|debe[ns]?|debo|quiero|necesito|tengo|tiene[ns]?|[a-zñ]{{3,}}(?:ame|eme|arme|erme|irme))\b"
)


_LEADING_PREPOSITION = re.compile(r"\W*(?:en|con|para|segun)\s")
_HOW = re.compile(r"(?:como|cuando|donde|para\s+que)\s+(?:se\s+)?")
_CLITICS = r"(?:(?:no|se|me|nos|te|le|les|lo|la|los|las|ya|tambien)\s+)*"
_NO_NOUN = r"(?!.*\b(?:el|la|los|las|un|una|del|al|mi|mis)\b)"
_YES_OR_NO = re.compile(  # «¿se puede usar en Mac?», «¿es seguro?»
    rf"\W*{_CLITICS}(?:puede[ns]?|podria[ns]?|debe[ns]?|deberia[ns]?|es|son|fue|seria|era|esta|estan|hay\s+que|tiene[ns]?(?:\s+que)?|cuenta|{PREDICATES})\s+{_NO_NOUN}"
)
_VERB_ALONE = re.compile(  # «¿cómo se elige?», «¿cuándo entró en vigencia?»
    rf"\W*(?:desde\s+|hasta\s+|a\s+|por\s+|para\s+|de\s+|con\s+)?(?:como|cuando|donde|quien(?:es)?|cuanto|por\s+que|para\s+que)\s+{_CLITICS}(?:(?:estan?|son|es|fueron|quedan?)\s+(?=[a-zñ]+(?:ad|id)[oa]s?\b))?[a-zñ]+(?:\s+(?:en|de|a|por|con)\s+[a-zñ]+)?\W*$"
)
_OBJECT_ALONE = re.compile(  # «¿qué puertos usa?»
    rf"\W*(?:(?:con|en|a|de|por|para)\s+)?(?:que|cual(?:es)?|cuant[oa]s?)\s+[a-zñ]+\s+{_CLITICS}(?:{PREDICATES})\W*$"
)


def leans(question: str) -> bool:
    """Whether the words of a question, without courtesy, point outside it: those that ask, if others tell a story."""
    told, asked = _asking(question)
    plain = fold(asked)
    if not _LETTER.search(plain):
        return False
    if _CONNECTOR.match(plain):
        return _SUPPOSITION.match(plain) is not None or _points_outside(asked, plain)
    said = [*_subject_words(fold(told)), *_subject_words(plain)]
    return not (told and said) and len(said) < _ENOUGH and _points_outside(asked, plain)


def _points_outside(question: str, plain: str) -> bool:
    if _ELABORATE.fullmatch(plain) or _DEMONSTRATIVE.search(plain):
        return True
    named = find_identifiers(question)
    if named and only_names(question):
        return _CONNECTOR.match(plain) is not None or _LEADING_PREPOSITION.match(plain) is not None
    if _CONNECTOR.match(plain):
        return not _is_whole(question, plain)
    subject = _subject_words(_without_names(question))
    if named:
        return _has_pronoun(plain) or (len(named) == 1 and not subject and compares(question))
    return not find_citations(question) and _lacks_antecedent(plain, subject)


def _lacks_antecedent(plain: str, subject: list[str]) -> bool:
    if _has_pronoun(plain) or _ORDINAL.search(plain):
        return True
    if not subject:  # but «¿cuánto es la multa por perder un documento?» needs none
        return len({word for word in tokens(plain) if word not in STOPWORDS}) < _ENOUGH
    return _lacks_subject(plain, subject)


def _asking(message: str) -> tuple[str, str]:
    """What a message tells before it asks, and what it asks: «Soy nueva aquí. ¿Cada cuánto se revisan?»."""
    sentences = split_sentences(message)
    asks = next((each for each in sentences if "?" in each.text), sentences[-1] if sentences else None)
    return (message[: asks.start], message[asks.start :]) if asks else ("", message)


def _lacks_subject(plain: str, subject: list[str]) -> bool:
    """Verbs without the noun they are said of, and noun phrases without a verb."""
    if _is_bare_phrase(plain):
        return True
    return len(subject) == 1 and any(shape.match(plain) for shape in (_YES_OR_NO, _VERB_ALONE, _OBJECT_ALONE))


def _without_names(question: str) -> str:
    """The question without the norms and authors it names."""
    question = without_identifiers(question)
    cited = {part for author in find_citations(question).authors for part in fold(author).split()}
    return " ".join(word for word in fold(question).split() if not cited & set(_WORD.findall(word)))


def _is_whole(question: str, plain: str) -> bool:
    """«¿Y qué es el REDAM?»: a connector before a question that has its own subject."""
    rest = _CONNECTOR.sub("", plain, count=1)
    if _has_pronoun(rest):
        return False
    subject = _NEW_SUBJECT.match(rest)
    if subject and _subject_words(subject["subject"]):
        return True
    content = _subject_words(_CONNECTOR.sub("", _without_names(question), count=1))
    if find_identifiers(question) or find_citations(question):
        return bool(content)
    if _HOW.match(rest) and _ends_in_name(question):
        return True
    return len(content) >= 4


def _ends_in_name(question: str) -> bool:
    """«¿Y cómo se instala PostgreSQL en Windows?»: a proper name, and not an acronym alone, is the subject."""
    return (
        any(word[:1].isupper() and not word.isupper() for word in _WORD.findall(question)[2:])
        and not question.isupper()
    )


def _has_pronoun(plain: str) -> bool:
    if _ENCLITIC.search(plain) or _PROCLITIC.search(plain):
        return True
    possessive = _POSSESSIVE.search(plain)
    return possessive is not None and not _nouns_before(plain[: possessive.start()])


def _nouns_before(plain: str) -> bool:
    return any(word not in STOPWORDS and not _VERB.fullmatch(word) for word in _WORD.findall(plain))


def _subject_words(plain: str) -> list[str]:
    """The words that say what the question is about: not the verbs and nouns that fit any subject."""
    return [
        word
        for word in tokens(plain)
        if word not in STOPWORDS and not word[0].isdigit() and len(word) > 1 and stem(word) not in _GENERIC_STEMS
    ]


def _is_bare_phrase(plain: str) -> bool:
    """One or two Spanish words without a verb: «control interno», «historial de pagos», but not «asdfgh»."""
    content = [word for word in tokens(plain) if word not in STOPWORDS]
    if len(content) > 2 or _QUESTION_WORD.search(plain) or _VERB.search(plain):
        return False
    return not content or any(len(word) > 1 and is_common(word) for word in content)


# ---------------------------------------------------------------- what the question points at


def compares(question: str) -> bool:
    """«¿En qué se diferencia de la ISO 9001?» keeps the topic's norm beside its own."""
    return _COMPARISON.search(fold(question)) is not None


def only_names(question: str) -> bool:
    """Whether nothing but norms is said: «¿y en la ISO 9001?»."""
    return all(word in STOPWORDS or word in _FILLERS for word in tokens(without_identifiers(question)))


_FILLERS = frozenset("caso norma ley version pasa misma".split())


def points_at_norm(question: str) -> bool:
    """Whether «esa ley», «su reglamento», «la norma» stand without a number."""
    return _NORM.search(fold(question)) is not None


def pointed_item(question: str, answer: str) -> str:
    """The item of a list in the answer that «el primero» or «la última» stands for; nothing when there is no list."""
    ordinal = _ORDINAL.search(fold(question))
    items = _listed(answer) if ordinal else []
    position = _ORDINALS[ordinal[1]] if ordinal else 0
    return items[position] if items and -len(items) <= position < len(items) else ""


_BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+(.{2,120})$", re.MULTILINE)
_NUMBERED = re.compile(r"(?<!\S)\d{1,2}[.)]\s+(.{2,120}?)(?=\s+\d{1,2}[.)]\s|$)")
_SERIES = re.compile(r"(?:\bson|:|\bincluyen?|\bcomprenden?|\bentre\s+otros,?|\bhay)\s+([^.;\n\[]+)", re.IGNORECASE)
_BARE_SERIES = re.compile(
    r"\s*(?:[^\s,.]+(?:\s+[^\s,.]+){0,3},\s+)+[^.,]{2,60}\s+[ye]\s+[^.,]{2,60}[.\[]"
)  # «Acceso, rectificación y supresión.»
_ARTICLE = re.compile(r"(?:el|la|los|las|un|una)\s", re.IGNORECASE)


def _listed(answer: str) -> list[str]:
    """The items of a bulleted list, or of «son la reconsideración y la apelación, dentro de…»."""
    if bullets := _BULLET.findall(answer) or _NUMBERED.findall(answer):
        return [re.sub(r"[*_]", "", bullet).strip(" .;") for bullet in bullets]
    series = _SERIES.search(answer)
    items = [item.strip() for item in re.split(r",\s*(?:y\s+)?|\s+[ye]\s+", series[1])] if series else []
    if not items and _BARE_SERIES.match(answer):
        items = re.split(r",\s*|\s+[ye]\s+", re.split(r"[.\[\n]", answer, maxsplit=1)[0].strip())
    if not items or not _ARTICLE.match(items[0]):
        return items if len(items) > 1 else []
    return [item for item in items if _ARTICLE.match(item)]


# ---------------------------------------------------------------- phrases

_LEAD = frozenset(words("aperturas_de_tema"))


def topic_phrase(topic: str, max_words: int, *, asks: bool = False) -> str:
    """The topic's words from its first noun on: «¿Qué es Samba?» → «Samba»; if it `asks`, from its question word on."""
    said = re.sub(r"[¿?¡!()]", " ", topic).split()
    plain = [fold(word).strip(",.:;") for word in said]
    first = next((index for index, word in enumerate(plain) if word not in _LEAD), 0)
    if asks:
        first = next((index for index in range(first) if _QUESTION_WORD.fullmatch(plain[index])), first)
    return " ".join(said[first:][:max_words]).strip(" ,.;:")


def keeps_asking(question: str) -> bool:
    """Whether what is wanted to know is left to the topic: «¿y para las mypes?», «¿y si es feriado?»."""
    plain = fold(question)
    if _SUPPOSITION.match(plain):
        return True
    opened = _CONNECTOR.match(plain) or _LEADING_PREPOSITION.match(plain)
    return opened is not None and not _QUESTION_WORD.search(plain) and not _VERB.search(plain)


def without_connector(question: str) -> str:
    """«¿y cómo se instala?» → «¿Cómo se instala?»; «¿y si…?» keeps its supposition."""
    plain = fold(question)
    connector = _CONNECTOR.match(plain)
    if not connector or len(plain) != len(question) or _SUPPOSITION.match(plain):
        return question
    rest = question[connector.end() :]
    opening = "¿" if "?" in rest and "¿" not in rest else ""
    return f"{opening}{rest[:1].upper()}{rest[1:]}" if rest else question
