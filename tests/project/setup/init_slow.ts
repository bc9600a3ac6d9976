/** `init` twice and `uninstall` on real folders: what is foreign stays, byte for byte. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { dirname, join } from "node:path";
import type { InitInput, InitPlan } from "../../../src/project/setup/init.ts";
import type { PlannedFile } from "../../../src/project/setup/init_plan.ts";
import { applyRemoval, planRemoval } from "../../../src/project/setup/uninstall.ts";
import { applySetup, planSetup } from "../../../src/project/setup/init.ts";
import { parseTomlText } from "../../../src/project/edits/block_edit.ts";
import { parseJsonc } from "../../../src/base/text/jsonc.ts";
import type { ForeignFile } from "../../support/files/foreign_files.ts";
import { EDITED, REFUSED } from "../../support/files/foreign_files.ts";

const COMMAND = { words: ["code-intel"], isLocal: false };

Deno.test("init keeps each foreign file, a second run changes nothing, uninstall brings the bytes back", async () => {
  for (const file of EDITED) {
    const root = await makeProject(file);
    const before = await readTree(root);
    const first = await setUp(root, { only: file.path });
    equal(toAction(first, file.path), file.isKept ? "keep" : "edit", file.name);
    const after = await readTree(root);
    checkForeign(file, after[file.path] ?? "");
    const [second] = await setUp(root, { only: file.path });
    equal(second?.text, null, file.name);
    deepEqual(await readTree(root), after, file.name);
    await remove(root);
    deepEqual(await readTree(root), before, file.name);
    deepEqual(await listFolders(root), toFolders(before), file.name);
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("init takes out only what it put in when a person has edited the file in between", async () => {
  for (const file of EDITED.filter(({ isKept }) => !isKept)) {
    const root = await makeProject(file);
    await setUp(root, { only: file.path });
    const path = join(root, file.path);
    const text = await Deno.readTextFile(path);
    const note = file.path.endsWith(".json") ? "\n// a note" : "\n# a note\n";
    await Deno.writeTextFile(path, text + note);
    await setUp(root, { only: file.path });
    await remove(root);
    const left = await Deno.readTextFile(path);
    ok(left.endsWith(note), file.name);
    const own = left.slice(0, -note.length);
    // Without the copy an empty file becomes an empty object: that is all that may differ.
    const expected = String(file.text).trim() === "" && file.path.endsWith(".json")
      ? /^\s*\{\}\s*$/
      : undefined;
    if (expected !== undefined) match(own, expected, file.name);
    else equal(own.trimEnd(), String(file.text).trimEnd(), file.name);
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("init refuses a file that it cannot edit, names it, and sets up the rest", async () => {
  for (const file of REFUSED) {
    const root = await makeProject(file);
    const before = await readTree(root);
    const done = await setUp(root, { only: file.path, also: "AGENTS.md" });
    const refused = done.filter(({ action }) => action === "refuse");
    deepEqual(refused.map(({ path }) => path), [file.path], file.name);
    match(refused[0]?.reason ?? "", file.refused ?? /./, file.name);
    ok(String(refused[0]?.hint ?? "").includes(file.path), file.name);
    const after = await readTree(root);
    equal(after[file.path], before[file.path], file.name);
    ok("AGENTS.md" in after, file.name);
    await remove(root);
    deepEqual(await readTree(root), before, file.name);
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("a whole set-up a second time writes nothing, and uninstall leaves nothing", async () => {
  const root = await makeProject({
    name: "whole",
    path: "src/a.ts",
    text: "export const a = 1;\n",
  });
  const before = await readTree(root);
  const first = await setUp(root);
  ok(first.every(({ action }) => action === "create"));
  const after = await readTree(root);
  const second = await setUp(root);
  deepEqual(second.filter(({ text }) => text !== null).map(({ path }) => path), []);
  deepEqual(await readTree(root), after);
  await remove(root);
  deepEqual(await readTree(root), before);
  deepEqual(await listFolders(root), ["src"]);
});

Deno.test("init refuses read-only files, links and folders in place of files", async () => {
  const root = await Deno.makeTempDir({ prefix: "code-intel-odd-" });
  await Deno.writeTextFile(join(root, ".mcp.json"), "{}\n", { mode: 0o444 });
  await Deno.chmod(join(root, ".mcp.json"), 0o444);
  await Deno.mkdir(join(root, "AGENTS.md"));
  const elsewhere = await Deno.makeTempDir();
  await Deno.writeTextFile(join(elsewhere, "RULES.md"), "# Rules\n");
  await Deno.symlink(join(elsewhere, "RULES.md"), join(root, "CLAUDE.md"));
  await Deno.symlink(elsewhere, join(root, ".codex"));
  const done = await setUp(root);
  const told = done.filter(({ action }) => action === "refuse")
    .map(({ path, reason }) => `${path}: ${reason}`);
  deepEqual(told, [
    ".mcp.json: it is read-only",
    "CLAUDE.md: it is a symbolic link that leads out of the project",
    ".codex/config.toml: its folder .codex is a symbolic link that leads out of the project",
    ".codex/hooks.json: its folder .codex is a symbolic link that leads out of the project",
    "AGENTS.md: it is a folder",
  ]);
  equal(await Deno.readTextFile(join(root, ".mcp.json")), "{}\n");
  equal(await Deno.readTextFile(join(elsewhere, "RULES.md")), "# Rules\n");
  equal((await Array.fromAsync(Deno.readDir(elsewhere))).length, 1);
});

Deno.test("init keeps the mode of a file that it edits, and a copy of its first bytes", async () => {
  const root = await makeProject({ name: "mode", path: ".mcp.json", text: '{ "a": 1 }\n' });
  await Deno.chmod(join(root, ".mcp.json"), 0o640);
  await setUp(root);
  equal(((await Deno.stat(join(root, ".mcp.json"))).mode ?? 0) & 0o777, 0o640);
  equal(await Deno.readTextFile(join(root, ".code-intel/init_backup/.mcp.json")), '{ "a": 1 }\n');
});

Deno.test("a later version upgrades what nobody edited, keeps what a person edited, and says so", async () => {
  const root = await makeProject({ name: "old", path: "src/a.ts", text: "export const a = 1;\n" });
  await setUp(root);
  const [old, edited] = [".code-intel/task_planning.md", ".code-intel/user_escalation.md"];
  await becomeOlder(root, old);
  await Deno.writeTextFile(join(root, edited), "mine\n");
  const settings = join(root, ".claude/settings.json");
  const grown = (await Deno.readTextFile(settings)).replace('"timeout": 30', '"timeout": 31');
  await Deno.writeTextFile(settings, grown);
  const done = await setUp(root);
  equal(toAction(done, old), "upgrade");
  ok((await Deno.readTextFile(join(root, old))).startsWith("# Planning tasks"));
  equal(toAction(done, edited), "keep");
  match(done.find(({ path }) => path === edited)?.reason ?? "", /edited since/);
  match(toReason(done, ".claude/settings.json"), /hooks\.PreCompact is set already/);
  const kept = (await remove(root)).filter(({ action }) => action === "keep").map(({ path }) =>
    path
  );
  deepEqual(kept, [edited]);
  equal(await Deno.readTextFile(join(root, edited)), "mine\n");
  const left = JSON.parse(await Deno.readTextFile(settings));
  deepEqual(Object.keys(left.hooks), ["PreCompact"]);
  await remove(root, { isPurge: true });
  deepEqual(Object.keys(await readTree(root)), ["src/a.ts"]);
});

Deno.test("a second run with another command replaces our own entries in their places", async () => {
  const root = await makeProject({ name: "command", path: ".mcp.json", text: '{ "a": 1 }\n' });
  await setUp(root);
  const settings = join(root, ".claude/settings.json");
  const text = await Deno.readTextFile(settings);
  await Deno.writeTextFile(
    settings,
    `${text.trimEnd().slice(0, -1).trimEnd()},\n  "model": "x"\n}\n`,
  );
  await setUp(root, { command: { words: ["code-intel-next"], isLocal: false } });
  const { hooks, model } = JSON.parse(await Deno.readTextFile(settings));
  equal(hooks.Stop.length, 1);
  equal(hooks.Stop[0].hooks[0].command, "code-intel-next");
  equal(model, "x");
  match(await Deno.readTextFile(join(root, ".codex/config.toml")), /command = "code-intel-next"/);
  await remove(root);
  deepEqual(JSON.parse(await Deno.readTextFile(settings)), { model: "x" });
  equal(await Deno.readTextFile(join(root, ".mcp.json")), '{ "a": 1 }\n');
});

Deno.test("R20: --include, --exclude and --sync-ttl end up in config.json, new or there already", async () => {
  const root = await makeProject({
    name: "config",
    path: "src/a.ts",
    text: "export const a = 1;\n",
  });
  const config = join(root, ".code-intel/config.json");
  await setUp(root, { choices: { include: ["lib"], syncTtlHours: 5 } });
  const { source_dirs, sync_ttl_hours } = JSON.parse(await Deno.readTextFile(config));
  deepEqual([source_dirs, sync_ttl_hours], [["lib"], 5]);
  await setUp(root);
  deepEqual(JSON.parse(await Deno.readTextFile(config)).source_dirs, ["lib"]);
  await Deno.writeTextFile(config, '{\n  // mine\n  "source_dirs": ["a"]\n}\n');
  await setUp(root, { choices: { include: ["b"], exclude: ["**/gen/**"] } });
  equal(
    await Deno.readTextFile(config),
    '{\n  // mine\n  "source_dirs": ["b"],\n  "exclude_patterns": [\n    "**/gen/**"\n  ]\n}\n',
  );
});

Deno.test("a kill between the files of a set-up leaves nothing that a later run does not mend", async () => {
  const file: ForeignFile = { name: "kill", path: "CLAUDE.md", text: "# Rules" };
  const root = await makeProject(file);
  const before = await readTree(root);
  const whole = await plan(root);
  // The memory is written first: a kill after it leaves files that were never written.
  await applySetup({ ...whole, files: whole.files.slice(0, 20) });
  await setUp(root);
  await remove(root);
  deepEqual(await readTree(root), before);
});

Deno.test("a command of this machine goes into files that nobody commits", async () => {
  const root = await makeProject({ name: "local", path: "src/a.ts", text: "" });
  const home = await Deno.makeTempDir();
  const mine = '{\n  "projects": {\n    "/other": { "mcpServers": {} }\n  },\n  "token": "s"\n}\n';
  await Deno.writeTextFile(join(home, ".claude.json"), mine, { mode: 0o600 });
  await Deno.chmod(join(home, ".claude.json"), 0o600);
  const words = ["/opt/deno", "run", "-q", "-P", "/src dir/src/main.ts"];
  const done = await setUp(root, { home, command: { words, isLocal: true } });
  ok(
    done.every(({ path }) =>
      ![".mcp.json", ".claude/settings.json", ".codex/config.toml"].includes(path)
    ),
  );
  const { projects, token } = JSON.parse(await Deno.readTextFile(join(home, ".claude.json")));
  equal(token, "s");
  deepEqual(projects[root].mcpServers["code-intel"].args.slice(-2), [
    "/src dir/src/main.ts",
    "serve",
  ]);
  match(
    await Deno.readTextFile(join(home, ".codex/hooks.json")),
    /'\/src dir\/src\/main.ts' hook stop --client codex/,
  );
  equal(((await Deno.stat(join(home, ".claude.json.before-code-intel"))).mode ?? 0) & 0o777, 0o600);
  await remove(root, { home });
  deepEqual(await readTree(home), { ".claude.json": mine });
});

async function makeProject(file: ForeignFile): Promise<string> {
  const root = await Deno.makeTempDir({ prefix: "code-intel-init-" });
  const path = join(root, file.path);
  await Deno.mkdir(dirname(path), { recursive: true });
  if (typeof file.text === "string") await Deno.writeTextFile(path, file.text);
  else await Deno.writeFile(path, file.text);
  return root;
}

type Choices = Partial<Pick<InitInput, "command" | "choices" | "home">> & {
  /** Writes only these files of the plan, which is what costs time. */
  readonly only?: string;
  readonly also?: string;
};

