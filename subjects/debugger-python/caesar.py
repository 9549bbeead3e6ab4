def shift(text, by):
    out = ""
    for c in text:
        if c.isalpha():
            code = (ord(c) - 97 + by) % 26
            out += chr(code + 97)
        else:
            out += c
    return out


secret = shift("attack", 3)
print(secret)
print(shift(secret, -3))
