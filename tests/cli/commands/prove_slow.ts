/** A change is proven from a shell, without a session: by real tests in clean checkouts, compared with the tree of before. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { runHosted } from "../../support/server/hosted_cli.ts";
import { ADD, ADD_TEST, createProofProject } from "../../support/proof_project.ts";

/** The change that each test makes: a function more. */
const CLIP = `${ADD}exports.clip = (text, size) => {
  if (size > text.length) return text;
  return text.slice(0, size);
};
`;
const CLIP_TEST = `${ADD_TEST}const { clip } = require("../src/add.js");
test("clips", () => {
  assert.strictEqual(clip("abc", 2), "ab");
  assert.strictEqual(clip("abc", 3), "abc");
  assert.strictEqual(clip("abc", 9), "abc");
});
`;

async function setUp({ isTrusted = true, files = {} } = {}) {
  const { cwd, env } = await createProofProject({ isTrusted, files });
  const write = async (files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) {
      await Deno.writeTextFile(join(cwd, path), text);
    }
  };
  const prove = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await runHosted(["prove", ...words], { cwd, env });
    const line = stdout.split("\n")[0] ?? "";
    return { code, stdout, line, stderr };
  };
  return { cwd, env, write, prove };
}

Deno.test(
  "prove says proven where a new test fails without the change, with exit code 0",
  async () => {
    const { write, prove } = await setUp();
    await write({ "src/add.js": CLIP, "test/add.test.js": CLIP_TEST });
    const { code, line, stdout, stderr } = await prove();
    match(
      stderr,
      /^so far proven: .*; only the nearest tests were run; next: the project's commands$/m,
    );
    match(stderr, /^so far proven: 2 tests ran, .*; next: small wrong versions/m);
    match(stdout, /^ {2}nearest: done in [\d.]+ s \(node .*--test test\/add\.test\.js\)$/m);
    match(
      line,
      /^proven: 2 tests ran, nothing new fails, 1 changed test fails without what the change does/,
      stdout,
    );
    equal(code, 0);
    equal((await prove("--markdown")).stdout, "");
    const known = JSON.parse((await prove("--json")).stdout);
    match(known.proven_at, /^20/);
  },
);

Deno.test(
  "prove says broken where a test fails by the change, and what fails, with exit code 2",
  async () => {
    const { write, prove } = await setUp();
    await write({ "src/add.js": ADD.replace("a + b", "a - b") });
    const { code, line, stdout } = await prove("--json");
    equal(code, 2);
    const reply = JSON.parse(stdout);
    equal(reply.verdict, "broken", line);
    match(reply.line, /adds fails with the change and not without it/);
    const states = Object.fromEntries(
      reply.checks.map(({ name, state }: Record<string, string>) => [name, state]),
    );
    deepEqual(states.wrong_versions, "skipped");
    match((await prove("--markdown")).stdout, /^\*\*broken: /);
    const sarif = JSON.parse((await prove("--sarif")).stdout);
    equal(sarif.runs[0].results[0].level, "error");
  },
);

Deno.test(
  "prove says not proven where the changed test passes without the change, or was weakened",
  async () => {
    const { write, prove } = await setUp();
    const empty = `${ADD_TEST}test("clips", () => assert.ok(true));\n`;
    await write({ "src/add.js": CLIP, "test/add.test.js": empty });
    const hollow = await prove();
    match(hollow.line, /^not proven: /);
    ok(hollow.stdout.includes("test/add.test.js: clips: passes without the change too"));
    equal(hollow.code, 1);
    await write({ "test/add.test.js": CLIP_TEST.replace("add(1, 2), 3", "add(1, 2), add(1, 2)") });
    const bent = await prove();
    match(bent.line, /^not proven: test\/add\.test\.js assertions expect something else/);
    match(bent.stdout, /Either the test or the code may be wrong/);
  },
);

Deno.test(
  "prove says not proven where the tests of a new function pass with a version that does nothing",
  async () => {
    const { write, prove } = await setUp();
    const weak = `${ADD_TEST}const { clip } = require("../src/add.js");
test("clips", () => assert.strictEqual(clip("abc", 9), "abc"));
`;
    await write({ "src/add.js": CLIP, "test/add.test.js": weak });
    const { line, stdout } = await prove();
    match(
      line,
      /^not proven: test\/add\.test\.js: clips passes with a version of clip that does nothing/,
      stdout,
    );
    // The size says nothing where only a name is called.
    const called = `${ADD_TEST}test("clips", () => require("../src/add.js").clip("abc", 2));\n`;
    await write({ "test/add.test.js": called });
    match((await prove()).line, /^not proven: .* passes with a version of clip/);
    // Each of two tests passes with a version that always says the same, and both do with none.
    const odd = `${ADD}exports.isOdd = (n) => n % 2 === 1;\n`;
    const one = `${ADD_TEST}const { isOdd } = require("../src/add.js");
test("is odd", () => assert.ok(isOdd(3)));
`;
    await write({ "src/add.js": odd, "test/add.test.js": one });
    match((await prove()).line, /^not proven: .* passes with a version of isOdd/);
    const both = `${one}test("is even", () => assert.ok(!isOdd(2)));\n`;
    await write({ "test/add.test.js": both });
    match((await prove()).line, /^proven: .*2 changed tests fail without what the change does/);
  },
);

