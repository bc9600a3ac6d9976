/** Makes whole replies: what happened, where the session is, what to call next. */
import { clip } from "../../base/text/clip.ts";
import { formatCount } from "../../base/text/plain_text.ts";
import type { Problem } from "../../base/problem.ts";
import type { OkReply, RefusedReply, Reply } from "../../base/reply.ts";
import type { Words } from "../../base/text/words.ts";
import { say } from "../../base/text/words.ts";
import type { SessionState } from "../../phase/state.ts";
import { buildStageContext, describeStage } from "../../phase/stage_block.ts";
import type { WorkflowDeps } from "./deps.ts";
import type { LoadedContract } from "./contract_file.ts";
import { ALLOW_TEXTS, keepAllowed } from "./guiding_texts.ts";
import { listPrompts, readPrompts } from "./prompts.ts";

/** What a reply is made from. */
export interface ReplyParts {
  readonly deps: WorkflowDeps;
  readonly contract: LoadedContract;
  readonly state: SessionState;
  /** Fields beside those of every reply. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

const MAX_MEMORY_CHARS = 8_000;
const SUGGESTION_WANTED =
  "Send `suggestion` too, if one comes to mind: how a prompt of `resources` should be better, or which is missing.";

/** The reply to an accepted call: the decision's fields, then step, instruction and next call. */
export async function buildOkReply(parts: ReplyParts): Promise<OkReply> {
  const { announcement, ...fields } = parts.fields ?? {};
  const { revert_reason: why, ...context } = buildStageContext(parts.state);
  return {
    ok: true,
    ...announce(await buildBlock(parts), announcement),
    ...context,
    // The reply that sends the work back has the same text as its `reason`, or what ran in its `commands`.
    ...(why === undefined || why === fields.reason || fields.commands !== undefined
      ? {}
      : { revert_reason: why }),
    ...fitMemory(fields),
    ...buildWarning(parts.contract),
  };
}

/** What the agent must not miss begins the instruction, since fields beside it are passed over. */
function announce(
  block: Readonly<Record<string, unknown>>,
  announcement: unknown,
): Readonly<Record<string, unknown>> {
  if (announcement === undefined) return block;
  const words = say`${announcement as Words} ${block.instruction as Words}`;
  return { ...block, instruction: words };
}

/**
 * The reply to a refused call: every problem, and everything about the stage, so that an agent
 * without memory can go on.
 */
export async function buildRefusedReply(
  parts: ReplyParts & {
    readonly error: string;
    readonly problems: readonly Problem[];
  },
): Promise<RefusedReply> {
  const block = await buildBlock(parts);
  const count = parts.problems.length;
  const single = parts.problems[0]?.message ?? parts.error;
  const message = count === 1
    ? single
    : `${count} problems in the payload of ${String(block.phase ?? "")}`;
  return {
    ok: false,
    error: parts.error,
    message,
    problems: parts.problems,
    ...block,
    ...buildStageContext(parts.state),
    ...fitMemory(parts.fields ?? {}),
    ...buildWarning(parts.contract),
  };
}

/** Fields that tell where a session is and what is next: the reply of the next step replaces them. */
const PLACE_FIELDS: ReadonlySet<string> = new Set(
  // A sequence went past the question whose advice this is. That it goes on says that the commit was prepared, without issues.
  ("ok session_id phase step of substep instruction expected_payload then required_tools " +
    "waived_tools resources prompts_left_out call compaction_count suggestion_wanted " +
    "contract_warning mandatory_rules changed_tests existing_tasks next_task progress run_by " +
    "run_first risk risk_note evaluation hypotheses open_clauses observed_unproven prepared " +
    "issues_found").split(" "),
);

/** What a reply reported beside where the session is: it has to reach the agent though a later reply follows. */
export function keepReported(reply: Reply): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(reply).filter(([field]) => !PLACE_FIELDS.has(field)));
}

async function buildBlock(parts: ReplyParts): Promise<Readonly<Record<string, unknown>>> {
  const { deps, state, contract } = parts;
  const { prompts, suggestionStages } = await deps.loadSettings();
  const paths = await listPrompts(deps.codeIntelDir, state, prompts);
  const texts = await keepAllowed(deps, readPrompts(deps.projectRoot, paths));
  const resources = texts.map(({ path }) => path);
  const leftOut = paths.length - resources.length;
  const isAsked = state.status === "active" && suggestionStages.includes(state.stage);
  return {
    ...describeStage(state, { contract: contract.contract, offered: deps.offered, resources }),
    ...(leftOut === 0 ? {} : {
      prompts_left_out: `${
        formatCount(leftOut, "prompt file")
      } of the repository that nobody allowed here: ${ALLOW_TEXTS}.`,
    }),
    ...(isAsked ? { suggestion_wanted: SUGGESTION_WANTED } : {}),
  };
}

function buildWarning(contract: LoadedContract): Readonly<Record<string, unknown>> {
  return contract.warning === null ? {} : { contract_warning: contract.warning };
}

/**
 * Cuts the summaries for an agent that lost its conversation, so that they fit beside the rest of
 * the reply.
 */
function fitMemory(
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const memory = fields.phase_summaries as Readonly<Record<string, string>> | undefined;
  if (memory === undefined) return fields;
  const entries = Object.entries(memory);
  const total = entries.reduce((chars, [, text]) => chars + text.length, 0);
  if (total <= MAX_MEMORY_CHARS) return fields;
  const share = Math.max(80, Math.floor(MAX_MEMORY_CHARS / entries.length));
  return {
    ...fields,
    phase_summaries: Object.fromEntries(
      entries.map(([key, text]) => [key, clip(text, share)]),
    ),
    phase_summaries_cut: true,
  };
}

/** One refusal made of problems, outside of any stage. */
export function buildPlainRefusal(problems: readonly Problem[], call: string): Reply {
  return {
    ok: false,
    error: problems.length === 1 ? problems[0]?.code ?? "refused" : "invalid_arguments",
    message: problems.map(({ message }) => message).join("; "),
    problems,
    call,
  };
}
