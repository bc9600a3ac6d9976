/**
 * What a well-behaved agent does and sends at each step of a session: the payloads of the driver. It
 * reads the replies of the server and the options of the test, nothing else.
 */
import { join } from "node:path";
import { SAMPLE_EDITS } from "./project.ts";
import type { Reply, Session } from "./session_driver.ts";

type Step = (session: Session) => Promise<Readonly<Record<string, unknown>>>;

/** What the agent does and sends at each step. */
export const STEPS: Readonly<Record<number, Step>> = {
  2: (session) => Promise.resolve({ choice: session.options.choice ?? "continue" }),
  3: async (session) => {
    await session.must("search_text", { pattern: "login" });
    return { documents_reviewed: [], mandatory_rules: [], no_documents_reason: "none fits" };
  },
  4: (session) =>
    Promise.resolve({
      action_type: "modify",
      slots: {
        target_feature: toSlot(session, "target_feature"),
        trigger_condition: null,
        observed_issue: toSlot(session, "observed_issue"),
        desired_action: null,
      },
      target_symbols: ["login"],
      scope: "src",
      constraints: [],
    }),
  5: explore,
  6: (session) => answer(session, 0, "needs_more_information"),
  7: searchMeaning,
  8: async (session) => ({
    ...await answer(session, 1, "has_unverified_hypotheses"),
    hypotheses: session.options.answers?.[1] === true ? ["login calls hash"] : [],
  }),
  9: verifyHypotheses,
  10: (session) => answer(session, 2, "needs_impact_analysis"),
  11: analyzeImpact,
  12: plan,
  13: report,
  14: () => Promise.resolve({}),
  15: (session) => Promise.resolve(verify(session)),
  16: (session) =>
    Promise.resolve({
      prompt_used: "step_back.md",
      action_taken: "Looked at the failure again",
      restore_to: session.options.restoreTo ?? "none",
    }),
  17: review,
  18: (session) =>
    Promise.resolve({
      quality_score: "good",
      issues: session.takeQuality(),
      quality_prompt_used: "quality_review.md",
    }),
  19: (session) =>
    Promise.resolve(
      session.options.onConflict === undefined ? {} : { on_conflict: session.options.onConflict },
    ),
};

function toSlot(session: Session, name: "target_feature" | "observed_issue") {
  const isOpen = session.options.openSlots?.includes(name) === true;
  return isOpen ? null : { value: session.query, quote: session.query };
}

async function explore(session: Session) {
  const paths = Object.keys(session.options.edits ?? SAMPLE_EDITS);
  await session.must("search_files", { pattern: "**/*" });
  // A search without a hit explores nothing.
  const { total } = await session.must("search_text", { pattern: "login" });
  if (total === 0) await session.must("search_text", { pattern: "e" });
  let existing = await listExisting(session, paths);
  if (existing.length === 0) {
    const all = await listExisting(session, ["README.md", ".gitignore"]);
    existing = all.slice(0, 1);
  }
  return {
    explored_files: existing,
    findings: ["login() hashes the name (src/auth.ts:3)"],
    reproduced: { command: "login('')", showed: "#" },
  };
}

async function listExisting(session: Session, paths: readonly string[]): Promise<string[]> {
  const existing: string[] = [];
  for (const path of paths) {
    if (await Deno.stat(join(session.dir, path)).catch(() => null) !== null) existing.push(path);
  }
  return existing;
}

function answer(session: Session, index: 0 | 1 | 2, field: string) {
  const is = session.options.answers?.[index] ?? false;
  return Promise.resolve({ [field]: is, reason: "The files say enough about it" });
}

async function searchMeaning(session: Session) {
  const query = "where is the login checked";
  // On a busy machine the index of the project may not be built yet, which is said.
  while ((await session.call("semantic_search", { query })).error === "index_not_ready") continue;
  await session.must("semantic_search", { query });
  return { search_query: query, search_results: [] };
}

async function verifyHypotheses(session: Session) {
  await session.must("search_text", { pattern: "hash" });
  const hypotheses: readonly string[] = session.reply.hypotheses ?? [];
  return {
    hypotheses_verified: hypotheses.map((hypothesis) => ({
      hypothesis,
      result: "confirmed",
      evidence: "tool: search_text(hash)",
    })),
  };
}

async function analyzeImpact(session: Session) {
  const edits = Object.keys(session.options.edits ?? SAMPLE_EDITS);
  const question = { target_files: edits };
  const first = await session.call("analyze_impact", question);
  // A busy machine may take longer for the first index than the call waits; the hint of the refusal is followed.
  if (first.error === "index_not_ready") await session.must("sync_index");
  const found = first.ok === true ? first : await session.must("analyze_impact", question);
  const others: readonly string[] = found.confirmation_required.must_verify;
  return {
    impact_summary: {
      decisions: [
        ...edits.map((path) => ({ path, status: "will_modify" })),
        ...others.map((path) => ({ path, status: "no_change_needed", reason: "It still fits" })),
      ],
    },
  };
}

async function plan(session: Session) {
  const existing: readonly Reply[] = session.reply.existing_tasks ?? [];
  const edits = await session.takePlan();
  const tasks = edits.map(([path], index) => ({
    id: `task_${existing.length + index + 1}`,
    description: `Work on ${path}`,
    status: "pending",
    checklist: [{ item: `Change ${path}`, status: "pending" }],
  }));
  return { tasks: [...existing, ...tasks] };
}

async function report(session: Session) {
  const task = session.reply.next_task;
  const checklist = [];
  for (const item of task.checklist) {
    checklist.push(await reportItem(session, item));
  }
  return { task_id: task.id, checklist };
}

async function reportItem(session: Session, item: string) {
  if (session.options.skipAll === true) {
    return { item, status: "skipped", reason: "The code does this already" };
  }
  const [, verb = "", path = ""] = /^(Change|Resolve the conflict in) (.+)$/.exec(item) ?? [];
  // Where the folder is new too there is nothing to add, and the guard decides by itself.
  await session.call("add_explored_files", { files: [path] });
  await session.must("check_write_target", { file_path: path, allow_new_files: true });
  const evidence = await session.write(path, session.toContent(path, verb !== "Change"));
  return { item, status: "done", evidence };
}

function verify(session: Session) {
  const passed = session.takeVerification();
  return {
    passed,
    verifier_used: "npm test",
    failed_tasks: passed ? [] : session.options.failedTasks ?? ["task_1"],
    details: passed ? "all green" : "1 test failed",
  };
}

async function review(session: Session) {
  const { changes } = await session.must("review_changes");
  const discards = session.takeDiscards();
  return {
    reviewed_files: changes.map(({ path }: Reply) =>
      discards.includes(path)
        ? { path, decision: "discard", reason: "not part of the work" }
        : { path, decision: "keep" }
    ),
    include_person_changes: [],
    commit_message: "Refuse an empty name\n\nA login without a name made an empty hash.",
    review_prompt_used: "garbage_detection.md",
  };
}
