numbers = [1, 2, 3, 4]
squares = [n * n for n in numbers if n % 2 == 0]
table = {n: str(n) for n in numbers}
unique = {n % 2 for n in numbers}
print(squares, len(table), len(unique))
