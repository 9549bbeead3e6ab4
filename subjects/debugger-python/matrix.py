def multiply(a, b):
    rows = []
    for row in a:
        line = []
        for j in range(len(b[0])):
            total = 0
            for k in range(len(b)):
                total += row[k] * b[k][j]
            line.append(total)
        rows.append(line)
    return rows


print(multiply([[1, 2], [3, 4]], [[0, 1], [1, 0]]))
