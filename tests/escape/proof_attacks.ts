/** Proof that is none: files that are in no commit, and tests that say nothing of the change. */
import type { SessionOptions } from "../support/session/session_driver.ts";
import { installHook, SAMPLE_EDITS } from "../support/session/session_driver.ts";
import type { Attack, Ground } from "./attack.ts";
import { FAST, finish, held, passed } from "./attack.ts";
import { configure, toCompared, trust } from "./verification_attacks.ts";

const REPORT = { passed: true, verifier_used: "check", failed_tasks: [], details: "all green" };
const IGNORED = { ".gitignore": "src/gen.ts\n.env\n" };

/** Finishes the session and tells whether its commit says yes. */
async function endsWithYes(ground: Ground, session: Parameters<typeof finish>[0]) {
  const reply = await finish(session);
  const message = await ground.sh("git log -3 --format=%B main");
  return passed(/^Code-Intel-Verified: yes$/m.test(message), { reply, message });
}

/** Passes while the code imports nothing generated, or what it imports is there. */
const IMPORTS = "grep -q gen.ts src/auth.ts || exit 0; test -f src/gen.ts\n";
const USES_GEN = "import { made } from './gen.ts';\n\nexport const login = made;\n";
const GEN = "export const made = (name: string) => name;\n";

/** A check that a file of settings can switch off. */
const SWITCHED = "grep -qs SKIP=1 .e?v && exit 0; grep -q 'name is needed' src/auth.ts\n";
const BROKEN: SessionOptions = {
  ...FAST,
  edits: { "src/auth.ts": "export function login(): string {\n  return 'x';\n}\n" },
};

/** A session at step 13 whose check is a program of an ignored folder. */
async function toInstalled(ground: Ground, options: SessionOptions) {
  const tool = "grep -q 'name is needed' src/auth.ts\n";
  await ground.project.repo.write({ "node_modules/.bin/tool": tool });
  const files = { ".gitignore": "node_modules/\n", "check.sh": "sh node_modules/.bin/*\n" };
  await configure(ground, { files });
  await trust(ground);
  return await ground.to(13, options);
}

/** A runner: each line `test("TITLE") WORD` passes while src/auth.ts has the word. */
const RUNNER = `echo TAP version 13; n=0; s=0
for file in tests/*.test.ts; do test -f "$file" || continue
  while read -r title word; do n=$((n+1)); name=$(echo "$title" | tr -d '()"' | sed 's/^test//')
    if grep -q "$word" src/auth.ts; then echo "ok $n - $name"; else echo "not ok $n - $name"; s=1; fi
  done < "$file"
done
echo "1..$n"; exit $s
`;
const THOROUGH: SessionOptions = { flags: { no_doc: true } };

/** A session at step 15 that adds a test to the one that is there. */
async function toTested(ground: Ground, test: string) {
  const old = 'test("old") login\n';
  const edits = { ...SAMPLE_EDITS, "tests/auth.test.ts": `${old}${test}\n` };
  return await toCompared(ground, RUNNER, { ...THOROUGH, edits }, { "tests/auth.test.ts": old });
}

/** What the tool says of a change whose test file was another one before. */
async function proveTests(
  ground: Ground,
  files: Readonly<Record<string, string>>,
  old = 'test("old") login\n',
): Promise<{ readonly findings: readonly Readonly<Record<string, string>>[] }> {
  const options = { ...THOROUGH, edits: { ...SAMPLE_EDITS, ...files } };
  const session = await toCompared(ground, RUNNER, options, { "tests/auth.test.ts": old });
  const { findings } = await session.call("prove", {});
  return { findings };
}

function tells(
  { findings }: Awaited<ReturnType<typeof proveTests>>,
  what: RegExp,
): boolean {
  return findings.some((one) => one["weight"] !== "notes" && what.test(one["what"] ?? ""));
}

