/** A small repository of Node whose change is to be proven: one function, its test, and a command that somebody allowed. */
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { createServices } from "../../src/services/services.ts";
import { createTempRepo } from "./temp_repo.ts";

/** Its source in `src/add.js`. */
export const ADD = "exports.add = (a, b) => a + b;\n";
/** Its test in `test/add.test.js`. */
export const ADD_TEST = `const { test } = require("node:test");
const assert = require("node:assert");
const { add } = require("../src/add.js");
test("adds", () => assert.strictEqual(add(1, 2), 3));
`;

/** Makes it, with further files; the variables name folders of its own for the state and the home. */
export async function createProofProject(
  { files = {}, isTrusted = true }: {
    readonly files?: Readonly<Record<string, string>>;
    readonly isTrusted?: boolean;
  } = {},
): Promise<{ readonly cwd: string; readonly env: Readonly<Record<string, string>> }> {
  const verify = [{ name: "test", run: ["node", "--test", "test/"] }];
  const { dir: cwd } = await createTempRepo({
    files: {
      "src/add.js": ADD,
      "test/add.test.js": ADD_TEST,
      ".code-intel/config.json": JSON.stringify({ verify }),
      ...files,
    },
  });
  const env: Readonly<Record<string, string>> = {
    CODE_INTEL_STATE_DIR: await Deno.makeTempDir(),
    HOME: await Deno.makeTempDir(),
    NO_COLOR: "1",
  };
  if (isTrusted) {
    const get = (name: string) => env[name];
    const { verification } = await createServices({
      ...{ projectDir: cwd, logger: SILENT_LOGGER, offered: [], get },
    });
    await verification.trustCommands(await verification.loadCommands(), "terminal");
  }
  return { cwd, env };
}
