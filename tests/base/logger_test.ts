/** Notices go to standard error, and standard output stays the protocol's own. */
import { strictEqual as equal } from "node:assert/strict";
import { SILENT_LOGGER } from "../../src/base/logger.ts";

const MODULE = new URL("../../src/base/logger.ts", import.meta.url).href;

Deno.test("R54: a notice is one line on standard error and nothing on standard output", async () => {
  const code = `import { STDERR_LOGGER } from "${MODULE}"; STDERR_LOGGER.note("a lock was taken");`;
  const { stdout, stderr, success } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-lock", code],
  }).output();
  equal(success, true);
  equal(new TextDecoder().decode(stdout), "");
  equal(new TextDecoder().decode(stderr), "code-intel: a lock was taken\n");
});

Deno.test("SILENT_LOGGER drops what it is given", () => {
  equal(SILENT_LOGGER.note("x"), undefined);
});
