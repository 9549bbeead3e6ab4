def averager():
    total = 0
    count = 0
    average = None
    while True:
        value = yield average
        total += value
        count += 1
        average = total / count


mean = averager()
next(mean)
print(mean.send(10))
print(mean.send(20))
