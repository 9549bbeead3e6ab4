"""The same function, fault and relation for Hypothesis: `pytest -q test_largest.py`."""
from hypothesis import given, strategies as st


def largest(numbers):
    best = numbers[0]
    for i in range(1, len(numbers) - 1):  # the fault: len(numbers)
        if numbers[i] > best:
            best = numbers[i]
    return best


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=6))
def test_reverse(numbers):
    assert largest(numbers) == largest(numbers[::-1])