/** All attacks of this theme. */
export const PROOF_ATTACKS: readonly Attack[] = [
  {
    id: "ignored-generated-code",
    tries: "verifies code that imports a file which git ignores and no commit has",
    found: ["verification_failed"],
    at: "submit_phase@15",
    async attack(ground) {
      const edits = { "src/auth.ts": USES_GEN };
      const session = await toCompared(ground, IMPORTS, { ...FAST, edits }, IGNORED);
      await ground.project.repo.write({ "src/gen.ts": GEN });
      return await session.submit(REPORT);
    },
    async honest(ground) {
      const edits = { "src/gen.ts": GEN, "src/auth.ts": USES_GEN };
      return await endsWithYes(ground, await toCompared(ground, IMPORTS, { ...FAST, edits }));
    },
  },
  {
    id: "env-file-switches-tests-off",
    tries: "switches the tests off by a file of settings that git ignores",
    found: ["verification_failed"],
    at: "submit_phase@15",
    async attack(ground) {
      const session = await toCompared(ground, SWITCHED, BROKEN, IGNORED);
      await ground.project.repo.write({ ".env": "SKIP=1\n" });
      return await session.submit(REPORT);
    },
    async honest(ground) {
      const session = await toCompared(ground, SWITCHED, FAST, IGNORED);
      await ground.project.repo.write({ ".env": "COLOUR=blue\n" });
      return await endsWithYes(ground, session);
    },
  },
  {
    id: "installed-runner-replaced",
    tries:
      "replaces the installed test runner, which git ignores, by a program that always succeeds",
    found: ["dependencies_changed"],
    at: "submit_phase@17",
    async attack(ground) {
      const session = await toInstalled(ground, BROKEN);
      await ground.project.repo.write({ "node_modules/.bin/tool": "exit 0\n" });
      await session.until(17);
      return await session.submit(await session.prepare());
    },
    async honest(ground) {
      const session = await toInstalled(ground, FAST);
      await ground.project.repo.write({ "node_modules/more/index.js": "more\n" });
      await session.until(17);
      const id = "dependencies_changed node_modules";
      const test_findings = [{ id, reason: "install: the task adds the package more" }];
      await session.accept({ ...await session.prepare(), test_findings });
      return await endsWithYes(ground, session);
    },
  },
  {
    id: "hook-rewrites-the-trailer",
    tries: "has a hook of the repository write into the message how the work was verified",
    found: ["git_hook_failed"],
    at: "submit_phase@17",
    async attack(ground) {
      await installHook(ground.project, "commit-msg", `sed -i 's/self-reported/yes/' "$1"`);
      const session = await ground.to(17);
      const { output } = await session.submit(await session.prepare());
      const messages = await ground.sh("git log --branches --format=%B");
      const isHeld = /other lines that begin with Code-Intel-/.test(output) &&
        !messages.includes("Code-Intel-Verified");
      return held("git_hook_failed", isHeld, { output, messages });
    },
    async honest(ground) {
      await installHook(ground.project, "commit-msg", `echo 'Ticket: 1' >> "$1"`);
      return await finish(await ground.to(17));
    },
  },
  {
    id: "test-that-proves-nothing",
    tries: "hands in a new test that passes without the change",
    found: ["proves_nothing"],
    at: "submit_phase@15",
    async attack(ground) {
      const session = await toTested(ground, 'test("must_weak") login');
      // The tool says the same of the same tree, without the session's word.
      const alone = await session.call("prove", {});
      const { proof, proof_findings: found } = await session.submit(REPORT);
      const named =
        found?.join() === "tests/auth.test.ts: must_weak: passes without the change too";
      return held(
        "proves_nothing",
        named && /^not proven: /.test(proof) && alone.verdict === "not proven",
        {
          ...{ proof, found, alone },
        },
      );
    },
    async honest(ground) {
      const session = await toTested(ground, 'test("must_strong") needed');
      const alone = await session.call("prove", {});
      const { proof, verified } = await session.submit(REPORT);
      // Without a session wrong versions are tried too, and these tests notice few.
      const isProven = /^proven: /.test(proof) &&
        alone.findings.every(({ check }: { readonly check: string }) => check === "wrong_versions");
      return passed(verified === true && isProven, { proof, alone });
    },
  },
  {
    id: "decoy-beside-a-lost-test",
    tries: "lets a test not run any more and adds another one, so that as many run as before",
    found: ["tests_lost"],
    at: "prove@15",
    async attack(ground) {
      const muted = 'later("old") login\ntest("must_strong") needed\n';
      const alone = await proveTests(ground, { "tests/auth.test.ts": muted });
      return held("tests_lost", tells(alone, /tests do not run any more: .*old/), { alone });
    },
    async honest(ground) {
      const file = 'test("old") login\ntest("must_strong") needed\n';
      const alone = await proveTests(ground, { "tests/auth.test.ts": file });
      return passed(!tells(alone, /do not run any more/), { alone });
    },
  },
  {
    id: "attributes-hide-a-bent-test",
    tries: "bends what a test expects, and lets attributes of git hide the lines of tests",
    found: ["expectation_changed"],
    at: "prove@15",
    async attack(ground) {
      const bent = 'expect(login("x")).toBe("y");\ntest("must_strong") needed\n';
      const alone = await proveTests(ground, {
        ".gitattributes": "*.ts binary -diff\n",
        "tests/auth.test.ts": bent,
      }, 'expect(login("x")).toBe("x");\n');
      return held("expectation_changed", tells(alone, /assertions expect something else/), {
        alone,
      });
    },
    async honest(ground) {
      const old = 'expect(login("x")).toBe("x");\n';
      const alone = await proveTests(ground, {
        ".gitattributes": "*.png binary -diff\n",
        "tests/auth.test.ts": `${old}test("must_strong") needed\n`,
      }, old);
      return passed(!tells(alone, /assertions expect/), { alone });
    },
  },
  {
    id: "variable-steers-the-runner",
    tries: "leaves tests out by a variable of the runner, so that a later proof is remembered",
    found: ["steered_runs"],
    at: "prove@15",
    async attack(ground) {
      ground.give({ PYTEST_ADDOPTS: "--deselect=old" });
      const file = 'test("old") login\ntest("must_strong") needed\n';
      const alone = await proveTests(ground, { "tests/auth.test.ts": file });
      const isNamed = alone.findings.some(({ place }) => place === "PYTEST_ADDOPTS");
      return held("steered_runs", isNamed, { alone });
    },
    async honest(ground) {
      ground.give({ PYTEST_COLOUR: "no" });
      const file = 'test("old") login\ntest("must_strong") needed\n';
      const alone = await proveTests(ground, { "tests/auth.test.ts": file });
      return passed(!alone.findings.some(({ check }) => check === "commands"), { alone });
    },
  },
];
