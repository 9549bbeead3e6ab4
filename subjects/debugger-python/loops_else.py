def has_factor(n):
    for d in range(2, n):
        if n % d == 0:
            break
    else:
        return False
    return True


found = []
for n in range(2, 8):
    if has_factor(n):
        found.append(n)
print(found)
