/** A clean checkout: what is in it, what is lent, what it leaves alone, and what is left of it. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { delimiter, join } from "node:path";
import type { Checkout } from "../../../src/evidence/checkout/with_checkout.ts";
import { withRunFolder } from "../../../src/evidence/runs/runner_reports.ts";
import { withCheckout } from "../../../src/evidence/checkout/with_checkout.ts";
import { loadCommandsUnderTrust } from "../../../src/evidence/runs/trusted_commands.ts";
import { createTempRepo } from "../../support/temp_repo.ts";

const LEND = ["node_modules", ".venv", "vendor"];

async function setUp() {
  const temp = await createTempRepo({
    files: {
      ".gitignore": "node_modules/\n.venv/\nvendor/\n*.log\nbuild/\n",
      "src/a.js": "a\n",
      "packages/b/index.js": "b\n",
      "check.sh": "true\n",
    },
  });
  const stateDir = await Deno.makeTempDir();
  const command = { name: "c", run: ["sh", "check.sh"], paths: null, writes: [], timeoutMs: 1000 };
  const use = async <T>(action: (checkout: Checkout | string) => Promise<T>) => {
    const allowed = await loadCommandsUnderTrust(temp.dir, [command]);
    const tree = await temp.git("rev-parse", "HEAD^{tree}");
    const input = { tree, commands: [command], allowed, lend: LEND };
    return await withCheckout({ repo: temp.repo, stateDir }, input, action);
  };
  return { temp, stateDir, use };
}

async function made<T>(use: Awaited<ReturnType<typeof setUp>>["use"], look: (one: Checkout) => T) {
  return await use(async (one) => {
    if (typeof one === "string") throw new Error(one);
    return await look(one);
  });
}

const read = async (...parts: string[]) =>
  await Deno.readTextFile(join(...parts)).catch(() => null);

Deno.test("a checkout has the files of the tree and nothing else of the worktree, and is gone afterwards", async () => {
  const { temp, stateDir, use } = await setUp();
  await using _ = temp;
  await temp.write({ "build/gen.js": "gen\n", "src/new.js": "new\n", "src/a.js": "changed\n" });
  const before = await temp.state();
  const root = await made(use, async ({ root }) => {
    equal(await read(root, "src/a.js"), "a\n");
    equal(await read(root, "src/new.js"), null);
    equal(await read(root, "build/gen.js"), null);
    const { stdout } = await new Deno.Command("git", { args: ["status", "--porcelain"], cwd: root })
      .output();
    equal(new TextDecoder().decode(stdout), "");
    return root;
  });
  equal(await Deno.stat(root).catch(() => null), null);
  equal(await temp.state(), before);
  match(root, new RegExp(`^${await Deno.realPath(stateDir)}`));
});

Deno.test("dependencies are lent, and links of a workspace lead to the checkout", async () => {
  const { temp, use } = await setUp();
  await using _ = temp;
  await temp.write({
    "node_modules/dep/index.js": "dep\n",
    "node_modules/.bin/tool": "tool\n",
    "vendor/composer/autoload.php": "php\n",
  });
  await Deno.symlink("../packages/b", join(temp.dir, "node_modules/b"));
  await Deno.symlink("../dep/index.js", join(temp.dir, "node_modules/.bin/dep"));
  await temp.write({ "packages/b/index.js": "changed\n" });
  await made(use, async ({ root, lent }) => {
    deepEqual(lent, ["node_modules", "vendor"]);
    equal(await read(root, "node_modules/dep/index.js"), "dep\n");
    equal(await read(root, "node_modules/b/index.js"), "b\n");
    equal(await read(root, "node_modules/.bin/dep"), "dep\n");
    equal((await Deno.lstat(join(root, "vendor/composer/autoload.php"))).isFile, true);
    await Deno.writeTextFile(join(root, "node_modules/.bin/tool"), "other\n");
  });
  equal(await temp.read("node_modules/.bin/tool"), "tool\n");
  equal(await temp.read("node_modules/dep/index.js"), "dep\n");
});

Deno.test("no checkout is made where an installation leads back, or a script is another one there", async () => {
  const { temp, use } = await setUp();
  await using _ = temp;
  const packages = ".venv/lib/python3.12/site-packages";
  const back = [
    ["a.pth", `import sys; sys.path.insert(0, "${temp.dir}/src")\n`],
    ["__editable___own_finder.py", `MAPPING: dict[str, str] = {'own': '${temp.dir}/src/other'}\n`],
    ["_own_editable_loader.py", `install('${temp.dir}')\n`],
  ] as const;
  for (const [name, text] of back) {
    await temp.write({ [`${packages}/${name}`]: text });
    match(`${await use((one) => Promise.resolve(one))}`, new RegExp(`${name} leads .* back`));
    await Deno.remove(join(temp.dir, packages, name));
  }
  await temp.write({ "check.sh": "false\n" });
  match(`${await use((one) => Promise.resolve(one))}`, /not as they were allowed/);
});

Deno.test("installations for editing lead to the checkout by the folders that they name", async () => {
  const { temp, use } = await setUp();
  await using _ = temp;
  const packages = ".venv/lib/python3.12/site-packages";
  await temp.write({ [`${packages}/elsewhere.pth`]: "/opt/elsewhere\n" });
  await made(use, ({ env }) => Promise.resolve(deepEqual(env, {})));
  await temp.write({
    [`${packages}/own.pth`]: `${temp.dir}/src\n`,
    [`${packages}/__editable___more_finder.py`]:
      `MAPPING: dict[str, str] = {'more': '${temp.dir}/lib/more', 'one': '${temp.dir}/lib/one.py'}\n`,
  });
  await made(use, ({ env, root }) => {
    const folders = (env.PYTHONPATH ?? "").split(delimiter).toSorted();
    deepEqual(folders, [join(root, "lib"), join(root, "src")]);
    return Promise.resolve();
  });
});

Deno.test("what a killed server left is removed, and two runs at once have places of their own", async () => {
  const { temp, stateDir, use } = await setUp();
  await using _ = temp;
  const left = join(stateDir, "checkouts", "0123456789ab-0");
  await Deno.mkdir(join(left, "p"), { recursive: true });
  await made(use, async (first) => {
    equal(await Deno.stat(left).catch(() => null), null);
    await made(use, async (second) => {
      equal(first.root === second.root, false);
      equal(await read(first.root, "src/a.js"), "a\n");
    });
    equal(await read(first.root, "src/a.js"), "a\n");
  });
});

Deno.test("a run has a folder of its own beside its checkout or among the checkouts; what is left of it is removed", async () => {
  const { temp, stateDir, use } = await setUp();
  await using _ = temp;
  const [worktree, base] = [temp.dir, join(stateDir, "checkouts")];
  const list = async () =>
    (await Array.fromAsync(Deno.readDir(base))).filter((one) => one.isDirectory);
  const inWorktree = { checkout: null, worktree, stateDir };
  const first = await withRunFolder(inWorktree, async (folder) => {
    const other = await withRunFolder(inWorktree, (one) => Promise.resolve(one));
    return [folder, other];
  });
  equal(new Set(first).size, 2);
  deepEqual(await list(), []);
  const [folder] = first;
  if (!folder) throw new Error("no folder");
  // A killed server leaves a folder whose lock is free.
  await Deno.mkdir(folder);
  await made(use, async ({ root }) => {
    equal(await Deno.stat(folder).catch(() => null), null);
    const beside = await withRunFolder(
      { ...inWorktree, checkout: root },
      (one) => Promise.resolve(one ?? ""),
    );
    equal(join(beside, ".."), join(root, ".."));
    equal(await Deno.stat(beside).catch(() => null), null);
  });
  deepEqual(await list(), []);
  equal(
    await withRunFolder({ ...inWorktree, stateDir: null }, (one) => Promise.resolve(one)),
    null,
  );
});
