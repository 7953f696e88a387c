import asyncio
import dialtone

async def main() -> None:
    async for path in dialtone.paths(verify=True):
        print(path.connectivity.name, path.reason or "", flush=True)

asyncio.run(main())
