def find(items, wanted):
    low = 0
    high = len(items) - 1
    while low <= high:
        middle = (low + high) // 2
        if items[middle] == wanted:
            return middle
        if items[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return None


print(find([1, 4, 6, 9], 6))
print(find([1, 4], 3))
