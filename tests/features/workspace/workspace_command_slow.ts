/** The commands of a workspace on real repositories of git: what each door answers across them, and what is written where. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { runHosted } from "../../support/server/hosted_cli.ts";
import { createTempRepo } from "../../support/temp_repo.ts";
import { startClient } from "../../support/server/mcp_client.ts";

const UTIL = {
  "package.json": `{"name": "@acme/util", "exports": "./src/load.ts"}\n`,
  "src/load.ts": "export function load(path: string) {\n  return path;\n}\n",
};
const APP = {
  "package.json": `{"name": "app", "dependencies": {"@acme/util": "1"}}\n`,
  "src/main.ts":
    `import { load } from "@acme/util";\n\nexport function main() {\n  return load("a");\n}\n`,
};
const DECOY = {
  "package.json": `{"name": "decoy"}\n`,
  "src/load.ts": `export function load(path: string) {\n  return path;\n}\nload("b");\n`,
};

Deno.test("workspace add refuses an empty word, and begins no workspace", async () => {
  await using repo = await createTempRepo({ files: UTIL });
  const state = await Deno.makeTempDir({ prefix: "code-intel-state-" });
  const options = { cwd: repo.dir, env: { CODE_INTEL_STATE_DIR: state } };
  try {
    const { code, stderr } = await runHosted(["workspace", "add", ""], options);
    equal(code, 64, stderr);
    match(stderr, /Cannot add a folder without a name/);
    const listed = await runHosted(["workspace", "list", "--json"], options);
    equal(JSON.parse(listed.stdout).is_on, false);
  } finally {
    await Deno.remove(state, { recursive: true });
  }
});

Deno.test("def, refs, impact, search and query answer across repositories that were added, and write nothing into them", async () => {
  await using util = await createTempRepo({ files: UTIL });
  await using app = await createTempRepo({ files: APP });
  await using decoy = await createTempRepo({ files: DECOY });
  const state = await Deno.makeTempDir({ prefix: "code-intel-state-" });
  const env = { CODE_INTEL_STATE_DIR: state };
  const run = async (dir: string, ...words: string[]) => {
    const { code, stdout, stderr } = await runHosted([...words, "--json"], { cwd: dir, env });
    return { code, stderr, reply: JSON.parse(stdout === "" ? "{}" : stdout) };
  };
  const places = ({ reply }: Awaited<ReturnType<typeof run>>) =>
    (reply.other_repositories ?? []).map((
      { root, places }: { readonly root: string; readonly places: readonly string[] },
    ) => [join(util.dir, root), ...places]);

  const before = (await run(util.dir, "refs", "load")).reply;
  const added = await run(util.dir, "workspace", "add", app.dir, join(decoy.dir, "src"));
  equal(added.code, 0, added.stderr);
  deepEqual(
    added.reply.members.map((
      { root, state, imports }: { root: string; state: string; imports: readonly string[] },
    ) => [root, state, imports]),
    [[app.dir, "ready", [""]], [decoy.dir, "ready", []]],
  );
  for (const repo of [app, decoy]) ok(!await repo.exists(".git/code-intel"), "nothing is written");

  const refs = await run(util.dir, "refs", "load");
  const users = [
    app.dir,
    `src/main.ts:1 import: import { load } from "@acme/util";`,
    `src/main.ts:4 call: return load("a");`,
  ];
  deepEqual(places(refs), [users]);
  const { other_repositories: _others, ...own } = refs.reply;
  const { notices: _live, source: _source, answer: _answer, ...plain } = before;
  deepEqual({ ...own, ...plain }, own, "what the project says itself stays as it was");
  const impact = await run(util.dir, "impact", "src/load.ts");
  deepEqual(places(impact), [[
    app.dir,
    `src/main.ts:1 import load: import { load } from "@acme/util";`,
    `src/main.ts:4 call load in main: return load("a");`,
  ]]);
  deepEqual(impact.reply.confirmation_required.must_verify, [], "others are told, never demanded");
  deepEqual(places(await run(util.dir, "def", "main")), [[
    app.dir,
    "src/main.ts:3 function main()",
  ]]);
  equal((await run(util.dir, "def", "main")).code, 0);
  deepEqual(places(await run(util.dir, "def", "main", "--path", "src")), []);
  deepEqual(places(await run(util.dir, "search", "main")), [[app.dir, "src/main.ts:1-5 main"]]);
  deepEqual(places(await run(util.dir, "query", "where is main")), [[
    app.dir,
    "src/main.ts:1-5 main",
  ]]);
  deepEqual(places(await run(util.dir, "text", "return load")), [[
    app.dir,
    `src/main.ts:4:return load("a");`,
  ]]);
  deepEqual(places(await run(util.dir, "text", "return load", "--path", "src")), []);
  const text = await runHosted(["def", "main"], { cwd: util.dir, env });
  match(text.stdout, /^\S*\/src\/main\.ts:3 function main\(\)\n$/);

  const refused = await run(util.dir, "workspace", "add", "/");
  match(
    `${refused.code} ${refused.reply.message}`,
    /^2 .*"\/" is the top of the file system, not a project/,
  );
  equal((await run(util.dir, "workspace", "list")).reply.members.length, 2);

  // A folder of a member names it here as it did when it was added.
  const removed = await run(util.dir, "workspace", "remove", join(decoy.dir, "src"), app.dir);
  equal(removed.reply.is_on, false);
  deepEqual((await run(util.dir, "refs", "load")).reply, own, "as without a workspace");
  await Deno.remove(state, { recursive: true });
});

Deno.test("a submodule is a member by itself, and a server brings members up to date behind its answers", async () => {
  await using util = await createTempRepo({ files: UTIL });
  await using app = await createTempRepo({ files: APP });
  await app.git(
    "-c",
    "protocol.file.allow=always",
    "submodule",
    "add",
    "-q",
    util.dir,
    "libs/util",
  );
  await app.commit("Take util in");
  const state = await Deno.makeTempDir({ prefix: "code-intel-state-" });
  const env = { CODE_INTEL_STATE_DIR: state };
  const words = ["workspace", "add", "--json"];
  const added = JSON.parse((await runHosted(words, { cwd: app.dir, env })).stdout);
  deepEqual(
    added.members.map(({ name, is_nested: isNested }: { name: string; is_nested: boolean }) => [
      name,
      isNested,
    ]),
    [["util", true]],
  );
  const found = async () => {
    const { stdout } = await runHosted(["refs", "load", "--json"], { cwd: app.dir, env });
    return JSON.parse(stdout);
  };
  const first = await found();
  equal(first.defined_at, "util:src/load.ts:1");
  deepEqual(first.other_repositories, [{
    repository: "util",
    root: "libs/util",
    total: 1,
    places: ["src/load.ts:1 function load(path: string)"],
  }]);
  await app.write({ "libs/util/src/more.ts": "export function later() {}\n" });
  const server = await startClient({ projectDir: app.dir, env });
  for (let round = 0;; round++) {
    const { reply } = await server.call("find_definitions", { symbol: "later" });
    if (reply.other_repositories !== undefined) break;
    ok(round < 200, "the member is brought up to date");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await server.close();
  await Deno.remove(state, { recursive: true });
});

Deno.test('an interrupted "workspace add" is no bug, and says which members have no index', async () => {
  await using util = await createTempRepo({ files: UTIL });
  await using app = await createTempRepo({ files: APP });
  const state = await Deno.makeTempDir({ prefix: "code-intel-state-" });
  const [run, terminal] = ["run", "terminal"].map((name) =>
    import.meta.resolve(`../../../src/cli/${name}.ts`)
  );
  const table = import.meta.resolve("../../../src/features/features.ts");
  const words = ["workspace", "add", app.dir, "--project", util.dir];
  const script = `import { runCli } from ${JSON.stringify(run)};
import { createTerminal } from ${JSON.stringify(terminal)};
import { FEATURES } from ${JSON.stringify(table)};
const terminal = createTerminal({ noColour: true });
const options = { terminal, features: FEATURES, signal: AbortSignal.abort() };
Deno.exit(await runCli(${JSON.stringify(words)}, options));`;
  // In a process of its own: variables belong to all tests that run at the same time.
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-lock", script],
    env: { CODE_INTEL_STATE_DIR: state },
  }).output();
  equal(code, 2);
  await Deno.remove(state, { recursive: true });
  const said = new TextDecoder().decode(stderr);
  match(said, /interrupted; in the list and without an index: code-intel-test-/);
});

Deno.test("a command sees what changed in a member since it was added, or says that the member is behind", async () => {
  await using util = await createTempRepo({ files: UTIL });
  await using app = await createTempRepo({ files: APP });
  const state = await Deno.makeTempDir({ prefix: "code-intel-state-" });
  const env = { CODE_INTEL_STATE_DIR: state };
  const run = (...words: string[]) => runHosted(words, { cwd: util.dir, env });
  const ask = async () => {
    while (true) {
      const { other_repositories: [app], answer, notices = [] } = JSON.parse(
        (await run("refs", "load", "--json")).stdout,
      );
      const found = { total: app.total, answer, notices: notices.join("\n") };
      // A busy machine may leave no time for the look; the next command goes on with it.
      if (!found.notices.includes("There was no time to look")) return found;
      equal(answer, "partial");
    }
  };
  try {
    equal((await run("workspace", "add", app.dir)).code, 0);
    deepEqual(await ask(), { total: 2, answer: "complete", notices: "" });

    const user = `import { load } from "@acme/util";\nload("b");\n`;
    await app.write({ "src/more.ts": user });
    deepEqual(await ask(), { total: 4, answer: "complete", notices: "" }, "a new file is seen");
    // Times of the last change count in seconds here: what was read in the same one is read again, and would be counted below.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await app.remove("src/more.ts");
    deepEqual(await ask(), { total: 2, answer: "complete", notices: "" }, "and one that is gone");
    ok(!await app.exists(".git/code-intel"), "nothing is written into the member");

    const many = Array.from({ length: 120 }, (_, at) => [`src/more${at}.ts`, `${user}// ${at}\n`]);
    await app.write(Object.fromEntries(many));
    const behind = await ask();
    deepEqual([behind.total, behind.answer], [2, "partial"]);
    match(
      behind.notices,
      /has no present state of 120 files, .*: `code-intel workspace add \S+` brings it up to date/,
    );
    equal((await run("workspace", "add")).code, 0);
    deepEqual(await ask(), { total: 242, answer: "complete", notices: "" });
  } finally {
    await Deno.remove(state, { recursive: true });
  }
});
