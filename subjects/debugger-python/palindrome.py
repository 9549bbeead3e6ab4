def clean(text):
    return "".join(c.lower() for c in text if c.isalpha())


def is_palindrome(text):
    letters = clean(text)
    return letters == letters[::-1]


print(is_palindrome("Never odd or even"))
print(is_palindrome("Not this"))
