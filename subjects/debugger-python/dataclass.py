from dataclasses import dataclass


@dataclass
class Point:
    x: int
    y: int

    def plus(self, other):
        return Point(self.x + other.x, self.y + other.y)


p = Point(1, 2)
q = p.plus(Point(3, 4))
print(q.x, q.y, p == Point(1, 2))
