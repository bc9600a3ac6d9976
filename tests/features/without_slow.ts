/** Each feature can be taken out, and all of them at once: what is left has its types, its layers and a session to the merge. */
import { ok } from "node:assert/strict";
import { FEATURES } from "../../src/features/features.ts";
import { ROOT } from "../tidy/source_files.ts";

async function takeOut(...words: readonly string[]): Promise<void> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-P=test", "tools/without/main.ts", ...words],
    cwd: ROOT,
  }).output();
  const decoder = new TextDecoder();
  ok(success, `${decoder.decode(stdout)}${decoder.decode(stderr)}`);
}

Deno.test("without any feature the core's tests pass, and a session comes to the merge", () =>
  takeOut("--all"));

for (const { name } of FEATURES) {
  Deno.test(`without ${name} the program starts and the layers hold`, () =>
    takeOut(name, "--brief"));
}
