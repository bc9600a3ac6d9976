/** What keeps a command from starting, beside a missing program. */
import { match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { findStartFault } from "../../../src/project/setup/start_fault.ts";
import { testNeeding } from "../../support/needs.ts";

testNeeding(
  ["posix"],
  "Python was once started in a project that nobody had looked at",
  async () => {
    const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "code-intel-start-" }));
    const bin = join(root, "bin");
    await Deno.mkdir(bin);
    const log = join(root, "log");
    const python = `#!/bin/sh\npwd >> '${log}'\nexit 9\n`;
    await Deno.writeTextFile(join(bin, "python3"), python, { mode: 0o755 });
    const ask = () => findStartFault(["python3", "-m", "gone"], { root, path: bin });
    equal(await ask(), "python has no module gone");
    equal(await Deno.readTextFile(log), "/\n");
    // Here the command would get another Python than the one that can be asked.
    await Deno.writeTextFile(join(root, ".python-version"), "3.12\n");
    equal(await ask(), null);
    equal(await Deno.readTextFile(log), "/\n");
    await Deno.remove(root, { recursive: true });
  },
);

Deno.test("findStartFault() asks for programs, modules of Python and scripts of a package", async () => {
  const root = await Deno.makeTempDir({ prefix: "code-intel-start-" });
  try {
    const bin = join(root, "bin");
    await Deno.mkdir(bin);
    const python = '#!/bin/sh\n[ "$4" = broken ] && exit 1\n[ "$4" = there ] || exit 9\n';
    await Deno.writeTextFile(join(bin, "python3"), python, { mode: 0o755 });
    await Deno.writeTextFile(join(bin, "npm"), "", { mode: 0o755 });
    await Deno.writeTextFile(join(root, "own.py"), "");
    await Deno.writeTextFile(join(root, "package.json"), '{ "scripts": { "test": "x" } }');
    const packages = {
      web: { scripts: { test: "mocha" }, devDependencies: { mocha: "1" } },
      node: { scripts: { test: "node --test" }, devDependencies: { prettier: "1" } },
      app: { scripts: { test: "node --test" }, dependencies: { express: "1" } },
      ready: { scripts: { test: "mocha" }, dependencies: { express: "1" } },
    };
    await Deno.mkdir(join(root, ".git"));
    await Deno.mkdir(join(root, "ready/node_modules"), { recursive: true });
    for (const [name, manifest] of Object.entries(packages)) {
      await Deno.mkdir(join(root, name), { recursive: true });
      await Deno.writeTextFile(join(root, name, "package.json"), JSON.stringify(manifest));
    }
    const rows: readonly (readonly [run: string, fault: RegExp | null])[] = [
      ["python3 -m there", null],
      ["python3 -m there.inner", null],
      ["python3 -m own", null],
      ["python3 -m gone", /^python has no module gone$/],
      ["python3 -m broken", /python3 does not run$/],
      ["python3 -c 1", null],
      ["npm run test", null],
      ["npm run check", /^package\.json has no script "check"$/],
      ["npm --prefix a run test", /^a\/package\.json cannot be read$/],
      [
        "npm --prefix web run test",
        /^the packages of web\/package\.json are not installed: `npm --prefix web install`$/,
      ],
      ["npm --prefix node run test", null],
      ["npm --prefix app run test", /not installed/],
      ["npm --prefix ready run test", null],
      ["npm ci", null],
      ["bin/npm ci", null],
      ["bin/none", /^bin\/none is no program of the project$/],
      ["none", /^none is not on PATH$/],
    ];
    for (const [run, expected] of rows) {
      const fault = await findStartFault(run.split(" "), { root, path: bin });
      if (expected === null) equal(fault, null, run);
      else match(fault ?? "", expected, run);
    }
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("a module that is installed for editing is there by its description alone", async () => {
  const root = await Deno.makeTempDir();
  const packages = join(root, ".venv/lib/python3.13/site-packages");
  await Deno.mkdir(join(packages, "my_tool-1.0.dist-info"), { recursive: true });
  await Deno.mkdir(join(root, ".venv/bin"), { recursive: true });
  await Deno.writeTextFile(join(root, ".venv/bin/python"), "#!/bin/sh\n", { mode: 0o755 });
  const ask = (name: string) =>
    findStartFault([".venv/bin/python", "-m", name], { root, path: "" });
  equal(await ask("my_tool"), null);
  equal(await ask("other"), ".venv has no module other");
  await Deno.remove(root, { recursive: true });
});
