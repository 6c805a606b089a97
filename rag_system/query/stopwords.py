"""Words that carry no topic in a Spanish question, folded (no accents). Documents keep them; questions lose them."""

from __future__ import annotations

__all__ = ["STOPWORDS"]

_ARTICLES_AND_PRONOUNS = """
    el la los las lo un una unos unas al del
    yo tu usted ustedes nosotros nosotras vosotros vosotras ella ellas ellos mi mis tus su sus
    nuestro nuestra nuestros nuestras vuestro vuestra me te se nos os le les
    este esta estos estas esto ese esa esos esas eso aquel aquella aquellos aquellas aquello
    alguno alguna algunos algunas algun algo nadie ninguno ninguna ningun cada todo toda todos todas
    otro otra otros otras mismo misma mismos mismas tal tales
"""
_PREPOSITIONS_AND_CONJUNCTIONS = """
    a ante bajo con contra de desde durante en entre hacia hasta mediante para por segun sin sobre tras
    y e o u ni que si no pero sino aunque porque pues como cuando donde mas muy ya tan tambien
    asi luego entonces ademas solo solamente acerca respecto
"""
_QUESTION_WORDS = """
    cual cuales quien quienes cuanto cuanta cuantos cuantas cuyo cuya cuyos cuyas
    dime dame explica explicame indica indicame quiero quisiera favor
"""
_VERBS = """
    es son era eran fue fueron ser sea sean sido siendo
    esta estan estaba estar este esten
    ha han he hay haber habia hubo haya hayan
    tiene tienen tener tengo tenga tengan
    puede pueden puedo podria pueda puedan
    debe deben debo
    hace hacen hacer
    dice dicen
"""

STOPWORDS = frozenset(
    " ".join((_ARTICLES_AND_PRONOUNS, _PREPOSITIONS_AND_CONJUNCTIONS, _QUESTION_WORDS, _VERBS)).split()
)
