/** A search that lets ripgrep walk looks at the very files of the list. */
import { listProjectFiles } from "../../src/git/trees/file_lists.ts";
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { createBackends } from "../../src/backends/detect.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { planWalk, searchText } from "../../src/explore/text_search.ts";
import { createTempRepo } from "../support/temp_repo.ts";
import { testNeeding } from "../support/needs.ts";

const MANY = Object.fromEntries(
  Array.from({ length: 320 }, (_, at) => [`src/p${at % 9}/f${at}.ts`, `needle ${at}\n`]),
);
const QUESTION = {
  patterns: ["needle"],
  caseSensitive: true,
  fixed: true,
  wholeWord: false,
  contextLines: 0,
  maxResults: 1000,
};

testNeeding(
  ["rg"],
  "planWalk() finds what a list finds: tracked but ignored files, no links, no nested repositories",
  async () => {
    await using temp = await createTempRepo({ files: MANY });
    await temp.write({ "kept.log": "needle\n" });
    await temp.git("add", "-f", "kept.log");
    await temp.write({
      ".gitignore": "*.log\nout/\n",
      // What git does not know must not hide anything.
      ".ignore": "src/p1/\n",
      "out/x.ts": "needle\n",
      "new.log": "needle\n",
      "new.ts": "needle\n",
      ".hidden/x.ts": "needle\n",
      "nested/a.ts": "needle\n",
    });
    await new Deno.Command("git", { args: ["init", "-q", join(temp.dir, "nested")] }).output();
    await Deno.symlink("/etc", join(temp.dir, "linked"));
    const context = {
      projectRoot: temp.dir,
      listFiles: (options: { readonly signal?: AbortSignal }) =>
        listProjectFiles(temp.repo, options),
      backends: createBackends({ env: { get: () => undefined } }),
      logger: SILENT_LOGGER,
    };
    const list = await context.listFiles({});
    const walk = await planWalk(context, { list, files: list, path: "." });
    deepEqual(walk?.unseen, ["kept.log"]);
    const listed = { ...context, isBrief: true };
    for (const path of [".", "src"]) {
      const [one, other] = await Promise.all(
        [context, listed].map((own) => searchText(own, { ...QUESTION, path }, {})),
      );
      ok(one?.kind === "found" && other?.kind === "found");
      deepEqual(one.matches, other.matches, path);
    }
    const all = await searchText(context, QUESTION, {});
    ok(all.kind === "found");
    equal(all.total, 322, "320, kept.log and new.ts");
  },
);

Deno.test("planWalk() leaves small lists, hidden folders and brief processes to the list", async () => {
  await using temp = await createTempRepo({ files: { "a.ts": "" } });
  const context = {
    projectRoot: temp.dir,
    listFiles: () => Promise.resolve([]),
    backends: createBackends({ env: { get: () => undefined } }),
    logger: SILENT_LOGGER,
  };
  const list = Array.from({ length: 400 }, (_, at) => `f${at}.ts`);
  equal(await planWalk(context, { list, files: ["a.ts"], path: "." }), undefined);
  equal(await planWalk(context, { list, files: list, path: ".github" }), undefined);
  equal(await planWalk({ ...context, isBrief: true }, { list, files: list, path: "." }), undefined);
});