Deno.test(
  "prove knows a commit, says what it did not reach in time, and that nothing changed",
  async () => {
    const { cwd, write, prove } = await setUp();
    match((await prove()).line, /^unknown: nothing changed$/);
    await write({ "src/add.js": CLIP, "test/add.test.js": CLIP_TEST });
    const git = async (...args: string[]) => {
      ok((await new Deno.Command("git", { args, cwd }).output()).success);
    };
    await git("add", "-A");
    await git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "Clip");
    match((await prove("--commit", "HEAD")).line, /^proven: /);
    const late = await prove("HEAD~1..HEAD", "--within", "0", "--anew");
    match(
      late.line,
      /^unknown: no command ran; the time is up, not reached: nearest, changed tests, commands, wrong versions$/,
    );
    equal(late.code, 3);
    const wrong = await prove("--commit", "nowhere");
    equal(wrong.code, 64);
    match(wrong.stderr, /names no commit of this repository/);
    // What names two changes or two forms is refused: none of them is passed over.
    for (
      const words of [["HEAD~1..HEAD", "--staged"], ["--json", "--sarif"], ["--staged", "--pushed"]]
    ) {
      const both = await prove(...words);
      deepEqual([
        both.code,
        both.stdout.includes("one_of_both") || both.stderr.includes("one_of_both"),
      ], [64, true]);
    }
    match((await prove("HEAD~1")).stderr, /"HEAD~1" is a commit, not a range[^]*--commit HEAD~1/);
  },
);

Deno.test(
  "an answer to a doubt makes the verdict unknown with its reason, and is shown from then on",
  async () => {
    const { write, prove } = await setUp();
    const bent = CLIP_TEST.replace("add(1, 2), 3", "add(1, 2), 4");
    await write({ "src/add.js": CLIP.replace("a + b", "a + b + 1"), "test/add.test.js": bent });
    const { line, stdout } = await prove();
    match(line, /^not proven: test\/add\.test\.js assertions expect something else/, stdout);
    const wrong = await prove("--answer", "src/nowhere.js: the specification says so");
    equal(wrong.code, 64);
    match(wrong.stderr, /No finding has the place[^]*test\/add\.test\.js/);
    const reason = "the carry is part of the sum, see issue 12";
    const { findings } = JSON.parse((await prove("--json")).stdout);
    const words = findings.flatMap((
      { weight, place }: { readonly weight: string; readonly place: string },
    ) => weight === "doubts" ? ["--answer", `${place}: ${reason}`] : []);
    const answered = await prove(...words);
    match(answered.line, /^unknown: answered, not proven: .*the carry is part of the sum/);
    equal(answered.code, 3);
    match((await prove()).stdout, /answered \(agent\): the carry is part of the sum, see issue 12/);
    // Of other files nobody has said anything.
    await write({ "src/add.js": CLIP.replace("a + b", "1 + a + b") });
    match((await prove()).line, /^not proven: /);
    const whole = await prove("--answer", "cannot prove because the sum needs a device");
    match(whole.line, /^unknown: cannot prove because the sum needs a device; not proven: /);
  },
);

Deno.test("prove runs nothing that nobody allowed", async () => {
  const { write, prove } = await setUp({ isTrusted: false });
  await write({ "src/add.js": CLIP });
  const { code, stderr } = await prove();
  equal(code, 64);
  match(stderr, /verify_untrusted/);
});

Deno.test("prove blocks no change of comments, and ends what runs when the time is up", async () => {
  const { write, prove } = await setUp();
  await write({ "src/add.js": `// The sum.\n${ADD}` });
  const { line, code } = await prove();
  match(line, /^unknown: nothing that runs changed$/);
  equal(code, 3);
  const slow =
    `${CLIP_TEST}test("waits", () => new Promise((done) => setTimeout(done, 60_000)));\n`;
  await write({ "src/add.js": CLIP, "test/add.test.js": slow });
  const late = await prove("--within", "3");
  match(late.line, /^unknown: no command ran; the time is up, not reached: nearest, /, late.stdout);
  equal(late.code, 3);
});

Deno.test("prove calls nothing broken by the change where a program is not there", async () => {
  const verify = [{ name: "test", run: ["no-such-program"] }];
  const config = { ".code-intel/config.json": JSON.stringify({ verify }) };
  const { write, prove } = await setUp({ files: config });
  await write({ "src/add.js": CLIP });
  const { line, code } = await prove();
  match(line, /^unknown: could not be started: "no-such-program" .*: install it, or correct/);
  equal(code, 3);
});

Deno.test("prove counts a check that is red without names as before where its text is the same", async () => {
  const verify = [{ name: "test", run: ["node", "--test", "test/"] }, {
    name: "style",
    run: ["sh", "style.sh"],
  }];
  const files = {
    ".code-intel/config.json": JSON.stringify({ verify }),
    "style.sh":
      'echo "old.txt is too long ($$ ms)"; wc -l src/add.js > /dev/null; test -z "$(grep -l XX src/*)" || echo src/add.js has XX; exit 1\n',
  };
  const { write, prove } = await setUp({ files });
  await write({ "src/add.js": CLIP, "test/add.test.js": CLIP_TEST });
  match((await prove()).line, /^proven: .*what fails failed before/);
  await write({ "src/add.js": `${CLIP}// XX\n` });
  match(
    (await prove()).line,
    /^unknown: it failed before the work too, and nothing says what failed/,
  );
});

Deno.test("prove remembers nothing of runs that variables steered, names these, and writes no note with them", async () => {
  const { write, prove, cwd, env } = await setUp();
  await write({ "src/add.js": CLIP, "test/add.test.js": CLIP_TEST });
  const steered = async (...words: readonly string[]) =>
    await runHosted(["prove", ...words], { cwd, env: { ...env, NODE_OPTIONS: "--no-warnings" } });
  const first = await steered("--within", "0");
  match(first.stdout, /^ {2}notes: NODE_OPTIONS: is set, and changes what test runners do$/m);
  const { code, stderr } = await steered("--commit", "HEAD", "--note");
  match(stderr, /NODE_OPTIONS is set/);
  equal(code === 0, false);
  equal((await prove("--within", "0")).stdout.includes("NODE_OPTIONS"), false);
});
