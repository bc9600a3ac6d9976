/** What the agent of a random walk sends at each step: honest payloads with chance in the choices. */
import { dirname, join } from "node:path";
import type { Random } from "../random.ts";
import { pick } from "../random.ts";
import type { Reply, Session } from "../session/session_driver.ts";
import { SHARED_PATHS } from "./actions.ts";
import { toParts, toText } from "./disk.ts";

/** What a payload is made of. */
export interface StepInput {
  readonly session: Session;
  readonly random: Random;
  /** Counts up, so that no two edits are the same. */
  readonly number: number;
  /** How often the step was refused already; the answers become more careful. */
  readonly refusals: number;
  /** Codes of the last refusal. */
  readonly codes: readonly string[];
}

type Data = Readonly<Record<string, unknown>>;

/** The payload of the present step; null where the steps of the driver are right. */
export async function prepareStep(input: StepInput): Promise<Data> {
  const own = OWN_STEPS[input.session.step];
  return own === undefined ? await input.session.prepare() : await own(input);
}

const OWN_STEPS: Readonly<Record<number, (input: StepInput) => Promise<Data>>> = {
  2: ({ random, refusals }) =>
    Promise.resolve({
      choice: refusals > 0 ? "continue" : pick(random, ["delete", "merge", "continue"]),
    }),
  12: plan,
  13: report,
  15: ({ random, session }) => {
    const passed = random() < 0.8;
    const failed = session.reply.tasks?.[0]?.id ?? "task_1";
    return Promise.resolve({
      passed,
      verifier_used: "by hand",
      failed_tasks: passed || random() < 0.5 ? [] : [failed],
      details: passed ? "all green" : "one is red",
    });
  },
  16: ({ random }) =>
    Promise.resolve({
      prompt_used: "step_back.md",
      action_taken: "Looked again",
      restore_to: pick(random, ["none", "plan", "baseline"]),
    }),
  17: review,
  18: ({ random }) =>
    Promise.resolve({
      quality_score: "good",
      issues: random() < 0.15 ? ["unclear names"] : [],
      quality_prompt_used: "quality_review.md",
    }),
  19: ({ codes, random }) =>
    Promise.resolve(
      codes.includes("merge_conflict") ? { on_conflict: pick(random, ["resolve", "park"]) } : {},
    ),
};

function plan({ session, random }: StepInput): Promise<Data> {
  const existing: readonly Reply[] = session.reply.existing_tasks ?? [];
  const paths = new Set([pick(random, SHARED_PATHS), pick(random, SHARED_PATHS)]);
  const tasks = [...paths].map((path, index) => ({
    id: `task_${existing.length + index + 1}`,
    description: `Work on ${path}`,
    status: "pending",
    checklist: [{ item: `Change ${path}`, status: "pending" }],
  }));
  return Promise.resolve({ tasks: [...existing, ...tasks] });
}

async function report(input: StepInput): Promise<Data> {
  const task = input.session.reply.next_task;
  const checklist = [];
  for (const item of task?.checklist ?? []) checklist.push(await reportItem(input, item));
  return { task_id: task?.id ?? "task_1", checklist };
}

async function reportItem(input: StepInput, item: string): Promise<Data> {
  const skipped = { item, status: "skipped", reason: "It cannot be done in this walk" };
  const path = /^(?:Change|Resolve the conflict in) (.+)$/.exec(item)?.[1];
  if (path === undefined || input.refusals > 0) return skipped;
  if (!await clear(input.session, path)) return skipped;
  const evidence = await writeAgentPart(input, path);
  return evidence === null ? skipped : { item, status: "done", evidence };
}

/** Asks the write guard for a path; false when it says no. */
export async function clear(session: Session, path: string): Promise<boolean> {
  await session.call("add_explored_files", { files: [path] });
  const input = { file_path: path, allow_new_files: true };
  return (await session.call("check_write_target", input)).ok === true;
}

/** Changes the agent's part of a text, or makes or deletes it; null where there is no text. */
export async function writeAgentPart(
  { session, random, number }: Pick<StepInput, "session" | "random" | "number">,
  path: string,
): Promise<string | null> {
  const full = join(session.dir, path);
  const info = await Deno.lstat(full).catch(() => null);
  if (info?.isSymlink || info?.isDirectory) return null;
  if (info !== null && random() < 0.15) {
    await Deno.remove(full);
    return `${path}:deleted`;
  }
  const parts = info === null
    ? { agent: "", person: "new" }
    : toParts(await Deno.readTextFile(full));
  if (parts === null) return null;
  await Deno.mkdir(dirname(full), { recursive: true });
  await Deno.writeTextFile(full, toText({ ...parts, agent: `work ${number}` }));
  return `${path}:3`;
}

async function review(input: StepInput): Promise<Data> {
  const { session, random, refusals, codes } = input;
  const { changes = [] } = await session.call("review_changes");
  const mixed = codes.includes("person_changes_mixed");
  const decide = ({ path }: Reply) =>
    mixed || (refusals === 0 && random() < 0.25)
      ? { path, decision: "discard", reason: "not part of the work" }
      : { path, decision: "keep" };
  return {
    reviewed_files: changes.map(decide),
    include_person_changes: [],
    commit_message: "Work of a walk",
    review_prompt_used: "garbage_detection.md",
  };
}
