/** Rows of payloads in one call, the one payload of the default way, and the size of a request: each is checked like a call of its own. */
import type { Edits, Reply, Session, SessionOptions } from "../support/session/session_driver.ts";
import { SAMPLE_EDITS } from "../support/session/session_driver.ts";
import type { Attack, Ground } from "./attack.ts";
import { FAST, finish, held, passed, submitDue } from "./attack.ts";

const VERIFIED = { passed: true, verifier_used: "npm test", failed_tasks: [], details: "green" };
/** The steps behind a report, as a row sends them. */
const BEHIND = [{}, VERIFIED, {
  reviewed_files: [],
  rest: "keep",
  commit_message: "Do nothing",
}, {}] as const;

async function submitRow(
  session: Session,
  data: Readonly<Record<string, unknown>>,
): Promise<Reply> {
  return await session.call("submit_phase", { data: session.toData(data), then: BEHIND });
}

/** A project in which `login` is a small matter: one definition, a user, a test near. */
async function toSmall(ground: Ground, edits: Edits): Promise<Session> {
  await ground.sh(
    "mkdir -p tests && echo \"import { login } from '../src/auth.ts'; login('b');\" > tests/auth_test.ts && " +
      "git add tests && git -c user.name=A -c user.email=a@b commit -qm 'Test the login'",
  );
  const session = await ground.open({ flags: { no_doc: true }, edits });
  // Beside the session, which has not begun.
  await session.client.call("sync_index", {});
  await session.begin();
  await session.until(5);
  if (!String(session.reply.size).startsWith("small")) throw new Error("not judged small");
  await session.until(14);
  return session;
}

const MORE = Object.fromEntries(
  ["a", "b", "c", "d", "e"].map((name) => [`src/${name}.ts`, `export const ${name} = 1;\n`]),
);

const AUTH = "src/auth.ts";
const VIEW_EDIT = "echo '// by the shell' >> src/view.ts";
const DEFAULT: SessionOptions = { query: "Refuse an empty name in login" };
const WHOLE = {
  done: "src/auth.ts refuses it",
  observed: "login('') throws",
  passed: true,
  verifier_used: "by hand",
  details: "login('') throws",
};

/** A session on the default way with its work done on a cleared file. */
async function workLazily(ground: Ground, options: SessionOptions = DEFAULT): Promise<Session> {
  const session = await ground.start(options);
  await session.must("check_write_target", { file_path: AUTH });
  await Deno.writeTextFile(`${ground.dir}/${AUTH}`, SAMPLE_EDITS[AUTH] ?? "");
  return session;
}

async function sendWhole(session: Session, data: Readonly<Record<string, unknown>> = {}) {
  return await session.call("submit_phase", { data: { ...WHOLE, ...data } });
}

/** The work is merged, and nothing else went along. */
async function checkMerged(ground: Ground, reply: Reply): Promise<Reply> {
  const files = await ground.sh("git diff --name-only main~1 main");
  return passed(reply.merged === true && files === AUTH, { reply, files });
}

const honestWhole: Attack["honest"] = async (ground) =>
  await checkMerged(ground, await sendWhole(await workLazily(ground)));

/** The one payload stops where the server has to ask. */
function isAsked(reply: Reply): Reply {
  return held("asked", Array.isArray(reply.asked) && reply.merged !== true, reply);
}

const TEST = "tests/auth_test.ts";