async function plan(root: string, { only, also, ...choices }: Choices = {}): Promise<InitPlan> {
  const input = {
    home: null,
    command: COMMAND,
    clients: ["claude", "codex"],
    choices: {},
  } as const;
  const whole = await planSetup({ root, ...input, ...choices });
  if (only === undefined) return whole;
  const files = whole.files.filter(({ path }) => path === only || path === also);
  return { ...whole, files };
}

async function setUp(root: string, choices: Choices = {}): Promise<readonly PlannedFile[]> {
  return await applySetup(await plan(root, choices));
}

async function remove(
  root: string,
  { home = null, isPurge = false }: { readonly home?: string | null; readonly isPurge?: boolean } =
    {},
) {
  const removal = await planRemoval({ root, home, isPurge });
  ok(removal !== null);
  return await applyRemoval(removal);
}

/** Writes an older text of a template as an older version would have left it. */
async function becomeOlder(root: string, path: string): Promise<void> {
  const text = "an older text\n";
  await Deno.writeTextFile(join(root, path), text);
  const manifest = join(root, ".code-intel/manifest.json");
  const memory = JSON.parse(await Deno.readTextFile(manifest));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  memory.files[path] = new Uint8Array(digest).toHex().slice(0, 16);
  await Deno.writeTextFile(manifest, JSON.stringify(memory));
}

