def count(text):
    words = {}
    for word in text.split():
        words[word] = words.get(word, 0) + 1
    return words


counts = count("the cat and the dog")
for word in sorted(counts):
    print(word, counts[word])
