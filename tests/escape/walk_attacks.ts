/** The default way: one payload, and what must not go with it unseen. */
import type { Reply, Session, SessionOptions } from "../support/session/session_driver.ts";
import { SAMPLE_EDITS } from "../support/session/session_driver.ts";
import type { Attack, Ground } from "./attack.ts";
import { FAST, held, passed, submitDue } from "./attack.ts";

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
async function work(ground: Ground, options: SessionOptions = DEFAULT): Promise<Session> {
  const session = await ground.start(options);
  await session.must("check_write_target", { file_path: AUTH });
  await Deno.writeTextFile(`${ground.dir}/${AUTH}`, SAMPLE_EDITS[AUTH] ?? "");
  return session;
}

async function send(session: Session, data: Readonly<Record<string, unknown>> = {}) {
  return await session.call("submit_phase", { data: { ...WHOLE, ...data } });
}

/** The work is merged, and nothing else went along. */
async function merged(ground: Ground, reply: Reply): Promise<Reply> {
  const files = await ground.sh("git diff --name-only main~1 main");
  return passed(reply.merged === true && files === AUTH, { reply, files });
}

const honest: Attack["honest"] = async (ground) =>
  await merged(ground, await send(await work(ground)));

/** The one payload stops where the server has to ask. */
function isAsked(reply: Reply): Reply {
  return held("asked", Array.isArray(reply.asked) && reply.merged !== true, reply);
}

const TEST = "tests/auth_test.ts";

/** All attacks of this theme. */
export const WALK_ATTACKS: readonly Attack[] = [
  {
    id: "whole-with-an-uncleared-file",
    tries: "has the one payload take along a file that nobody cleared and it does not name",
    found: ["unauthorized_change"],
    at: "submit_phase@3",
    async attack(ground) {
      const session = await work(ground);
      await ground.sh(VIEW_EDIT);
      return await send(session);
    },
    honest,
  },
  {
    id: "whole-names-a-file-never-seen",
    tries: "names a changed file in the one payload that it never looked at",
    found: ["not_explored"],
    at: "submit_phase@3",
    async attack(ground) {
      const session = await work(ground);
      await ground.sh("echo '// by the shell' >> src/hash.ts");
      return await send(session, { done: "src/auth.ts and src/hash.ts" });
    },
    async honest(ground) {
      const session = await work(ground);
      await session.must("get_symbols", { path: "src/hash.ts" });
      await ground.sh("echo 'export const hashes = 1;' >> src/hash.ts");
      const reply = await send(session, { done: "src/auth.ts and src/hash.ts" });
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
      return isAsked(await send(session));
    },
    honest,
  },
  {
    id: "whole-with-half-of-the-request",
    tries: "does one clause of the request, says nothing of the other, and has both merged",
    found: ["asked"],
    at: "submit_phase@3",
    async attack(ground) {
      const query = "Refuse an empty name in login. Show the number of hashes beside the view.";
      return isAsked(await send(await work(ground, { query }), { done: {} }));
    },
    honest,
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
      return isAsked(await send(session, { done: "login refuses an empty name now" }));
    },
    honest,
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
      const session = await work(ground);
      await session.must("check_write_target", { file_path: TEST });
      await ground.sh(`rm ${TEST}`);
      await send(session);
      return await send(session);
    },
    honest,
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
    honest,
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
