"""What is being asked: routes, follow-ups, citations, identifiers, expansion, spelling and Spanish text analysis.

Pure functions: no model, no database, no network, no clock.
"""
