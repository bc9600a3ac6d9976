/** The first texts of the configuration: readable by the program without a word of warning. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { join } from "node:path";
import { buildConfigSchema, checkConfigText } from "../../../src/base/settings/config.ts";
import { CONFIG_SHAPE } from "../../../src/base/settings/config_keys.ts";
import { loadContext } from "../../../src/context/settings.ts";
import { buildConfigText, buildContextText } from "../../../src/project/setup/config_text.ts";

const FACTS = {
  lend: [],
  sourceDirs: ["src"],
  verify: [{ name: "test", run: ["deno", "task", "test"] }],
  rulesFile: 'odd "name": #.md',
  docsPath: ["docs/", "DESIGN-1.md"],
};

Deno.test("buildConfigText() writes what was found and what was chosen", () => {
  const { values, warnings } = checkConfigText(
    buildConfigText(FACTS, { exclude: ["**/gen/**"], syncTtlHours: 3 }),
  );
  deepEqual(warnings, []);
  const { source_dirs, exclude_patterns, sync_ttl_hours, verify } = values;
  deepEqual([source_dirs, exclude_patterns, sync_ttl_hours], [["src"], ["**/gen/**"], 3]);
  deepEqual(verify, [{ name: "test", run: ["deno", "task", "test"], timeout_s: 1800 }]);
});

Deno.test("buildContextText() writes names that need quotes so that they are read back", async () => {
  const dir = await Deno.makeTempDir();
  for (const facts of [FACTS, { ...FACTS, rulesFile: null, docsPath: [] }]) {
    await Deno.writeTextFile(join(dir, "context.yml"), buildContextText(facts));
    const { values, warnings } = await loadContext(dir);
    deepEqual(warnings, []);
    deepEqual(values.project_rules.source, facts.rulesFile);
    deepEqual(values.doc_research.docs_path, facts.docsPath);
    deepEqual(values.runs, "off");
    const chosen = buildContextText(facts).replace(/^# runs: on$/m, "runs: on");
    await Deno.writeTextFile(join(dir, "context.yml"), chosen);
    deepEqual((await loadContext(dir)).values.runs, "on");
  }
});

Deno.test("buildConfigSchema() describes every key for editors, and asks for none", () => {
  const { properties, required } = buildConfigSchema() as {
    readonly properties: Readonly<Record<string, unknown>>;
    readonly required?: readonly string[];
  };
  deepEqual(Object.keys(properties).sort(), [...Object.keys(CONFIG_SHAPE), "$schema"].sort());
  ok(required === undefined);
});
