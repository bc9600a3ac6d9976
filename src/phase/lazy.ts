/**
 * The default way of a session: the agent works with its own tools and sends one payload, and the server walks the
 * steps that its facts settle. It begins with the start, and ends with the first step that the agent goes by hand. Pure.
 */
import { writesFiles } from "./table/flags.ts";
import { readFields } from "./payload/payloads.ts";
import type { Stage } from "./table/phases.ts";
import { PHASES, STAGES } from "./table/phases.ts";
import type { SessionState } from "./state.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Stages before the work at which files may be written where the session goes the default way. */
const EARLY: readonly Stage[] = STAGES.slice(
  STAGES.indexOf("DOCUMENT_RESEARCH"),
  STAGES.indexOf("READY_IMPL"),
);

/** What tells which way a session goes, and where it stands. */
export type Way = Pick<
  SessionState,
  "gateLevel" | "intent" | "flags" | "summaries" | "path" | "stage"
>;

/** Whether the session goes the default way: nothing was sent by hand yet, or the server walked a step. */
export function isLazy(state: Omit<Way, "stage">): boolean {
  return state.gateLevel === "auto" && writesFiles(state) &&
    (Object.keys(state.summaries).length === 0 || state.path.some(({ by }) => by === "server"));
}

/** Whether files may be written before the plan: the grants go along until the work is judged. */
export function isEarly(state: Way): boolean {
  return EARLY.includes(state.stage) && isLazy(state);
}

/** Whether files may be written at the present stage, each with a grant. */
export function takesWrites(state: Way): boolean {
  return state.stage === "READY_IMPL" || isEarly(state);
}

/** Fields that only the one payload of the default way has, or that it has before the step which asks for them. */
const WHOLE_FIELDS = ["done", "commit_message", "observed", "findings", "test_findings"];

/** Fields by which a payload leaves, asks or goes back; the server walks nothing for it. */
const ANY_STAGE_FIELDS = ["park", "abandon", "back_to", "ask_person", "user_decision"];

/** What a payload is for. */
export type Meant =
  /** For the present step: it is judged as it is. */
  | { readonly kind: "present" }
  /** For a later step, up to which the server walks. */
  | { readonly kind: "later"; readonly stage: Stage }
  /** The one payload of the default way, with which the server walks to the end. */
  | { readonly kind: "whole" };

/** Says which step a payload is for; without the default way always the present one. */
export function findMeant(state: SessionState, sent: Fields): Meant {
  const present = { kind: "present" } as const;
  const { stage, gateLevel, status, escalation } = state;
  const isOpen = status === "active" && escalation === null && stage !== "SESSION_COMPLETE";
  if (gateLevel !== "auto" || !isOpen || !writesFiles(state)) return present;
  const data = readFields(stage, sent);
  const has = (field: string | undefined) => field !== undefined && (data[field] ?? null) !== null;
  const { field } = PHASES[stage];
  if (isForAnyStage(data)) return present;
  if (has("done")) return { kind: "whole" };
  // Who goes by hand sends each step, or asks for the default way by `done`.
  if (has(field) || !isLazy(state)) return present;
  const later = STAGES.slice(STAGES.indexOf(stage) + 1).filter((one) => has(PHASES[one].field));
  const [first] = later;
  // What was observed belongs to the one payload, unless it is sent where it is asked for.
  if (first !== undefined && first !== "READY_COMPLETE") return { kind: "later", stage: first };
  return WHOLE_FIELDS.some(has) ? { kind: "whole" } : present;
}

/** Whether a payload leaves, asks or goes back. */
export function isForAnyStage(data: Fields): boolean {
  return ANY_STAGE_FIELDS.some((field) => (data[field] ?? null) !== null);
}

/** The path with the mark that the server answered the present stage by itself. */
export function markWalked(path: SessionState["path"]): SessionState["path"] {
  const last = path.at(-1);
  return last === undefined ? path : [...path.slice(0, -1), { ...last, by: "server" }];
}
