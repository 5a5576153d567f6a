"""The order in which settings are measured, so that a drift of the machine and what a run leaves behind touch all alike."""


def balanced_orders(count):
    """Orders of 0 … count − 1, round after round for ever: in a whole cycle each setting stands equally often at every place
    and follows every other equally often (Williams 1949, doi:10.1071/CH9490149). A cycle has `count` rounds, or twice as many
    where that is odd."""
    first = [0]
    for step in range(1, count):
        first.append((first[-1] + (step if step % 2 else -step)) % count)
    square = [[(place + row) % count for place in first] for row in range(count)]
    # Row after row the reverse: what drifts up in one round drifts down in the next.
    cycle = [order for row in square for order in (row, row[::-1])] if count % 2 else alternating(square)
    while True:
        yield from (list(order) for order in cycle)


def alternating(square):
    """The rows of a square of even size, each followed by its own reverse, which is a row too."""
    left, found = [list(row) for row in square], []
    while left:
        row = left.pop(0)
        found.append(row)
        if row[::-1] in left:
            left.remove(row[::-1])
            found.append(row[::-1])
    return found
