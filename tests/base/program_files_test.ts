/** The files of the program, from source: beside it. In an executable `tools/binary_proof` proves them. */
import { ok, rejects, strictEqual as equal } from "node:assert/strict";
import { hasProgramFile, readBuildInfo, readProgramFile } from "../../src/base/program_files.ts";

Deno.test("readProgramFile() reads files by their path from the top of the repository", async () => {
  ok((await readProgramFile("templates/skills/code.md")).length > 0);
  equal(await hasProgramFile("templates/skills/code.md"), true);
  equal(await hasProgramFile("templates"), false);
  equal(await hasProgramFile("no/such.file"), false);
  await rejects(readProgramFile("no/such.file"), Deno.errors.NotFound);
  equal(await readBuildInfo(), null);
});
