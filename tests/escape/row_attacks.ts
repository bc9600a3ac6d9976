/** Rows of payloads in one call, and the size of a request: what is joined is checked like calls of its own. */
import type { Edits, Reply, Session } from "../support/session/session_driver.ts";
import { SAMPLE_EDITS } from "../support/session/session_driver.ts";
import type { Attack, Ground } from "./attack.ts";
import { FAST, finish, held, passed } from "./attack.ts";

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

/** All attacks of this theme. */
export const ROW_ATTACKS: readonly Attack[] = [
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
