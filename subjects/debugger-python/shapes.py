class Shape:
    def area(self):
        return 0

    def describe(self):
        size = self.area()
        return "area %d" % size


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side * self.side


for shape in [Shape(), Square(3)]:
    print(shape.describe())
