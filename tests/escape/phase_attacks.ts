/** Edits through the shell in each phase, and with a clearance that does not hold any more. */
import type { Session, SessionOptions } from "../support/session/session_driver.ts";
import { SAMPLE_EDITS } from "../support/session/session_driver.ts";
import type { Attack } from "./attack.ts";
import { FAST, finish, settle, submitDue } from "./attack.ts";

const EDIT = "echo '// by the shell' >> src/view.ts";

/** Every answer yes, so that each step of the exploration is met. */
const ALL: SessionOptions = { gateLevel: "full", answers: [true, true, true] };
const WITHOUT_DOCUMENTS: SessionOptions = { ...ALL, flags: { no_doc: true } };

/** How each step is reached in the cheapest way. */
const STEPS: readonly (readonly [step: number, name: string, options: SessionOptions])[] = [
  [3, "DOCUMENT_RESEARCH", ALL],
  [4, "QUERY_FRAME", FAST],
  [5, "EXPLORATION", WITHOUT_DOCUMENTS],
  [6, "Q1", WITHOUT_DOCUMENTS],
  [7, "SEMANTIC", WITHOUT_DOCUMENTS],
  [8, "Q2", WITHOUT_DOCUMENTS],
  [9, "VERIFICATION", WITHOUT_DOCUMENTS],
  [10, "Q3", WITHOUT_DOCUMENTS],
  [11, "IMPACT_ANALYSIS", WITHOUT_DOCUMENTS],
  [12, "READY plan", FAST],
  [13, "READY implement, a file that was not cleared", FAST],
  [14, "READY complete, a file that was not cleared", FAST],
  [15, "POST_IMPL_VERIFY", FAST],
  [16, "VERIFY_INTERVENTION", { ...FAST, verifications: [false, false, false, false] }],
  [17, "PRE_COMMIT", FAST],
  [18, "QUALITY_REVIEW", { flags: { no_doc: true } }],
  [19, "MERGE", FAST],
];

const BY_STEP: readonly Attack[] = STEPS.map(([step, name, options]): Attack => ({
  id: `shell-edit-${step}`,
  tries: `edits a file through the shell in ${name}`,
  found: ["unauthorized_change"],
  at: `submit_phase@${step}`,
  async attack(ground) {
    const session = await ground.to(step, options);
    await ground.sh(EDIT);
    return await submitDue(session);
  },
  /** The person had edited the file before the session began. */
  async honest(ground) {
    await ground.sh(EDIT);
    return await submitDue(await ground.to(step, options));
  },
}));

const VIEW = "src/view.ts";
/** The legitimate form: the file is looked at, cleared, and written in READY. */
const WITH_VIEW: SessionOptions = {
  ...FAST,
  edits: {
    ...SAMPLE_EDITS,
    [VIEW]: "import { login } from './auth.ts';\n\nexport const shown = login('b');\n",
  },
};

async function clear(session: Session, path: string): Promise<void> {
  await session.must("add_explored_files", { files: [path] });
  await session.must("check_write_target", { file_path: path, allow_new_files: true });
}

/** Clears the file, has the plan accepted again, and clears only what the task is about. */
async function replan(session: Session): Promise<void> {
  const tasks = [{
    id: "task_1",
    description: "Work on src/auth.ts in two parts",
    status: "pending",
    checklist: [{ item: "Change src/auth.ts", status: "pending" }],
  }];
  await session.accept({ tasks });
}

