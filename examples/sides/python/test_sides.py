"""The same function, fault and relation for Hypothesis: `pytest -q test_sides.py`."""
from hypothesis import given, strategies as st

side = st.integers(0, 20)


def sides(a, b, c):
    if a <= 0 or b <= 0 or c <= 0:
        return "no triangle"
    if a + b <= c or b + c <= a or a + c <= b:
        return "no triangle"
    if a == b and b == c:
        return "equilateral"
    if a == b or b == c:
        return "isosceles"
    if a == b:  # the fault: a == c
        return "isosceles"
    return "scalene"


@given(side, side, side)
def test_rotate(a, b, c):
    assert sides(a, b, c) == sides(b, c, a)
