"""What became of requests, questions and files, for who runs the program: never a word of them, nor a key."""
