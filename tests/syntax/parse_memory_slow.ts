/** Holds the memory of the parser: trees that are disposed of leave nothing behind. */
import { ok, strictEqual as equal } from "node:assert/strict";
import { fileURLToPath } from "node:url";

Deno.test("parseText() needs no more memory after many parses, when trees are disposed of", async () => {
  // In a process of its own: other tests of a parallel run share the memory of this one.
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", fileURLToPath(import.meta.resolve("./parse_memory.ts"))],
  }).output();
  equal(success, true);
  const grownMib = Number.parseInt(new TextDecoder().decode(stdout));
  // A leak of one tree a parse (about 1 MiB) would be over 150 MiB here.
  ok(grownMib > -1_000 && grownMib < 75, `${grownMib} MiB more`);
});
