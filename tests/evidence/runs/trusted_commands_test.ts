/** The hash by which commands are trusted: it changes with all that could change what is run. */
import {
  deepStrictEqual as deepEqual,
  notStrictEqual as notEqual,
  strictEqual as equal,
} from "node:assert/strict";
import type { ScriptRef } from "../../../src/evidence/runs/script_refs.ts";
import {
  followRef,
  hashCommands,
  loadCommandsUnderTrust,
} from "../../../src/evidence/runs/trusted_commands.ts";
import type { VerifyCommand } from "../../../src/evidence/runs/verify_commands.ts";

function follow(kind: ScriptRef["kind"], name: string, text: string, path = "file") {
  const found = followRef({ kind, files: [path], name }, path, text);
  return {
    text: found.text,
    next: found.next.map((ref) => `${ref.kind} ${ref.files[0]}#${ref.name}`),
  };
}

Deno.test("followRef() takes a script of package.json, its hooks and what it runs", () => {
  const text = JSON.stringify({
    name: "x",
    scripts: {
      pretest: "rm -rf out",
      test: "npm run lint && run-s 'build:*' && node tools/run.js",
      lint: "eslint .",
      "build:a": "a",
      "build:b": "b",
      other: "nothing of it",
    },
  });
  deepEqual(follow("npm_script", "test", text, "web/package.json"), {
    text: "npm run lint && run-s 'build:*' && node tools/run.js",
    next: [
      "npm_script web/package.json#pretest",
      "npm_script web/package.json#lint",
      "npm_script web/package.json#build:a",
      "npm_script web/package.json#build:b",
      "npm_script web/package.json#lint",
      "file web/tools/run.js#",
    ],
  });
  deepEqual(follow("npm_script", "toString", text), { text: null, next: [] });
  deepEqual(follow("npm_script", "test", "{broken"), { text: "{broken", next: [] });
  deepEqual(follow("npm_script", "test", "{}"), { text: null, next: [] });
});

Deno.test("followRef() takes a task of deno.jsonc with its dependencies", () => {
  const text = `{ // comment
    "tasks": {
      "ok": { "command": "deno task test", "dependencies": ["lint"] },
      "test": "deno test", "lint": "deno lint", },
  }`;
  deepEqual(follow("deno_task", "ok", text, "deno.jsonc"), {
    text: '{"command":"deno task test","dependencies":["lint"]}',
    next: [
      "deno_task deno.jsonc#test",
      "deno_task deno.jsonc#lint",
      "deno_task deno.json#test",
      "npm_script package.json#test",
    ],
  });
});

Deno.test("followRef() takes a list of composer with the scripts that it names by @", () => {
  const text = '{"scripts": {"test": ["@lint", "phpunit"], "lint": "phpcs"}}';
  deepEqual(follow("composer_script", "test", text, "composer.json"), {
    text: '["@lint","phpunit"]',
    next: ["composer_script composer.json#lint"],
  });
});

const MAKEFILE = `# Comment
include common.mk
RUN = npm run
.PHONY: test lint other

test: build | dirs
\t@$(RUN) test
ifdef CI
\t./ci.sh
endif

build: src/a.c
\tcc a.c

%.o: %.c
\tcc $<

dirs:
\tmkdir -p out

other:
\techo other
`;

Deno.test("followRef() takes a target with what it needs, and the lines of no target", () => {
  const { text, next } = follow("make_target", "test", MAKEFILE, "api/Makefile");
  equal(
    text,
    [
      "include common.mk",
      "RUN = npm run",
      "ifdef CI",
      "endif",
      ".PHONY: test lint other",
      "test: build | dirs",
      "\t@$(RUN) test",
      "\t./ci.sh",
      "build: src/a.c",
      "\tcc a.c",
      "dirs:",
      "\tmkdir -p out",
    ].join("\n"),
  );
  deepEqual(next, ["file api/common.mk#", "npm_script api/package.json#test", "file api/ci.sh#"]);
});

Deno.test("followRef() takes the first target where none is named, and none for a wrong name", () => {
  equal(follow("make_target", "", MAKEFILE).text?.includes("cc a.c"), true);
  equal(follow("make_target", "", MAKEFILE).text?.includes("echo other"), false);
  equal(follow("make_target", "missing", MAKEFILE).text, null);
  equal(follow("make_target", "x.o", MAKEFILE).text?.includes("cc $<"), true);
});

