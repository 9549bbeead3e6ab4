class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)

    def pop(self):
        if not self.items:
            return None
        return self.items.pop()


def balanced(text):
    stack = Stack()
    for sign in text:
        if sign == "(":
            stack.push(sign)
        elif sign == ")":
            if stack.pop() is None:
                return False
    return stack.pop() is None


print(balanced("(())"), balanced("(()"), balanced(")"))
