/** An answer that has nothing names the repositories inside the project that it did not look into. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { OWN_THREAD } from "../../../src/analysis/analysis_pool.ts";
import { FEATURES } from "../../../src/features/features.ts";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { createServices } from "../../../src/services/services.ts";
import { callTool } from "../../../src/tools/call.ts";
import { createProjectWorkspace } from "../../../src/features/workspace/project_workspace.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

/** Replies of calls in the project at a folder. */
async function openProject(projectDir: string, state: string) {
  const services = await createServices({
    projectDir,
    features: FEATURES,
    analyser: OWN_THREAD,
    logger: SILENT_LOGGER,
    offered: [],
    get: (name) => name === "CODE_INTEL_STATE_DIR" ? state : Deno.env.get(name),
  });
  const options = {
    loadServices: () => Promise.resolve(services),
    signal: new AbortController().signal,
    via: "mcp" as const,
    logger: SILENT_LOGGER,
  };
  return {
    services,
    // deno-lint-ignore no-explicit-any -- replies are read freely
    call: (name: string, raw: unknown): Promise<any> => callTool(name, raw, options),
    [Symbol.asyncDispose]: () => services.close(),
  };
}

Deno.test("a question without a result names nested repositories and submodules, where it was complete", async () => {
  await using repo = await createTempRepo({ files: { "src/a.ts": "export const a = 1;\n" } });
  await using other = await createTempRepo({
    files: { "inner.ts": "export function inner() {}\n" },
  });
  const { dir, git } = repo;
  const state = await Deno.makeTempDir({ prefix: "code-intel-state-" });
  await git("init", "-q", ".hidden");
  await git("init", "-q", "lib/nested");
  await repo.write({ "lib/nested/b.ts": "export function inner() {}\n" });
  await git("-c", "protocol.file.allow=always", "submodule", "add", "-q", other.dir, "vendor/sub");
  await git("worktree", "add", "-q", "trees/one", "-b", "one");
  await using project = await openProject(dir, state);
  const { call } = project;
  const calls = [
    ["find_definitions", { symbol: "inner" }],
    ["find_references", { symbol: "inner" }],
    ["search_text", { pattern: "inner" }],
    ["search_files", { pattern: "b.ts" }],
  ] as const;
  const notice =
    "Repositories inside the project were not searched: lib/nested, vendor/sub, .hidden. " +
    "`code-intel workspace add` makes questions ask them too; `--project lib/nested` asks one.";
  for (const [name, input] of calls) {
    const reply = await call(name, input);
    deepEqual([reply.total, reply.answer], [0, "unknown"], name);
    equal(reply.notices.includes(notice), true, JSON.stringify(reply));
    const below = await call(name, { ...input, path: "src" });
    equal(/not searched/.test(JSON.stringify(below)), false, name);
  }
  equal((await call("find_definitions", { symbol: "a" })).answer, "complete");
  const lib = await call("search_text", { pattern: "inner", path: "lib" });
  match(JSON.stringify(lib.notices), /not searched: lib\/nested\. /);
  const all = await call("search_text", { pattern: "inner", include_ignored: true });
  equal(all.total > 0, true);
  await using within = await openProject(join(dir, "lib/nested"), state);
  equal((await within.call("find_definitions", { symbol: "inner" })).answer, "complete");
  await Deno.remove(state, { recursive: true });
});

Deno.test("a workspace that asks the nested repositories is not said to leave them out", async () => {
  await using repo = await createTempRepo({ files: { "a.ts": "export const a = 1;\n" } });
  const state = await Deno.makeTempDir({ prefix: "code-intel-state-" });
  await repo.git("init", "-q", "nested");
  await using project = await openProject(repo.dir, state);
  const ask = () => project.call("find_definitions", { symbol: "nowhere" });
  match(JSON.stringify(await ask()), /not searched: nested\./);
  await createProjectWorkspace(project.services.parts).add([]);
  equal(/not searched/.test(JSON.stringify(await ask())), false);
  await Deno.remove(state, { recursive: true });
});
