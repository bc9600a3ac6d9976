/** The program that tests of a whole run start. */
import { match, strictEqual as equal } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { bundleTestedProgram } from "../../tools/quick_tests/tested_program.ts";
import { runProgram } from "../support/server/cli.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

Deno.test("bundleTestedProgram() makes the program, once for the same source", async () => {
  const program = await bundleTestedProgram(REPOSITORY);
  const { mtime } = await Deno.stat(program);
  equal(await bundleTestedProgram(REPOSITORY), program);
  equal((await Deno.stat(program)).mtime?.getTime(), mtime?.getTime());
  const run = ["run", "--quiet", "--no-check", `--config=${REPOSITORY}/deno.json`, "-P", program];
  const command = [Deno.execPath(), ...run] as const;
  const { code, stdout, stderr } = await runProgram(["licenses"], { command });
  equal(code, 0, stderr);
  equal(stdout, await Deno.readTextFile(`${REPOSITORY}/THIRD_PARTY_LICENSES`));
  match((await runProgram(["--version"], { command })).stdout, /^code-intel \d/);
});
