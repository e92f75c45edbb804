"""The content address of a comparison: the same two runs give the same id anywhere."""

from diptych.run import Run


def comparison_id(a: Run, b: Run) -> str:
    """Return twelve hex digits made of the digests of both sides' files, in the order a, b.

    Names and places play no part: a run that was moved or labelled anew keeps its id.
    """
    import hashlib  # two thirds of an interpreter's start: not for `--help`

    digest = hashlib.sha256(b"diptych/comparison/v1")
    for side in (a, b):
        digest.update(b"|" + ",".join(sorted(source.sha256 for source in side.inputs)).encode("ascii"))
    return digest.hexdigest()[:12]
