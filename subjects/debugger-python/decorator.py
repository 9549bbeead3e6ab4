calls = []


def logged(function):
    def wrapper(value):
        calls.append(value)
        return function(value)

    return wrapper


@logged
def double(value):
    return value * 2


print(double(4), double(5), calls)
