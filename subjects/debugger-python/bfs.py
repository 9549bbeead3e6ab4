roads = {"A": ["B", "C"], "B": ["D"], "C": ["D"], "D": []}


def shortest(start, goal):
    queue = [[start]]
    seen = {start}
    while queue:
        path = queue.pop(0)
        here = path[-1]
        if here == goal:
            return path
        for step in roads[here]:
            if step not in seen:
                seen.add(step)
                queue.append(path + [step])
    return None


print(shortest("A", "D"))
