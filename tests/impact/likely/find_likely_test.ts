/** The past of a real repository in the answers of the impact analysis, through the program's services. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { OWN_THREAD } from "../../../src/analysis/analysis_pool.ts";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { createServices } from "../../../src/services/services.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

const FILES = {
  "src/session.ts": "export function open() { return 1; }\nexport function close() { return 2; }\n",
  "src/cookie.ts": "export const sign = (text: string) => text;\n",
  "src/report.ts": "export const report = 1;\n",
  ...Object.fromEntries(
    ["a", "b", "c"].map((name) => [
      `src/user_${name}.ts`,
      `import { open } from './session.ts';\nexport const ${name} = open();\n`,
    ]),
  ),
};

Deno.test("analyze() ranks by the past, asks about what is likely, and folds users that never changed with the target", async () => {
  await using temp = await createTempRepo({ files: FILES });
  const touch = (...names: readonly string[]) =>
    Promise.all(names.map(async (name) => {
      const path = `src/${name}.ts`;
      await temp.write({ [path]: `${await temp.read(path)}// More.\n` });
    }));
  for (let turn = 0; turn < 12; turn++) {
    await touch("session", "cookie");
    await temp.commit(`Sign the cookie of the session ${turn}`);
    await touch("report");
    await temp.commit(`Write the report ${turn}`);
  }
  const services = await createServices({
    projectDir: temp.dir,
    analyser: OWN_THREAD,
    logger: SILENT_LOGGER,
    offered: [],
  });
  try {
    await services.index.sync();
    const ask = async (changeDescription: string) => {
      const input = { targetFiles: ["src/session.ts"], symbols: [], isDiff: false, depth: 1 };
      const answer = await services.impact.analyze({ ...input, changeDescription });
      if (answer.kind === "refused") throw new Error(JSON.stringify(answer.problems));
      return answer;
    };
    const before = await ask("Sign every cookie");
    equal(before.hasPast, false, "nothing waits for the past");
    deepEqual(
      before.files.filter(({ isMust }) => isMust).map(({ path, group }) => [path, group]),
      ["a", "b", "c"].map((name) => [`src/user_${name}.ts`, undefined]),
    );
    await services.history.refresh();
    const after = await ask("Sign every cookie");
    equal(after.hasPast, true);
    equal(after.likely[0]?.path, "src/cookie.ts");
    ok(after.likely[0]?.reasons.includes("13 of 13 commits"), String(after.likely[0]?.reasons));
    deepEqual(
      after.files.filter(({ isMust }) => isMust).map(({ path, group }) => [path, group]),
      [
        ["src/cookie.ts", undefined],
        ...["a", "b", "c"].map((name) => [`src/user_${name}.ts`, "other users"]),
      ],
    );
    const unsaid = await ask("");
    deepEqual(
      unsaid.files.filter(({ isMust }) => isMust).length,
      3,
      "without a request the graph decides",
    );
  } finally {
    await services.close();
  }
});
