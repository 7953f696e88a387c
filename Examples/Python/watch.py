import asyncio
import dialtone

async def main():
    async for path in dialtone.paths():
        print(path.reason or "There is a path.", flush=True)

asyncio.run(main())