Deno.test("followRef() follows a shell script, and takes any other file as it is", () => {
  deepEqual(follow("file", "", "set -e\nnode a.js\n", "x.sh"), {
    text: "set -e\nnode a.js\n",
    next: ["file a.js#"],
  });
  deepEqual(follow("file", "", "#!/usr/bin/env bash\nmake", "run").next, [
    "make_target GNUmakefile#",
  ]);
  deepEqual(follow("file", "", "node a.js", "x.py").next, []);
});

function toCommand(run: readonly string[], rest: Partial<VerifyCommand> = {}): VerifyCommand {
  return { name: "test", run, paths: null, writes: [], timeoutMs: 1_000, ...rest };
}

async function createProject(files: Readonly<Record<string, string>>) {
  const root = await Deno.makeTempDir();
  const write = async (path: string, text: string) => {
    await Deno.mkdir(`${root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${root}/${path}`, text);
  };
  for (const [path, text] of Object.entries(files)) await write(path, text);
  const load = (command = toCommand(["npm", "test"])) => loadCommandsUnderTrust(root, [command]);
  return { root, write, load };
}

const PACKAGE = (scripts: Readonly<Record<string, string>>, more = {}) =>
  JSON.stringify({ scripts, ...more });

Deno.test("loadCommandsUnderTrust() reads what stands behind, through scripts to files", async () => {
  const { load } = await createProject({
    "package.json": PACKAGE({ test: "npm run unit", unit: "sh tools/unit.sh", other: "x" }),
    "tools/unit.sh": "node tools/unit.js\n",
    "tools/unit.js": "process.exit(0);\n",
  });
  const { behind } = await load();
  deepEqual(behind, [
    { path: "package.json", name: "test", text: "npm run unit" },
    { path: "package.json", name: "unit", text: "sh tools/unit.sh" },
    { path: "tools/unit.js", name: "", text: "process.exit(0);\n" },
    { path: "tools/unit.sh", name: "", text: "node tools/unit.js\n" },
  ]);
});

Deno.test("loadCommandsUnderTrust() ends although scripts name each other", async () => {
  const { load } = await createProject({
    "package.json": PACKAGE({ test: "npm run a", a: "npm run test && npm run a" }),
  });
  deepEqual((await load()).behind.map(({ name }) => name), ["a", "test"]);
});

Deno.test("the hash changes with the text behind a command, and only with it", async () => {
  const scripts = { test: "npm run unit", unit: "sh tools/unit.sh" };
  const { load, write } = await createProject({
    "package.json": PACKAGE(scripts),
    "tools/unit.sh": "exit 1\n",
    "src/a.ts": "1",
  });
  const { hash: first } = await load();
  await write("src/a.ts", "2");
  await write("package.json", PACKAGE({ ...scripts, other: "new" }, { version: "2" }));
  equal((await load()).hash, first, "what is not run changes nothing");
  const changes: readonly (readonly [path: string, text: string])[] = [
    ["tools/unit.sh", "exit 0\n"],
    ["package.json", PACKAGE({ ...scripts, unit: "true" })],
    ["package.json", PACKAGE({ ...scripts, pretest: "curl x" })],
    ["package.json", PACKAGE({ unit: scripts.unit })],
  ];
  const hashes = new Set([first]);
  for (const [path, text] of changes) {
    await write("package.json", PACKAGE(scripts));
    await write("tools/unit.sh", "exit 1\n");
    equal((await load()).hash, first);
    await write(path, text);
    hashes.add((await load()).hash);
  }
  equal(hashes.size, changes.length + 1);
});

Deno.test("the hash changes when a file appears that was named but missing", async () => {
  const { load, write } = await createProject({});
  const command = toCommand(["./verify.sh"]);
  const before = await load(command);
  deepEqual(before.behind, [{ path: "verify.sh", name: "", text: null }]);
  await write("verify.sh", "exit 0\n");
  notEqual((await load(command)).hash, before.hash);
});

Deno.test("hashCommands() depends on every part of a command", () => {
  const base = toCommand(["a"]);
  const rows: readonly VerifyCommand[] = [
    base,
    { ...base, name: "b" },
    { ...base, run: ["a", "b"] },
    { ...base, paths: ["src/**"] },
    { ...base, writes: ["**"] },
    { ...base, timeoutMs: 2_000 },
  ];
  equal(new Set(rows.map((row) => hashCommands([row], []))).size, rows.length);
  equal(hashCommands([base], []), hashCommands([{ ...base }], []));
  notEqual(
    hashCommands([toCommand(["a b"])], []),
    hashCommands([toCommand(["a", "b"])], []),
  );
});