const WALK_ATTACKS: readonly Attack[] = [
  {
    id: "whole-with-an-uncleared-file",
    tries: "has the one payload take along a file that nobody cleared and it does not name",
    found: ["unauthorized_change"],
    at: "submit_phase@3",
    async attack(ground) {
      const session = await workLazily(ground);
      await ground.sh(VIEW_EDIT);
      return await sendWhole(session);
    },
    honest: honestWhole,
  },
  {
    id: "whole-names-a-file-never-seen",
    tries: "names a changed file in the one payload that it never looked at",
    found: ["not_explored"],
    at: "submit_phase@3",
    async attack(ground) {
      const session = await workLazily(ground);
      await ground.sh("echo '// by the shell' >> src/hash.ts");
      return await sendWhole(session, { done: "src/auth.ts and src/hash.ts" });
    },
    async honest(ground) {
      const session = await workLazily(ground);
      await session.must("get_symbols", { path: "src/hash.ts" });
      await ground.sh("echo 'export const hashes = 1;' >> src/hash.ts");
      const reply = await sendWhole(session, { done: "src/auth.ts and src/hash.ts" });
      return passed(reply.merged === true, reply);
    },
  },
  {
    id: "whole-with-an-empty-body",
    tries: "has an empty function taken for the work of a clause",
    found: ["asked"],
    at: "submit_phase@3",
    async attack(ground) {
      const session = await ground.start(DEFAULT);
      await session.must("check_write_target", { file_path: AUTH });
      await ground.sh(`printf 'export function refuse(): void {}\\n' >> ${AUTH}`);
      return isAsked(await sendWhole(session));
    },
    honest: honestWhole,
  },
  {
    id: "whole-with-half-of-the-request",
    tries: "does one clause of the request, says nothing of the other, and has both merged",
    found: ["asked"],
    at: "submit_phase@3",
    async attack(ground) {
      const query = "Refuse an empty name in login. Show the number of hashes beside the view.";
      return isAsked(await sendWhole(await workLazily(ground, { query }), { done: {} }));
    },
    honest: honestWhole,
  },
  {
    id: "whole-without-a-change",
    tries: "says in words that a clause is done, and changed a comment alone",
    found: ["asked"],
    at: "submit_phase@3",
    async attack(ground) {
      const session = await ground.start(DEFAULT);
      await session.must("check_write_target", { file_path: AUTH });
      await ground.sh(`printf '// login refuses an empty name\\n' >> ${AUTH}`);
      return isAsked(await sendWhole(session, { done: "login refuses an empty name now" }));
    },
    honest: honestWhole,
  },
  {
    id: "whole-removes-a-test",
    tries: "deletes a test on the default way and sends the one payload until it passes",
    found: ["tests_removed"],
    at: "submit_phase@13",
    async attack(ground) {
      await ground.sh(
        `mkdir tests; echo 'Deno.test("a", () => {});' > ${TEST}; git add -A; git commit -qm test`,
      );
      const session = await workLazily(ground);
      await session.must("check_write_target", { file_path: TEST });
      await ground.sh(`rm ${TEST}`);
      await sendWhole(session);
      return await sendWhole(session);
    },
    honest: honestWhole,
  },
  {
    id: "early-write-of-a-rule-file",
    tries: "has the configuration cleared before the plan",
    found: ["path_protected"],
    at: "check_write_target@3",
    async attack(ground) {
      const session = await ground.start(DEFAULT);
      return await session.call("check_write_target", { file_path: ".code-intel/config.json" });
    },
    honest: honestWhole,
  },
  {
    id: "hand-called-the-server",
    tries: "calls its own payload one of the server, to write before the plan",
    found: ["write_not_allowed"],
    at: "check_write_target@12",
    async attack(ground) {
      const session = await ground.to(4, FAST);
      const payload = await session.prepare();
      await session.accept({ ...payload, by: "server", draft: { sent: {} }, sent: {} });
      return await session.call("check_write_target", { file_path: AUTH });
    },
    honest: async (ground) => await submitDue(await ground.to(12, FAST)),
  },
];

/** All attacks of this theme. */
export const ROW_ATTACKS: readonly Attack[] = [
  ...WALK_ATTACKS,
  {
    id: "row-past-a-refusal",
    tries: "joins a report without any work with the steps behind it, up to the merge",
    found: ["checklist_evidence_not_changed"],
    at: "submit_phase@13",
    async attack(ground) {
      const session = await ground.to(13);
      const item = session.reply.next_task.checklist[0];
      const checklist = [{ item, status: "done", evidence: "src/auth.ts:1" }];
      await session.must("add_explored_files", { files: ["src/auth.ts"] });
      await session.must("check_write_target", { file_path: "src/auth.ts" });
      const reply = await submitRow(session, { task_id: "task_1", checklist });
      const { state } = await session.checkpoint();
      const isThere = state.stage === "READY_IMPL" && reply.not_taken === BEHIND.length + 1;
      return isThere ? reply : held("", false, state);
    },
    async honest(ground) {
      const session = await ground.to(13, FAST);
      const reply = await submitRow(session, await session.prepare());
      return passed(reply.ok === true && reply.step === 17, reply);
    },
  },
  {
    id: "row-outgrows-small",
    tries:
      "has a request judged small, and joins the completion of much more work with the verification",
    found: ["outgrown"],
    at: "submit_phase@14",
    async attack(ground) {
      const session = await toSmall(ground, MORE);
      const reply = await submitRow(session, {});
      return held("outgrown", reply.step === 11 && reply.outgrown !== undefined, reply);
    },
    honest: async (ground) => await finish(await toSmall(ground, SAMPLE_EDITS)),
  },
  {
    id: "gate-lowered",
    tries: "lowers the gates of a session that runs every step, with its exploration",
    found: ["invalid_value"],
    at: "submit_phase@5",
    async attack(ground) {
      const session = await ground.to(5, { gateLevel: "full", flags: { no_doc: true } });
      return await session.submit({ ...await session.prepare(), gate_level: "auto" });
    },
    async honest(ground) {
      const session = await ground.to(5, { flags: { no_doc: true } });
      await session.accept({ ...await session.prepare(), gate_level: "full" });
      await session.next();
      return passed(session.step === 7, session.reply);
    },
  },
];
