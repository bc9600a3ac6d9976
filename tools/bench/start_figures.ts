/** From the start of the process to the answer to `initialize`, beside an empty server on the same SDK. */
import { join } from "node:path";
import { Client } from "../demo/client.ts";
import { makeTempFolders, REPOSITORY, startServer } from "../demo/server.ts";
import type { Figure } from "./measure.ts";
import { measureMs } from "./measure.ts";

/** Start-up and the size of the listing. */
export async function measureStart(): Promise<readonly Figure[]> {
  await using folders = await makeTempFolders();
  const oursMs = await measureMs(async () => {
    const { client, durationMs } = await startServer(folders);
    await client.close();
    return durationMs;
  });
  const emptyMs = await measureMs(async () => {
    const { client, durationMs } = await startEmpty(folders.root);
    await client.close();
    return durationMs;
  });
  const { client } = await startServer(folders);
  const listing = await client.request("tools/list", {});
  await client.close();
  const sizeBytes = new TextEncoder().encode(JSON.stringify(listing)).length;
  const { tools } = listing as { readonly tools: readonly unknown[] };
  return [
    { name: "spawn to initialize, from source", value: oursMs, unit: "ms", note: "" },
    { name: "the same, empty server on the SDK", value: emptyMs, unit: "ms", note: "" },
    { name: "ratio of the two", value: oursMs / emptyMs, unit: "ratio", note: "aim: at most 2" },
    { name: "tools/list", value: sizeBytes, unit: "bytes", note: `${tools.length} tools` },
  ];
}

function startEmpty(cwd: string): ReturnType<typeof Client.start> {
  const script = join(REPOSITORY, "tools", "bench", "empty_server.ts");
  const config = join(REPOSITORY, "deno.json");
  return Client.start({
    command: Deno.execPath(),
    args: ["run", "--quiet", "--config", config, "-P", script],
    cwd,
  });
}