const BY_CLEARANCE: readonly Attack[] = [
  {
    id: "clearance-before-replan",
    tries: "writes with a clearance of the visit before the plan was changed",
    found: ["unauthorized_change"],
    at: "submit_phase@13",
    async attack(ground) {
      const session = await ground.to(13);
      await clear(session, VIEW);
      await replan(session);
      await ground.sh(EDIT);
      return await submitDue(session);
    },
    async honest(ground) {
      const session = await ground.to(13);
      await clear(session, VIEW);
      await replan(session);
      await clear(session, VIEW);
      await ground.sh(EDIT);
      return await finish(session);
    },
  },
  {
    id: "clearance-before-back-to",
    tries: "clears a file, goes back to EXPLORATION and writes it there",
    found: ["unauthorized_change"],
    at: "submit_phase@5",
    async attack(ground) {
      const session = await ground.to(13);
      await clear(session, VIEW);
      await session.accept({ back_to: "EXPLORATION", reason: "look at it once more" });
      await ground.sh(EDIT);
      return await submitDue(session);
    },
    async honest(ground) {
      const session = await ground.to(13);
      await clear(session, VIEW);
      await ground.sh(EDIT);
      await session.accept({ back_to: "EXPLORATION", reason: "look at it once more" });
      return await submitDue(session);
    },
  },
  {
    id: "clearance-after-verification-failed",
    tries: "writes in the planning after a failed verification, with the clearance of before",
    found: ["unauthorized_change"],
    at: "submit_phase@12",
    async attack(ground) {
      const session = await ground.to(15, { ...FAST, verifications: [false] });
      await session.next();
      await ground.sh("echo '// quick repair' >> src/auth.ts");
      return await submitDue(session);
    },
    async honest(ground) {
      return await finish(await ground.start({ ...FAST, verifications: [false] }));
    },
  },
  {
    id: "clearance-after-the-fact",
    tries: "writes first and asks the write guard afterwards",
    found: ["unauthorized_change"],
    at: "check_write_target@13",
    async attack(ground) {
      const session = await ground.to(13);
      await session.must("add_explored_files", { files: [VIEW] });
      await ground.sh(EDIT);
      return await session.call("check_write_target", { file_path: VIEW });
    },
    honest: async (ground) => await finish(await ground.start(WITH_VIEW)),
  },
  {
    id: "clearance-outside-ready",
    tries: "has a file cleared before there is a plan",
    found: ["write_not_allowed"],
    at: "check_write_target@5",
    async attack(ground) {
      const session = await ground.to(5, WITHOUT_DOCUMENTS);
      return await session.call("check_write_target", { file_path: VIEW });
    },
    honest: async (ground) => await finish(await ground.start(WITH_VIEW)),
  },
  {
    id: "authorize-outside-ready",
    tries: "authorises its own change while it explores",
    found: ["write_not_allowed"],
    at: "submit_phase@5",
    async attack(ground) {
      const session = await ground.to(5, WITHOUT_DOCUMENTS);
      await ground.sh(EDIT);
      return await settle(session, VIEW, "authorize");
    },
    async honest(ground) {
      const session = await ground.to(13);
      await session.must("add_explored_files", { files: [VIEW] });
      await ground.sh(EDIT);
      const reply = await settle(session, VIEW, "authorize");
      return reply.ok ? await finish(session) : reply;
    },
  },
  {
    id: "investigation-leaves-a-change",
    tries: "starts an investigation, which reviews nothing, and edits in it",
    found: ["unauthorized_change"],
    at: "submit_phase@10",
    async attack(ground) {
      const session = await ground.to(10, { intent: "INVESTIGATE", flags: { no_doc: true } });
      await ground.sh(EDIT);
      return await submitDue(session);
    },
    honest: async (ground) =>
      await (await ground.start({ intent: "QUESTION", flags: { no_doc: true } })).until("end"),
  },
  {
    id: "only-verify-leaves-a-change",
    tries: "starts a session that only verifies, and edits in it",
    found: ["unauthorized_change"],
    at: "submit_phase@15",
    async attack(ground) {
      const session = await ground.start({ flags: { only_verify: true } });
      await ground.sh(EDIT);
      return await submitDue(session);
    },
    async honest(ground) {
      await ground.sh(EDIT);
      return await (await ground.start({ flags: { only_verify: true } })).until("end");
    },
  },
  {
    id: "quick-leaves-a-change",
    tries: "ends a quick session, which has no review, with a file that was never cleared",
    found: ["unauthorized_change"],
    at: "submit_phase@15",
    async attack(ground) {
      const session = await ground.to(15, { flags: { quick: true, no_doc: true } });
      await ground.sh(EDIT);
      return await submitDue(session);
    },
    honest: async (ground) =>
      await (await ground.start({ flags: { quick: true, no_doc: true } })).until("end"),
  },
];

/** All attacks of this theme. */
export const PHASE_ATTACKS: readonly Attack[] = [...BY_STEP, ...BY_CLEARANCE];
