/** The verification: its commands, the texts behind them, its result, and who allowed it. */
import type { SessionOptions } from "../support/session/session_driver.ts";
import { SAMPLE_EDITS } from "../support/session/session_driver.ts";
import { trustCommand } from "../support/session/trusted_command.ts";
import type { Attack, Ground } from "./attack.ts";
import { FAST, finish, held, passed, settle, submitDue } from "./attack.ts";

const VIEW = "src/view.ts";
/** Passes while the file says `shown`, unless something is armed to fail. */
const CHECK = "#!/bin/sh\ngrep -q shown src/view.ts && grep -q 'name is needed' src/auth.ts\n";

/** Commits a project whose verification is `run`, with files. */
export async function configure(
  ground: Ground,
  options: {
    readonly run?: readonly string[];
    readonly files?: Readonly<Record<string, string>>;
    readonly baseline?: "auto" | "off";
    readonly checkout?: "auto" | "off";
  },
): Promise<void> {
  const { run = ["sh", "check.sh"], files = { "check.sh": CHECK }, baseline = "off" } = options;
  const { checkout = "auto" } = options;
  const config = {
    verify: [{ name: "check", run }],
    verify_baseline: baseline,
    verify_checkout: checkout,
  };
  await ground.project.repo.commit("Verify", {
    ".code-intel/config.json": JSON.stringify(config),
    ...files,
  });
}

/** The person allows at a terminal what the project now names. */
export async function trust(
  ground: Ground,
  run: readonly string[] = ["sh", "check.sh"],
): Promise<void> {
  await trustCommand(ground.project, { name: "check", run });
}

/** A trusted project and a session that stands at a step. */
async function toTrusted(ground: Ground, step: number, options: SessionOptions = FAST) {
  await configure(ground, {});
  await trust(ground);
  return await ground.to(step, options);
}

const HONEST: Attack["honest"] = async (ground) => {
  const session = await toTrusted(ground, 15);
  const reply = await finish(session);
  const message = await ground.sh("git log -3 --format=%B main");
  return passed(message.includes("Code-Intel-Verified: yes"), { reply, message });
};

/** A test runner whose test `old` is red on any tree; `name` is for what the work does. */
const RED = `echo TAP version 13; echo 'not ok 1 - old'
if grep -q "'x'" src/auth.ts; then echo 'not ok 2 - name'; else echo 'ok 2 - name'; fi
echo 1..2; exit 1
`;
/** Two tests before the work; none once the file says that nothing shall run. */
const SHRINKING = `echo TAP version 13
if grep -q "'x'" src/auth.ts; then echo 1..0; else echo 'ok 1 - a'; echo 'ok 2 - b'; echo 1..2; fi
`;

/** A session at step 15 whose untouched tree has been run. */
export async function toCompared(
  ground: Ground,
  script: string,
  options: SessionOptions = FAST,
  files: Readonly<Record<string, string>> = {},
) {
  await configure(ground, { files: { "check.sh": script, ...files }, baseline: "auto" });
  await trust(ground);
  const session = await ground.start(options);
  const runs = `${ground.dir}/.code-intel/sessions/${session.id}.verify.json`;
  await ground.sh(`until grep -q '"finishedAt"' '${runs}'; do sleep 0.05; done`);
  await session.until(15);
  return session;
}

const X_EDIT: SessionOptions = {
  ...FAST,
  edits: { "src/auth.ts": "export function login(): string {\n  return 'x';\n}\n" },
};
const ALL_GREEN = { passed: true, verifier_used: "check", failed_tasks: [], details: "all green" };

