/**
 * What clients see of the tools, whole, compared with one file a tool. `deno task test:update tests/mcp`
 * accepts a change of the surface on purpose.
 */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { listTools } from "../../src/tools/tools.ts";

const FOLDER = new URL("./surface/", import.meta.url);
/** The file with the names of all tools, in the order of the listing. */
const ORDER = "_order.json";

Deno.test("the surface of the tools is the one that was agreed on", async () => {
  const tools = listTools();
  const listed = new Map<string, unknown>([
    [ORDER, tools.map(({ name }) => name)],
    ...tools.map((tool) => [`${tool.name}.json`, JSON.parse(JSON.stringify(tool))] as const),
  ]);
  if (Deno.env.get("UPDATE") === "1") await writeAgreed(listed);
  const agreed = (await Array.fromAsync(Deno.readDir(FOLDER))).map(({ name }) => name);
  deepEqual([...listed.keys()].sort(), agreed.sort());
  for (const [name, tool] of listed) {
    deepEqual(tool, JSON.parse(await Deno.readTextFile(new URL(name, FOLDER))), name);
  }
});

async function writeAgreed(listed: ReadonlyMap<string, unknown>): Promise<void> {
  await Deno.remove(FOLDER, { recursive: true });
  await Deno.mkdir(FOLDER);
  for (const [name, tool] of listed) {
    await Deno.writeTextFile(new URL(name, FOLDER), `${JSON.stringify(tool, null, 2)}\n`);
  }
}
