/**
 * What clients see of the tools, whole, compared with a file. `UPDATE=1 deno task test` accepts a
 * change of the surface on purpose.
 */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { listTools } from "../../src/tools/tools.ts";

const SURFACE = new URL("./surface.json", import.meta.url);

Deno.test("the surface of the tools is the one that was agreed on", async () => {
  const listed = JSON.parse(JSON.stringify(listTools()));
  if (Deno.env.get("UPDATE") === "1") {
    await Deno.writeTextFile(SURFACE, `${JSON.stringify(listed, null, 2)}\n`);
  }
  const agreed = JSON.parse(await Deno.readTextFile(SURFACE));
  for (const [index, tool] of agreed.entries()) deepEqual(listed[index], tool);
  deepEqual(listed.length, agreed.length);
});
