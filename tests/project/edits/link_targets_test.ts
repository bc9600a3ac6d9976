/** Links among the files of a set-up: one text under two names, and nothing written out of the project. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { dirname, join } from "node:path";
import type { ClientName } from "../../../src/clients/setup.ts";
import { applyRemoval, planRemoval } from "../../../src/project/setup/uninstall.ts";
import { applySetup, planSetup } from "../../../src/project/setup/init.ts";
import { checkSetup } from "../../../src/project/setup/setup_check.ts";
import { giveUp } from "../../support/temp_folder.ts";

Deno.test("CLAUDE.md as a link to AGENTS.md was once refused; now both names have one block", async () => {
  for (const [file, link] of [["AGENTS.md", "CLAUDE.md"], ["CLAUDE.md", "AGENTS.md"]] as const) {
    await using place = await makePlace({ [file]: "# Rules" }, { [link]: file });
    const first = await place.setUp(["claude", "codex"]);
    const rows = first.filter(({ path }) => path === file || path === link);
    deepEqual(rows.map(({ path, action }) => `${action} ${path}`), [`edit ${file}`]);
    equal(rows[0]?.reason, `${link} is a link to it`);
    const text = await place.read(link);
    equal(text.match(/code-intel:begin/g)?.length, 1);
    match(text, /`\/code` in Claude Code, `\$code` in Codex/);
    // One client alone gets the same text, so that two people never write against each other.
    for (const client of ["claude", "codex"] as const) {
      const again = await place.setUp([client]);
      deepEqual(again.filter(({ action }) => action !== "unchanged"), []);
    }
    deepEqual((await place.check()).filter(({ status }) => status !== "ok"), []);
    await place.undo();
    equal(await place.read(file), "# Rules");
    equal(await Deno.readLink(join(place.root, link)), file);
  }
});

Deno.test("a folder of a client that is a link inside the project is written through its real name", async () => {
  const files = { "shared/settings.json": '{ "a": 1 }\n', "shared/x/RULES.md": "# Rules\n" };
  const links = { ".claude": "shared", "CLAUDE.md": "shared/rules.md" };
  await using place = await makePlace(files, links);
  await Deno.symlink("x/RULES.md", join(place.root, "shared/rules.md"));
  const done = await place.setUp(["claude"]);
  const paths = done.map(({ path }) => path).filter((path) => path.startsWith("shared/"));
  deepEqual(paths, [
    "shared/settings.json",
    "shared/skills/code/SKILL.md",
    "shared/skills/exp/SKILL.md",
    "shared/skills/outcome/SKILL.md",
    "shared/x/RULES.md",
  ]);
  await place.undo();
  for (const [path, text] of Object.entries(files)) equal(await place.read(path), text);
  deepEqual(await names(join(place.root, "shared")), ["rules.md", "settings.json", "x"]);
});

Deno.test("skills of two clients in one folder once changed with each init, and one client lost its text", async () => {
  for (const [folder, link, target] of SHARED_SKILLS) {
    await using place = await makePlace({ [`${folder}/mine.md`]: "mine\n" }, { [link]: target });
    const first = await place.setUp(["claude", "codex"]);
    const skills = first.filter(({ path }) => path.endsWith("SKILL.md"));
    deepEqual(skills.map(({ path, action }) => `${action} ${path}`), [
      `create ${folder}/code/SKILL.md`,
      `create ${folder}/exp/SKILL.md`,
      `create ${folder}/outcome/SKILL.md`,
    ]);
    match(skills[0]?.reason ?? "", /is a link to it; all clients read this one file/);
    match(await place.read(`${folder}/code/SKILL.md`), /\$ARGUMENTS/);
    for (const clients of [["claude", "codex"], ["codex"], ["claude"]] as const) {
      const again = await place.setUp(clients);
      deepEqual(again.filter(({ action }) => action !== "unchanged"), []);
    }
    await place.undo();
    deepEqual(await names(join(place.root, folder)), ["mine.md"]);
  }
});

const SHARED_SKILLS: readonly (readonly [folder: string, link: string, target: string])[] = [
  [".claude/skills", ".agents/skills", "../.claude/skills"],
  [".agents/skills", ".claude/skills", "../.agents/skills"],
];

Deno.test("two settings of clients that are one file once lost the entries of the first", async () => {
  const links = {
    ".mcp.json": "shared.json",
    ".claude/settings.json": "../shared.json",
    ".codex/hooks.json": "../shared.json",
    ".codex/config.toml": "../shared.json",
  };
  await using place = await makePlace({ "shared.json": '{ "a": 1 }\n' }, links);
  const first = await place.setUp(["claude", "codex"]);
  const rows = first.filter(({ path }) => path === "shared.json");
  deepEqual(rows.map(({ action }) => action), ["edit"]);
  const text = await place.read("shared.json");
  match(text, /"mcpServers"/);
  match(text, /"SessionStart"/);
  // Two hooks for one event of one file would both run.
  equal(text.match(/"session-start"/g)?.length, 1);
  deepEqual(
    first.filter(({ action }) => action === "refuse").map(({ path, reason }) =>
      `${path}: ${reason}`
    ),
    [".codex/config.toml: it is the same file as shared.json, which has another form"],
  );
  const again = await place.setUp(["claude", "codex"]);
  deepEqual(
    again.filter(({ path, action }) => path === "shared.json" && action !== "unchanged"),
    [],
  );
  await place.undo();
  equal(await place.read("shared.json"), '{ "a": 1 }\n');
});

Deno.test("a link out of the project, to nothing, or into git's folder is refused with a way out", async () => {
  const outside = await Deno.makeTempDir({ prefix: "code-intel-outside-" });
  await Deno.writeTextFile(join(outside, "rules.md"), "# Theirs\n");
  const rows: readonly (readonly [target: string, reason: RegExp, hint: RegExp])[] = [
    [
      join(outside, "rules.md"),
      /leads out of the project$/,
      /^Replace CLAUDE\.md by a file of its/,
    ],
    ["../up.md", /leads nowhere$/, /^Make the file that CLAUDE\.md leads to, or remove the link/],
    [".git/description", /leads to \.git\/description$/, /^Replace CLAUDE\.md by a file/],
    ["CLAUDE.md", /leads nowhere$/, /remove the link/],
  ];
  for (const [target, reason, hint] of rows) {
    await using place = await makePlace({ ".git/description": "x" }, { "CLAUDE.md": target });
    const done = await place.setUp(["claude"]);
    const refused = done.filter(({ action }) => action === "refuse");
    deepEqual(refused.map(({ path }) => path), ["CLAUDE.md"]);
    match(refused[0]?.reason ?? "", reason);
    match(String(refused[0]?.hint ?? ""), hint);
    equal(await place.read(".git/description"), "x");
  }
  deepEqual(await names(outside), ["rules.md"]);
  equal(await Deno.readTextFile(join(outside, "rules.md")), "# Theirs\n");
  await Deno.remove(outside, { recursive: true });
});

Deno.test("a file that became a link to the other one since is undone once, under its real name", async () => {
  const rules = { "CLAUDE.md": "# Rules\n", "AGENTS.md": "# Agents\n" };
  await using place = await makePlace(rules, {});
  await place.setUp(["claude", "codex"]);
  await Deno.remove(join(place.root, "CLAUDE.md"));
  await Deno.symlink("AGENTS.md", join(place.root, "CLAUDE.md"));
  await place.setUp(["claude", "codex"]);
  const done = await place.undo();
  deepEqual(done.filter(({ action }) => action === "refuse" || action === "keep"), []);
  equal(await place.read("AGENTS.md"), "# Agents\n");
});

async function makePlace(
  files: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>>,
) {
  const root = await Deno.makeTempDir({ prefix: "code-intel-links-" });
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(join(root, path, ".."), { recursive: true });
    await Deno.writeTextFile(join(root, path), text);
  }
  for (const [path, target] of Object.entries(links)) {
    await Deno.mkdir(dirname(join(root, path)), { recursive: true });
    await Deno.symlink(target, join(root, path));
  }
  const places = { root, home: null };
  const command = { words: ["code-intel"], isLocal: false };
  const codeIntelDir = join(root, ".code-intel");
  return {
    root,
    read: (path: string) => Deno.readTextFile(join(root, path)),
    setUp: async (clients: readonly ClientName[]) =>
      await applySetup(await planSetup({ ...places, command, clients, choices: {} })),
    check: async () => {
      const rows = await checkSetup({ projectRoot: root, codeIntelDir, home: null, path: "" });
      return rows.filter(({ detail }) => !/not on PATH/.test(detail));
    },
    undo: async () => {
      const removal = await planRemoval({ ...places, isPurge: false });
      return removal === null ? [] : await applyRemoval(removal);
    },
    [Symbol.asyncDispose]: () => giveUp(root),
  };
}

async function names(folder: string): Promise<readonly string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
}
