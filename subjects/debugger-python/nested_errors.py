def risky(depth):
    if depth == 0:
        raise RuntimeError("bottom")
    try:
        risky(depth - 1)
    except RuntimeError as error:
        raise RuntimeError(str(error) + "<" + str(depth))


try:
    risky(2)
except RuntimeError as error:
    print(error)