function toAction(files: readonly PlannedFile[], path: string): string | undefined {
  return files.find((file) => file.path === path)?.action;
}

function toReason(files: readonly PlannedFile[], path: string): string {
  return files.find((file) => file.path === path)?.reason ?? "";
}

/** Everything of the person is still there, in its order, and the file can be read. */
function checkForeign(file: ForeignFile, after: string): void {
  const before = String(file.text);
  let at = 0;
  for (const char of before) {
    at = after.indexOf(char, at) + 1;
    ok(at > 0, `${file.name}: a byte of the person is gone`);
  }
  if (file.path.endsWith(".toml")) equal(parseTomlText(after).kind, "toml", file.name);
  if (file.path.endsWith(".json")) equal(parseJsonc(after).kind, "value", file.name);
  if (after.includes("\r\n")) ok(!/[^\r]\n/.test(after), `${file.name}: mixed line ends`);
}

async function readTree(root: string, below = ""): Promise<Readonly<Record<string, string>>> {
  const files: Record<string, string> = {};
  for await (const { name, isDirectory } of Deno.readDir(join(root, below))) {
    const path = below === "" ? name : `${below}/${name}`;
    if (isDirectory) Object.assign(files, await readTree(root, path));
    else {
      const bytes = await Deno.readFile(join(root, path));
      files[path] = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    }
  }
  return files;
}

async function listFolders(root: string, below = ""): Promise<readonly string[]> {
  const folders: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(root, below))) {
    const path = below === "" ? name : `${below}/${name}`;
    if (isDirectory) folders.push(path, ...await listFolders(root, path));
  }
  return folders.sort();
}

function toFolders(files: Readonly<Record<string, string>>): readonly string[] {
  const all = Object.keys(files).map((path) => dirname(path)).filter((path) => path !== ".");
  return [...new Set(all)].sort();
}
