"""Work on documents as wholes: read in order, not by their best passages.

`resolving` finds which documents are meant, `parts` takes them apart along their headings; `outlines`, `facts`,
`comparing` and `listing` write without a model, `reading` with one. `doing` is the life of a task.
"""
