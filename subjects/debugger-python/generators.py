def letters():
    yield "a"
    yield "b"
    return "done"


def both():
    result = yield from letters()
    yield result


items = list(both())
print(items)