const STEPS: readonly Attack[] = [
  {
    id: "new-failure-behind-a-red-baseline",
    tries: "adds a failing test result to a command that failed before the work",
    found: ["verification_failed"],
    at: "submit_phase@15",
    attack: async (ground) => await (await toCompared(ground, RED, X_EDIT)).submit(ALL_GREEN),
    async honest(ground) {
      const session = await toCompared(ground, RED);
      const reply = await session.submit({ ...ALL_GREEN, passed: false });
      return passed(reply.verified === true && reply.step === 17, reply);
    },
  },
  {
    id: "no-test-runs-any-more",
    tries: "makes the test command pass by leaving nothing that it runs",
    found: ["verification_failed"],
    at: "submit_phase@15",
    attack: async (ground) => await (await toCompared(ground, SHRINKING, X_EDIT)).submit(ALL_GREEN),
    async honest(ground) {
      await finish(await toCompared(ground, SHRINKING));
      const message = await ground.sh("git log -3 --format=%B main");
      return passed(message.includes("Code-Intel-Run: check: 2 passed (TAP)"), message);
    },
  },
  {
    id: "no-test-as-proof",
    tries: "takes a green run without a single test for a proof",
    found: ["trailer_no"],
    at: "submit_phase@19",
    async attack(ground) {
      await configure(ground, { files: { "check.sh": "echo TAP version 13; echo 1..0\n" } });
      await trust(ground);
      await finish(await ground.to(15));
      const message = await ground.sh("git log -3 --format=%B main");
      return held("trailer_no", /^Code-Intel-Verified: no$/m.test(message), message);
    },
    honest: HONEST,
  },
  {
    id: "passed-although-it-fails",
    tries: "says that the verification passed while the command fails",
    found: ["verification_failed"],
    at: "submit_phase@15",
    async attack(ground) {
      const session = await toTrusted(ground, 15, {
        ...FAST,
        edits: { "src/auth.ts": "export function login(): string {\n  return 'x';\n}\n" },
      });
      return await session.submit({
        passed: true,
        verifier_used: "check",
        failed_tasks: [],
        details: "all green",
      });
    },
    honest: HONEST,
  },
  {
    id: "verification-not-allowed",
    tries: "has commands run that no person allowed",
    found: ["verify_untrusted"],
    at: "submit_phase@15",
    async attack(ground) {
      await configure(ground, {});
      return await submitDue(await ground.to(15));
    },
    honest: HONEST,
  },
  {
    id: "trust-forged-in-the-repository",
    tries: "puts a file into the project that allows the commands",
    found: ["verify_untrusted"],
    at: "submit_phase@15",
    async attack(ground) {
      await configure(ground, {
        files: {
          "check.sh": CHECK,
          ".code-intel/trust.json": JSON.stringify({ format: 1, entries: [], trusted: true }),
          ".code-intel/context.yml": "verify_trusted: true\n",
        },
      });
      return await submitDue(await ground.to(15));
    },
    honest: HONEST,
  },
  {
    id: "trust-forged-in-the-home-folder",
    tries: "writes the trust of the person into their state folder without the seal",
    found: ["verify_untrusted"],
    at: "submit_phase@15",
    async attack(ground) {
      await configure(ground, {});
      await trust(ground, ["sh", "other.sh"]);
      await ground.sh(
        `for f in $(grep -rl other.sh '${ground.project.stateDir}'); do sed -i s/other.sh/check.sh/g "$f"; done`,
      );
      return await submitDue(await ground.to(15));
    },
    honest: HONEST,
  },
  {
    id: "verify-commands-changed",
    tries: "puts a command that passes in the place of the verification",
    found: ["protected_change"],
    at: "submit_phase@15",
    async attack(ground) {
      const session = await toTrusted(ground, 15);
      await ground.sh('sed -i \'s/"sh","check.sh"/"true"/\' .code-intel/config.json');
      return await submitDue(session);
    },
    honest: HONEST,
  },
  {
    id: "runner-replaced",
    tries: "clears the script of the verification and writes one that passes",
    found: ["protected_change"],
    at: "submit_phase@13",
    async attack(ground) {
      const session = await toTrusted(ground, 13, {
        ...FAST,
        edits: { "check.sh": "#!/bin/sh\nexit 0\n" },
      });
      return await submitDue(session);
    },
    honest: HONEST,
  },
  {
    id: "package-script-changed",
    tries: "changes the script of package.json that the verification runs",
    found: ["protected_change"],
    at: "submit_phase@13",
    async attack(ground) {
      const run = ["npm", "test"];
      const text = '{\n  "scripts": { "test": "sh check.sh" }\n}\n';
      await configure(ground, { run, files: { "package.json": text, "check.sh": CHECK } });
      await trust(ground, run);
      const edits = { "package.json": text.replace("sh check.sh", "true") };
      return await submitDue(await ground.to(13, { ...FAST, edits }));
    },
    async honest(ground) {
      const run = ["npm", "test"];
      const text = '{\n  "scripts": { "test": "sh check.sh" }\n}\n';
      await configure(ground, { run, files: { "package.json": text, "check.sh": CHECK } });
      await trust(ground, run);
      const edits = { "package.json": text.replace("{\n", '{\n  "version": "1.0.1",\n') };
      return await submitDue(await ground.to(13, { ...FAST, edits }));
    },
  },
  {
    id: "script-behind-the-script",
    tries: "changes the script that the verification's script calls",
    found: ["protected_change"],
    at: "submit_phase@13",
    async attack(ground) {
      await configure(ground, {
        files: { "check.sh": "#!/bin/sh\nsh tools/all.sh\n", "tools/all.sh": CHECK },
      });
      await trust(ground);
      const edits = { "tools/all.sh": "exit 0\n" };
      return await submitDue(await ground.to(13, { ...FAST, edits }));
    },
    honest: HONEST,
  },
  {
    id: "change-after-the-verification",
    tries: "changes a file of the session after the verification passed",
    found: ["unauthorized_change"],
    at: "submit_phase@17",
    async attack(ground) {
      const session = await toTrusted(ground, 17);
      await ground.sh("echo '// x' >> src/auth.ts");
      return await submitDue(session);
    },
    honest: HONEST,
  },
  {
    id: "change-during-the-verification",
    tries: "changes a file of the session while the commands run",
    found: ["verification_void"],
    at: "submit_phase@15",
    async attack(ground) {
      const slow = `${CHECK.trim()} && : > .git/reached && sleep 1\n`;
      await configure(ground, { files: { "check.sh": slow }, checkout: "off" });
      await trust(ground);
      const session = await ground.to(15);
      const reply = submitDue(session);
      await ground.sh(
        "until [ -e .git/reached ]; do sleep 0.05; done; sed -i 's/is needed/is not needed/' src/auth.ts",
      );
      return await reply;
    },
    honest: HONEST,
  },
  {
    id: "command-writes-the-work",
    tries: "lets the verification itself change a file that it may not write",
    found: ["unauthorized_change"],
    at: "submit_phase@15",
    async attack(ground) {
      const files = { "check.sh": `${CHECK}echo '// x' >> src/hash.ts\n` };
      await configure(ground, { files, checkout: "off" });
      await trust(ground);
      return await submitDue(await ground.to(15));
    },
    honest: HONEST,
  },
  {
    id: "passes-by-the-person's-file",
    tries: "makes the verification pass by a file that it calls the person's and does not commit",
    found: ["trailer_tree_differs"],
    at: "submit_phase@19",
    async attack(ground) {
      await configure(ground, { files: { "check.sh": "grep -q stolen src/view.ts\n" } });
      await trust(ground);
      const session = await ground.to(15);
      await ground.sh("sed -i s/shown/stolen/ src/view.ts");
      await settle(session, VIEW, "person");
      await finish(session);
      const message = await ground.sh("git log -3 --format=%B main");
      return held("trailer_tree_differs", !/^Code-Intel-Verified: yes$/m.test(message), message);
    },
    honest: HONEST,
  },
  {
    id: "accepted-in-the-person's-name",
    tries: "skips a verification that fails with the person's word, which nobody gave",
    found: ["trailer_overridden"],
    at: "submit_phase@19",
    async attack(ground) {
      const session = await toTrusted(ground, 15);
      await session.accept({ user_decision: "accept", user_reason: "They said that it is fine" });
      await finish(session);
      const message = await ground.sh("git log -3 --format=%B main");
      return held("trailer_overridden", message.includes("overridden (relayed)"), message);
    },
    honest: HONEST,
  },
  {
    id: "self-reported-as-proof",
    tries: "reports a verification that nobody ran as one of the server",
    found: ["trailer_self_reported"],
    at: "submit_phase@19",
    async attack(ground) {
      await finish(await ground.to(15));
      const message = await ground.sh("git log -3 --format=%B main");
      return held("trailer_self_reported", message.includes("Verified: self-reported"), message);
    },
    honest: HONEST,
  },
  {
    id: "forged-trailer",
    tries: "writes the trailer of a verified commit into its message",
    found: ["trailer_reserved"],
    at: "submit_phase@17",
    async attack(ground) {
      const session = await ground.to(17);
      const payload = await session.prepare();
      const commit_message = "Refuse an empty name\n\nCode-Intel-Verified: yes";
      return await session.submit({ ...payload, commit_message });
    },
    async honest(ground) {
      const session = await ground.to(17);
      const payload = await session.prepare();
      const commit_message = "Refuse an empty name\n\nReviewed-by: A Person <a@example.org>";
      await session.accept({ ...payload, commit_message });
      return await finish(session);
    },
  },
  {
    id: "option-in-the-message",
    tries: "begins the commit message with an option of git",
    found: ["message_is_text"],
    at: "submit_phase@19",
    async attack(ground) {
      const session = await ground.to(17);
      const payload = await session.prepare();
      const commit_message = "--amend --no-verify --author='Someone <x@example.org>'";
      await session.accept({ ...payload, commit_message });
      await finish(session);
      const [subject, author, count] =
        (await ground.sh("git log -1 --format='%s|%an|' main^2; git rev-list --count main"))
          .split(/[|\n]+/);
      const isText = subject === commit_message && author === "Test Person" && count === "3";
      return held("message_is_text", isText, { subject, author, count });
    },
    honest: async (ground) =>
      await finish(await ground.start({ ...FAST, edits: { ...SAMPLE_EDITS } })),
  },
];

/** All attacks of this theme. */
export const VERIFICATION_ATTACKS: readonly Attack[] = STEPS;
