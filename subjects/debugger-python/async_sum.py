import asyncio


async def load(n):
    await asyncio.sleep(0)
    return n * 2


async def main():
    total = 0
    for n in range(3):
        total += await load(n)
    return total


print(asyncio.run(main()))
