moves = []


def hanoi(n, source, target, via):
    if n == 0:
        return
    hanoi(n - 1, source, via, target)
    moves.append((source, target))
    hanoi(n - 1, via, target, source)


hanoi(2, "A", "C", "B")
print(len(moves))
