"""Words: from numbered evidence to an answer whose every citation can be followed.

`context` numbers the evidence, `prompt` asks, `providers` chooses who answers, `markers` and `grounding` read the
answer. Language models are imported only when one is used.
"""
