"""The chat as a server: who is let in, and what every answer carries. What is shown is not decided here."""
