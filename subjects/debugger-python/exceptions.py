def parse(text):
    try:
        value = int(text)
    except ValueError:
        return -1
    finally:
        print("parsed", text)
    return value


results = []
for text in ["4", "x", "7"]:
    results.append(parse(text))
print(results)
