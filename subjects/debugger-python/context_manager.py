class Guard:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        print("enter", self.name)
        return self

    def __exit__(self, kind, value, trace):
        print("exit", self.name)
        return kind is KeyError


with Guard("outer"):
    with Guard("inner"):
        raise KeyError("k")
    print("after inner")
