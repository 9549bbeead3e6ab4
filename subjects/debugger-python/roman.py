TABLE = [(10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]


def roman(n):
    text = ""
    for value, sign in TABLE:
        while n >= value:
            text += sign
            n -= value
    return text


print(roman(14), roman(29))
