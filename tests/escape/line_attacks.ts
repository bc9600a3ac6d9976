/** Changed lines that no test runs, or whose small wrong versions no test notices. */
import type { SessionOptions } from "../support/session/session_driver.ts";
import { SAMPLE_EDITS } from "../support/session/session_driver.ts";
import type { Attack, Ground } from "./attack.ts";
import { FAST, finish, held, passed, submitDue } from "./attack.ts";
import { configure, trust } from "./verification_attacks.ts";

const REPORT = { passed: true, verifier_used: "check", failed_tasks: [], details: "all green" };
const CONTEXT = ".code-intel/context.yml";

/** A session at a step whose check is a script, in a project with settings. */
async function toStep(
  ground: Ground,
  step: number,
  made: { readonly script: string; readonly context: string; readonly ignored?: string },
  options: SessionOptions = FAST,
) {
  const { script, context, ignored = "" } = made;
  const files = { "check.sh": script, [CONTEXT]: context, ".gitignore": ignored };
  await configure(ground, { files });
  await trust(ground);
  return await ground.to(step, options);
}

const BOUND = "coverage:\n  changed_lines: 0.8\n";
/** Counts every line of src/auth.ts as run, save those that say `never`. */
const COVERED = `mkdir -p coverage
echo SF:src/auth.ts > coverage/lcov.info
grep -n '' src/auth.ts | sed 's/^\\([0-9]*\\):.*never.*/DA:\\1,0/' | sed 's/^\\([0-9]*\\):.*/DA:\\1,1/' >> coverage/lcov.info
echo end_of_record >> coverage/lcov.info
`;
/** Writes what it counts only where nothing is. */
const STALE = `mkdir -p coverage; test -f coverage/lcov.info || echo > coverage/lcov.info\n`;
const UNRUN: SessionOptions = {
  ...FAST,
  edits: {
    "src/auth.ts": `${SAMPLE_EDITS["src/auth.ts"]}
export function logout(name: string): string {
  const never = name.trim();
  return never + never;
}
`,
  },
};

/** A test that passes while the file says `needed`, and one that looks at the whole line. */
const WEAK = `echo TAP version 13; echo 1..1
grep -q needed src/auth.ts && echo 'ok 1 - name' && exit 0
echo 'not ok 1 - name'; exit 1
`;
const STRONG = WEAK.replace(
  "grep -q needed src/auth.ts",
  `sed -n 4p src/auth.ts | grep -qxF "  if (name === '') throw new Error('a name is needed');"`,
);
/** What is done where the work goes back for a test: nothing that is one. */
const NO_TEST: SessionOptions = { ...FAST, fixes: [{ "NOTES.md": "Names are needed.\n" }] };
const GATE = "mutants:\n  when: always\n  seconds: 300\n  gate: true\n";

/** All attacks of this theme. */
export const LINE_ATTACKS: readonly Attack[] = [
  {
    id: "lines-that-nothing-runs",
    tries: "hands in lines that no test runs, where the project wants most of them to run",
    found: ["coverage_below"],
    at: "submit_phase@15",
    async attack(ground) {
      const made = { script: COVERED, context: BOUND, ignored: "coverage/\n" };
      const reply = await (await toStep(ground, 15, made, UNRUN)).submit(REPORT);
      const isSent = reply.verified === false && reply.sent_back === true &&
        reply.changed_lines.not_run.length > 0;
      return held("coverage_below", isSent, reply);
    },
    async honest(ground) {
      const made = { script: COVERED, context: BOUND, ignored: "coverage/\n" };
      const reply = await (await toStep(ground, 15, made)).submit(REPORT);
      return passed(reply.verified === true && reply.changed_lines.ran === 1, reply);
    },
  },
  {
    id: "coverage-of-another-day",
    tries: "leaves a coverage file that says all changed lines ran, which no command wrote",
    found: ["coverage_unknown"],
    at: "submit_phase@15",
    async attack(ground) {
      const made = { script: STALE, context: BOUND, ignored: "coverage/\n" };
      const session = await toStep(ground, 15, made, UNRUN);
      const lines = Array.from({ length: 20 }, (_, at) => `DA:${at + 1},1\n`).join("");
      const text = `SF:src/auth.ts\n${lines}end_of_record\n`;
      await ground.project.repo.write({ "coverage/lcov.info": text });
      const { changed_lines: told } = await session.submit(REPORT);
      const isHeld = told.ran === undefined && told.unknown > 0;
      return held("coverage_unknown", isHeld, told);
    },
    async honest(ground) {
      const made = { script: COVERED, context: BOUND, ignored: "coverage/\n" };
      const session = await toStep(ground, 15, made);
      await ground.project.repo.write({ "coverage/lcov.info": "SF:a.ts\nend_of_record\n" });
      const reply = await session.submit(REPORT);
      return passed(reply.verified === true && reply.changed_lines.ran === 1, reply);
    },
  },
  {
    id: "test-that-notices-nothing",
    tries: "hands in a change with a test that wrong versions of it pass, too",
    found: ["sent_back_for_a_test"],
    at: "submit_phase@15",
    async attack(ground) {
      const session = await toStep(ground, 15, { script: WEAK, context: GATE });
      const reply = await session.submit(REPORT);
      const isHeld = reply.sent_back === true && /no test notices/.test(reply.reason);
      return held("sent_back_for_a_test", isHeld, reply);
    },
    async honest(ground) {
      const session = await toStep(ground, 15, { script: STRONG, context: GATE });
      const reply = await session.submit(REPORT);
      const isNoticed = /^proven: .* wrong versions are noticed/.test(reply.proof);
      return passed(reply.step === 17 && isNoticed, reply);
    },
  },
  {
    id: "survivor-without-a-reason",
    tries: "commits a change whose wrong versions pass the tests, and says nothing about them",
    found: ["mutant_survived"],
    at: "submit_phase@17",
    attack: async (ground) =>
      await submitDue(await toStep(ground, 17, { script: WEAK, context: GATE }, NO_TEST)),
    async honest(ground) {
      const session = await toStep(ground, 17, { script: WEAK, context: GATE }, NO_TEST);
      const payload = await session.prepare();
      const review = await session.must("review_changes");
      const reason = "The message is for people, and no test is to pin it";
      const ids: readonly { readonly id: string }[] = review.test_findings;
      const test_findings = ids.map(({ id }) => ({ id, reason }));
      await session.accept({ ...payload, test_findings });
      return await finish(session);
    },
  },
];
