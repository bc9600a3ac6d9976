/** A clean checkout: what is in it, what is lent, what it leaves alone, and what is left of it. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { delimiter, join } from "node:path";
import type { Checkout } from "../../../src/evidence/checkout/with_checkout.ts";
import { withRunFolder } from "../../../src/evidence/runs/runner_reports.ts";
import { withCheckout } from "../../../src/evidence/checkout/with_checkout.ts";
import { loadCommandsUnderTrust } from "../../../src/evidence/runs/trusted_commands.ts";
import { createSeal } from "../../../src/base/files/seal.ts";
import type { MoreWanted } from "../../../src/evidence/checkout/ways.ts";
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
  const check = { name: "c", run: ["sh", "check.sh"], paths: null, writes: [], timeoutMs: 1000 };
  const seal = createSeal(stateDir);
  const use = async <T>(
    action: (checkout: Checkout | string) => Promise<T>,
    { program, more }: { readonly program?: string; readonly more?: MoreWanted } = {},
  ) => {
    const commands = [check, ...program === undefined ? [] : [{ ...check, run: [program] }]];
    const allowed = await loadCommandsUnderTrust(temp.dir, commands);
    const tree = await temp.git("rev-parse", "HEAD^{tree}");
    const input = { tree, commands, allowed, lend: LEND, ...(more === undefined ? {} : { more }) };
    return await withCheckout({ repo: temp.repo, stateDir, seal }, input, action);
  };
  return { temp, stateDir, use };
}

type Use = Awaited<ReturnType<typeof setUp>>["use"];

async function made<T>(use: Use, look: (one: Checkout) => T, options: Parameters<Use>[1] = {}) {
  return await use(async (one) => {
    if (typeof one === "string") throw new Error(one);
    return await look(one);
  }, options);
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

/** An environment of Python outside of the worktree. */
async function makeEnvironment(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await Deno.makeTempDir();
  const packages = join(folder, "lib/python3.12/site-packages");
  await Deno.mkdir(packages, { recursive: true });
  await Deno.mkdir(join(folder, "bin"));
  await Deno.writeTextFile(join(folder, "bin/python"), "", { mode: 0o700 });
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(join(packages, name), text);
  }
  return join(folder, "bin/python");
}

Deno.test("no checkout is made where an installation leads back, or a script is another one there", async () => {
  const { temp, use } = await setUp();
  await using _ = temp;
  const back = [
    ["a.pth", `import sys; sys.path.insert(0, "${temp.dir}/src")\n`],
    ["__editable___own_finder.py", `MAPPING: dict[str, str] = {'own': '${temp.dir}/src/other'}\n`],
    ["_own_editable_loader.py", `install('${temp.dir}')\n`],
  ] as const;
  for (const [name, text] of back) {
    const program = await makeEnvironment({ [name]: text });
    const said = await use((one) => Promise.resolve(one), { program });
    match(`${said}`, new RegExp(`${name} leads .* back`));
  }
  await temp.write({ "check.sh": "false\n" });
  match(`${await use((one) => Promise.resolve(one))}`, /not as they were allowed/);
});

Deno.test("installations for editing lead to the checkout by the folders that they name", async () => {
  const { temp, use } = await setUp();
  await using _ = temp;
  const elsewhere = { "elsewhere.pth": "/opt/elsewhere\n" };
  const other = await makeEnvironment(elsewhere);
  await made(use, ({ env }) => Promise.resolve(deepEqual(env, {})), { program: other });
  const program = await makeEnvironment({
    ...elsewhere,
    "own.pth": `${temp.dir}/src\n`,
    "__editable___more_finder.py":
      `MAPPING: dict[str, str] = {'more': '${temp.dir}/lib/more', 'one': '${temp.dir}/lib/one.py'}\n`,
  });
  await made(use, ({ env, root }) => {
    const folders = (env.PYTHONPATH ?? "").split(delimiter).toSorted();
    deepEqual(folders, [join(root, "lib"), join(root, "src")]);
    return Promise.resolve();
  }, { program });
});

