"""Stand-ins for what lives outside of the program."""
