/** How the quick tests are dealt out: each file once, those that take long first. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { toGroups, toSlowGroups } from "../../tools/quick_tests/groups.ts";
import { listTests, SLOW, withGroups } from "../../tools/quick_tests/run.ts";
import { listStarting, NEVER_SEARCHING } from "../../tools/quick_tests/starting.ts";
import { TEMP_OF_RUN, toInMemory, withTempOfRun } from "../../tools/quick_tests/temp_of_run.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const numbered = (folder: string, count: number) =>
  Array.from({ length: count }, (_, at) => `tests/${folder}/f${at + 10}_test.ts`);

Deno.test("toGroups() puts each file into one group, long folders first, short ones together", () => {
  const files = [
    ...numbered("base", 81),
    ...numbered("e2e", 3),
    ...numbered("workflow", 5),
    ...numbered("explore", 2),
    ...numbered("index", 2),
    ...numbered("index/vectors", 1),
    "tests/x_test.ts",
  ];
  const groups = toGroups(files);
  deepEqual(groups.map(({ name, files }) => [name, files.length]), [
    ["vectors_1", 1],
    ["languages_1", 4],
    ["workflow_1", 3],
    ["workflow_2", 2],
    ["e2e_1", 3],
    ["short_1", 41],
    ["short_2", 41],
  ]);
  deepEqual(groups.flatMap((group) => group.files).sort(), files.toSorted());
  deepEqual(toGroups([]), []);
});

Deno.test("listTests() finds every quick test of the repository, as `deno test tests/` would", async () => {
  const all = await listTests(REPOSITORY, ["tests"]);
  ok(all.includes("tests/quick_tests/groups_test.ts"));
  ok(all.includes("tests/services/services_test.ts"));
  equal(all.some((path) => !path.endsWith("_test.ts")), false);
  deepEqual(
    await listTests(REPOSITORY, [
      "tests/services/services_test.ts",
      "tests/services/services_test.ts",
    ]),
    [
      "tests/services/services_test.ts",
    ],
  );
});

Deno.test("listStarting() finds tests that can start a program themselves or through what they import", async () => {
  const repository = await Deno.makeTempDir({ prefix: "code-intel-test-" });
  const files: Readonly<Record<string, string>> = {
    "own_test.ts": 'testNeeding(["posix", "ssh_keygen"], "a", () => {});\n',
    "bare_test.ts": 'testNeeding(["posix", "no_root"], "a", () => {});\n',
    "finder_test.ts": "createBackends();\n",
    "off_test.ts": 'createBackends({ env: { get: () => "none" } });\nimport "../src/explore/a.ts"',
    "through_test.ts": 'import { a } from "./support/a.ts";\n',
    "plain_test.ts": 'import { b } from "./support/b.ts";\n',
    "support/a.ts":
      'import { b } from "./b.ts";\nimport { run } from "../support/server/cli.ts";\n',
    "support/cli.ts": "",
    "support/b.ts": 'import { a } from "../plain_test.ts";\n',
  };
  try {
    await Deno.mkdir(`${repository}/tests/support`, { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(`${repository}/tests/${name}`, text);
    }
    const tests = await listTests(repository, ["tests"]);
    deepEqual(await listStarting(repository, tests), [
      "tests/finder_test.ts",
      "tests/own_test.ts",
      "tests/through_test.ts",
    ]);
  } finally {
    await Deno.remove(repository, { recursive: true });
  }
});

Deno.test("a test that is left out because it searches nothing exists, and asks for no program", async () => {
  for (const path of NEVER_SEARCHING) {
    const text = await Deno.readTextFile(`${REPOSITORY}/${path}`);
    equal(
      /(?:testNeeding\(\s*|needs: )\[[^\]]*"(?!(?:posix|http)")\w|createBackends\(/.test(text),
      false,
      path,
    );
  }
});

Deno.test("no test outside of those that are repeated names a program that a bare machine lacks", async () => {
  const files = await listTests(REPOSITORY, ["tests"]);
  const starting = new Set(await listStarting(REPOSITORY, files));
  const others = files.filter((path) => !starting.has(path));
  // Both are many: a pattern that fits nothing, or everything, is broken.
  ok(starting.size > 40 && others.length > starting.size, `${starting.size} ${others.length}`);
  const named = await Promise.all(others.map(async (path) => {
    const text = await Deno.readTextFile(`${REPOSITORY}/${path}`);
    return /Command\("(?:rg|script|ssh-keygen|pytest)"|runProcess\("rg"/.test(text) ? [path] : [];
  }));
  deepEqual(named.flat(), []);
});

Deno.test("withGroups() writes modules that import the files, and removes them", async () => {
  const repository = await Deno.makeTempDir({ prefix: "code-intel-test-" });
  try {
    const texts = await withGroups(
      repository,
      toGroups(["tests/a_test.ts", "tests/e2e/c_test.ts"]),
      (paths) => Promise.all(paths.map((path) => Deno.readTextFile(path))),
    );
    equal(texts.length, 2);
    ok(texts.join("").includes("/tests/e2e/c_test.ts"));
    deepEqual(await Array.fromAsync(Deno.readDir(`${repository}/dist`)), []);
  } finally {
    await Deno.remove(repository, { recursive: true });
  }
});

Deno.test("withTempOfRun() gives programs a place for temporary files, and removes what they leave", async () => {
  const left = await withTempOfRun(async (env) => {
    const { TMPDIR: folder = "", [TEMP_OF_RUN]: named } = env;
    equal(named, folder);
    await Deno.mkdir(`${folder}/left/deep`, { recursive: true });
    await Deno.writeTextFile(`${folder}/left/deep/a.txt`, "a");
    return folder;
  });
  equal(await Deno.stat(left).catch(() => null), null);
});

Deno.test("toInMemory() starts a program whose folder nobody else sees, and nothing is left of it", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const words = await toInMemory(folder);
    const [program = "", ...args] = [...words, "sh", "-c", `echo in > "$0/a"; cat "$0/a"`, folder];
    const { stdout } = await new Deno.Command(program, { args }).output();
    equal(new TextDecoder().decode(stdout), "in\n");
    const left = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
    deepEqual(left, words.length > 0 ? [] : ["a"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("toInMemory() leaves a folder where it is on a machine without the program for it", async () => {
  const code = `const { toInMemory } = await import(${
    JSON.stringify(new URL("../../tools/quick_tests/temp_of_run.ts", import.meta.url).href)
  });
    console.log(JSON.stringify(await toInMemory(Deno.cwd())));`;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-lock", code],
    env: { PATH: "", NO_COLOR: "1" },
  }).output();
  equal(new TextDecoder().decode(stdout), "[]\n");
});

Deno.test("toSlowGroups() puts the longest first, some folders together, and loses no file", async () => {
  const files = await listTests(REPOSITORY, ["tests"], SLOW);
  const groups = toSlowGroups(files);
  deepEqual(groups.flatMap((group) => group.files).sort(), files.toSorted());
  ok((groups[0]?.files.length ?? 0) > 1);
  equal(new Set(groups.map(({ name }) => name)).size, groups.length, "a module has one name");
  const few = toSlowGroups(["tests/a_slow.ts", "tests/cli/a_slow.ts", "tests/faults/soak_slow.ts"]);
  deepEqual(few.map(({ name }) => name), ["cli_1", "faults_soak_slow", "a_slow"]);
  const quick = ["base", "cli", "explore", "faults", "project"].map((name) =>
    `tests/${name}/a_test.ts`
  );
  const both = toSlowGroups([...quick, "tests/cli/a_slow.ts", "tests/faults/soak_slow.ts"]);
  deepEqual(both.map(({ name, files }) => [name, files.length]), [
    ["hostile_1", 1],
    ["cli_1", 3],
    ["languages_1", 1],
    ["short_1", 1],
    ["faults_soak_slow", 1],
  ]);
});
