/** From the start of the process to the answer to `initialize`, beside an empty server on the same SDK. */
import { join } from "node:path";
import { Client } from "../../tools/demo/client.ts";
import { makeTempFolders, REPOSITORY, startServer } from "../../tools/demo/server.ts";
import type { Figure } from "../../tools/measure.ts";
import { measurePairMs } from "../../tools/measure.ts";

/** Start-up and the size of the listing. */
export async function measureStart(): Promise<readonly Figure[]> {
  await using folders = await makeTempFolders();
  const { ours, theirs } = await measurePairMs(
    () => startAndClose(() => startServer(folders)),
    () => startAndClose(() => startEmpty(folders.root)),
  );
  const { client } = await startServer(folders);
  const listing = await client.request("tools/list", {});
  await client.close();
  const sizeBytes = new TextEncoder().encode(JSON.stringify(listing)).length;
  const { tools } = listing as { readonly tools: readonly unknown[] };
  return [
    { name: "spawn to initialize, from source", value: ours, unit: "ms", note: "" },
    { name: "the same, empty server on the SDK", value: theirs, unit: "ms", note: "" },
    { name: "ratio of the two", value: ours / theirs, unit: "ratio", note: "aim: at most 2" },
    { name: "tools/list", value: sizeBytes, unit: "bytes", note: `${tools.length} tools` },
  ];
}

async function startAndClose(start: () => ReturnType<typeof Client.start>): Promise<number> {
  const { client, durationMs } = await start();
  await client.close();
  return durationMs;
}

function startEmpty(cwd: string): ReturnType<typeof Client.start> {
  const script = join(REPOSITORY, "lab", "bench", "empty_server.ts");
  const config = join(REPOSITORY, "deno.json");
  return Client.start({
    command: Deno.execPath(),
    args: ["run", "--quiet", "--config", config, "-P", script],
    cwd,
  });
}