Deno.test("a lent environment that names the worktree names the checkout there, whatever form its files have", async () => {
  const { temp, use } = await setUp();
  await using _ = temp;
  const packages = ".venv/lib/python3.12/site-packages";
  await temp.write({
    [`${packages}/a.pth`]: `import sys; sys.path.insert(0, "${temp.dir}/src")\n`,
    [`${packages}/b.pth`]: `${temp.dir}-other/src\n`,
    [`${packages}/dep/code.py`]: "dep\n",
    ".venv/bin/tool": `#!${temp.dir}/.venv/bin/python\n`,
  });
  await made(use, async ({ root, env }) => {
    deepEqual(env, {});
    equal(
      await read(root, packages, "a.pth"),
      `import sys; sys.path.insert(0, "${root}/src")\n`,
    );
    equal(await read(root, packages, "b.pth"), `${temp.dir}-other/src\n`);
    equal(await read(root, ".venv/bin/tool"), `#!${root}/.venv/bin/python\n`);
    equal((await Deno.lstat(join(root, packages, "dep"))).isSymlink, true);
  });
});

Deno.test("what a failing run names is lent beside the tree, and stays the way of the repository once it is kept", async () => {
  const { temp, use } = await setUp();
  await using _ = temp;
  await temp.write({
    "build/gen.js": `from ${temp.dir}\n`,
    "build/tool": new Uint8Array([...new TextEncoder().encode(temp.dir), 0]),
    "other.log": "log\n",
    "packages/b/build/x": "x\n",
  });
  const named = { which: "named", said: "cannot find /x/build/gen.js" } as const;
  await made(use, async ({ root, more, lent }) => {
    equal(await read(root, "build/gen.js"), `from ${root}\n`);
    equal(await read(root, "build/tool"), null);
    deepEqual(lent, ["build", "packages/b/build"]);
    match(more?.words ?? "", /^with build, packages\/b\/build, which git ignores$/);
  }, { more: named });
  await made(use, async ({ root, more }) => {
    deepEqual([more, await read(root, "build/gen.js")], [undefined, null]);
  });
  const none = await use((one) => Promise.resolve(one), { more: { which: "named", said: "x" } });
  match(`${none}`, /ignores nothing more/);
  await made(use, ({ more }) => more?.keep(), { more: named });
  await temp.write({ "src/build/new.js": "new\n", "src/build/run.sh": `cd ${temp.dir}\n` });
  await made(use, async ({ root }) => {
    equal(await read(root, "build/gen.js"), `from ${root}\n`);
    equal(await read(root, "src/build/new.js"), null);
  });
  // A script that names the worktree is the allowed one.
  const all = { program: "src/build/run.sh", more: { which: "all", said: "" } } as const;
  await made(use, async ({ root }) => equal(await read(root, "src/build/new.js"), "new\n"), all);
});

Deno.test("files as in the worktree keep their times beside what was built of them, others are newer", async () => {
  const { temp, use } = await setUp();
  await using _ = temp;
  await temp.write({ "build/a.o": "a\n", "src/a.js": "changed\n" });
  const then = new Date("2020-01-01T00:00:00Z");
  for (const path of ["build/a.o", "src/a.js", "check.sh"]) {
    await Deno.utime(join(temp.dir, path), then, then);
  }
  await made(use, async ({ root }) => {
    const year = async (path: string) =>
      (await Deno.stat(join(root, path))).mtime?.getUTCFullYear() ?? 0;
    deepEqual([await year("check.sh"), await year("build/a.o")], [2020, 2020]);
    equal(await year("src/a.js") > 2020, true);
  }, { more: { which: "all", said: "" } });
});

Deno.test("a checkout has tags, remotes and the commits of submodules", async () => {
  const { temp, use } = await setUp();
  await using _ = temp;
  await using sub = await createTempRepo({ files: { "deep.txt": "deep\n" } });
  const allow = ["-c", "protocol.file.allow=always"];
  await temp.git(...allow, "submodule", "--quiet", "add", sub.dir, "sub");
  await temp.commit("With a submodule");
  await temp.git("tag", "v1.2.3");
  await temp.git("remote", "add", "origin", "https://localhost/x.git");
  await temp.write({ "sub/deep.txt": "changed\n" });
  await made(use, async ({ root }) => {
    const git = async (...args: string[]) => {
      const { stdout } = await new Deno.Command("git", { args, cwd: root }).output();
      return new TextDecoder().decode(stdout).trim();
    };
    equal(await read(root, "sub/deep.txt"), "deep\n");
    equal(await git("describe", "--tags"), "v1.2.3");
    equal(await git("remote", "get-url", "origin"), "https://localhost/x.git");
    equal(await git("status", "--porcelain"), "");
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
