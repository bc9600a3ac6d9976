/** Makes the part of every reply that tells where the session is and what to do next. Pure. */
import { clipLine } from "../base/text/clip.ts";
import type { Words } from "../base/text/words.ts";
import { say, tool } from "../base/text/words.ts";
import type { SessionState } from "./state.ts";
import { LAST_STEP } from "../base/steps.ts";
import type { Contract } from "./contract/contract.ts";
import type { ContractRow } from "./table/stage.ts";
import { listOpenClauses, listProvingTests, listUnprovenClauses } from "./contract/clauses.ts";
import { isLazy } from "./lazy.ts";
import { buildAdvice } from "./contract/evaluation.ts";
import { fillPayload, fillRowPayload, listFollowing } from "./payload/filled_payload.ts";
import { CONDITIONS } from "./table/conditions.ts";
import { PHASES } from "./table/phases.ts";
import { buildProgress } from "./rules/ready_rules.ts";
import { listWaivedTools } from "./rules/required_tools.ts";
import { findTrailerValue } from "./trailer.ts";
import { ESCALATIONS } from "./valves.ts";

/** A word of a text that may be a path or the name of a file. A call has a bracket behind it. */
const TOKEN = /[\w@.*/-]+\(?/g;
/** A file by its ending: `c.Error`, `...string` and `if/else` are words of code and of sentences. */
const ENDED = /[\w*-]\.[a-z][a-z\d]{0,4}$/;
/** Short words with points, and versions. */
const NO_FILE = /^(?:e\.g|i\.e|v?\d[\d.]*x?)$/i;
/** Rules of other files that are shown, and how much of each: who wrote them down knows the rest. */
const MOST_OTHERS = 6;
const OTHER_CHARS = 60;

/**
 * The rules and constraints that stand over the planned tasks: all that name no file, and of the others those whose file,
 * folder or ending the plan names; the first words of the rest, since a rule may name a file and bind another. Empty where
 * there are none.
 */
export function buildTouchingFields(
  { rules, frame, tasks }: Pick<SessionState, "rules" | "frame" | "tasks">,
): Readonly<Record<string, unknown>> {
  const plan = tasks.flatMap(({ description, checklist }) => [
    description,
    ...checklist.map(({ item }) => item),
  ]).join("\n").toLowerCase();
  const touches = (text: string) => {
    const named = findFiles(text);
    return named.length === 0 || named.some((name) => plan.includes(findTellingPart(name)));
  };
  const standing = rules.filter(({ toChange }) => toChange !== true);
  const binding = standing.filter(({ rule }) => touches(rule));
  const others = standing.filter((one) => !binding.includes(one))
    .map(({ rule, source }) => `${clipLine(rule, OTHER_CHARS)} (${source})`);
  const more = others.length - MOST_OTHERS;
  const constraints = (frame?.constraints ?? []).filter(touches);
  return {
    ...(binding.length === 0 ? {} : { mandatory_rules: binding }),
    ...(others.length === 0 ? {} : {
      rules_of_other_files: [
        ...others.slice(0, MOST_OTHERS),
        ...(more > 0 ? [say`${more} more: ${tool("get_session_status")} has all.`] : []),
      ],
    }),
    ...(constraints.length === 0 ? {} : { constraints }),
  };
}

/** Paths, globs and names of files in a text; a folder ends with a slash. */
function findFiles(text: string): string[] {
  return (text.match(TOKEN) ?? []).map((token) => token.replace(/[.]+$/, "")).filter((token) =>
    !token.endsWith("(") && !NO_FILE.test(token) &&
    (ENDED.test(token) || /\w\/$/.test(token) || /\*[./]|[./]\*/.test(token))
  );
}

/** What of a path or glob a plan must name: `src/ui/` of `src/ui/**`, `.css` of `*.css`. */
function findTellingPart(name: string): string {
  const plain = name.toLowerCase();
  return plain.startsWith("*") ? plain.replace(/^[*/]+/, "") : plain.replace(/\*.*$/, "");
}

/** What the block depends on beside the state. */
export interface BlockOptions {
  readonly contract: Contract;
  /** Tools that the server can offer now. */
  readonly offered: readonly string[];
  /** Prompt files of the project that belong to the stage. */
  readonly resources: readonly string[];
}

/**
 * Phase, step, instruction, expected payload and the next call, in the same form for every reply.
 */
export function describeStage(
  state: SessionState,
  options: BlockOptions,
): Readonly<Record<string, unknown>> {
  const row = PHASES[state.stage];
  const place = { session_id: state.sessionId, phase: row.phase, step: row.step, of: LAST_STEP };
  const count = { compaction_count: state.compactionCount };
  if (state.status === "parked") {
    return {
      ...place,
      status: "parked",
      instruction: say`The session is parked. ${
        tool("get_session_status", { session_id: state.sessionId })
      } resumes it.`,
      call: "get_session_status",
      ...count,
    };
  }
  if (state.status === "ended") {
    const { step, of, ...named } = place;
    return {
      ...named,
      phase: "SESSION_COMPLETE",
      // Only a merge is the last of all steps: an investigation, and what was given up, ended where they were.
      ...(state.end === "merged" ? { step, of } : {}),
      session_complete: true,
      end: state.end,
      ...buildLastResult(state),
      instruction: options.contract.SESSION_COMPLETE.instruction,
      call: "start_session",
      ...count,
    };
  }
  const resources = options.resources.length === 0 ? {} : { resources: options.resources };
  if (state.escalation !== null) {
    return { ...place, ...buildQuestion(state), ...resources, ...count };
  }
  const contract = options.contract[state.stage];
  const waived = listWaivedTools(contract, options.offered);
  const required = contract.requiredTools.filter((tool) => !waived.includes(tool));
  return {
    ...place,
    ...(row.substep === undefined ? {} : { substep: row.substep }),
    instruction: chooseInstruction(state, contract, waived),
    expected_payload: fillPayload(state, contract),
    ...buildThenField(state, options.contract),
    // Most stages require no tool, so the field is left out there to keep replies short.
    ...(required.length === 0 ? {} : { required_tools: required }),
    ...(waived.length === 0 ? {} : { waived_tools: waived }),
    ...resources,
    call: "submit_phase",
    ...count,
  };
}

const RESULT_CHARS = 80;

/** What the last verification said, in a line, with the word that the commit carries; empty where there was none. */
function buildLastResult(state: SessionState): Readonly<Record<string, unknown>> {
  const { verification } = state;
  if (verification === null) return {};
  const said = verification.ran?.join(" | ") ?? verification.verifier;
  return { verification_result: clipLine(`${findTrailerValue(state)}: ${said}`, RESULT_CHARS) };
}

/** The payloads of the steps that can be sent together with this one, without the fields that they may leave out. */
function buildThenField(
  state: SessionState,
  contract: Contract,
): Readonly<Record<string, unknown>> {
  // Who sends one payload needs no row of others.
  const following = isLazy(state) ? [] : listFollowing(state);
  if (following.length === 0) return {};
  return { then: following.map((at) => fillRowPayload(at, contract[at.stage])) };
}

/** The instruction; a variant where a tool that it names is not offered, or the project has no commands. */
function chooseInstruction(
  { stage, fixedVerify }: SessionState,
  row: ContractRow,
  waived: readonly string[],
): Words {
  if (row.instruction !== PHASES[stage].asks.instruction) return row.instruction;
  const hasCommands = (fixedVerify?.verify ?? []).length > 0;
  const { withoutCommands, withoutTool } = PHASES[stage];
  if (!hasCommands && withoutCommands !== undefined) return withoutCommands;
  return (waived.length === 0 ? undefined : withoutTool) ?? row.instruction;
}

/** The question that waits for the user; it replaces the contract of the stage. */
function buildQuestion(state: SessionState): Readonly<Record<string, unknown>> {
  const { escalation } = state;
  if (escalation === null) return {};
  const decisions = ESCALATIONS[escalation.cause].decisions;
  return {
    user_escalation: true,
    cause: escalation.cause,
    instruction: say`${
      escalation.message.slice(0, 1000)
    } Ask the person what to do, with what was tried so far, and send the answer in their words by ${
      tool("submit_phase")
    }.`,
    expected_payload: { user_decision: decisions.join(" | "), user_reason: "string" },
    call: "submit_phase",
  };
}

const HIGH_RISK_NOTE =
  "The request leaves its target or problem open: after a thin exploration SEMANTIC is not skipped.";

/** What the stage needs from earlier ones: rules, tasks, the reason why the work was sent back. */
export function buildStageContext(state: SessionState): Readonly<Record<string, unknown>> {
  if (state.status !== "active" || state.escalation !== null) return {};
  const binding = keepBinding(state.rules);
  const rules = binding.length === 0 ? {} : { mandatory_rules: binding };
  switch (state.stage) {
    case "EXPLORATION":
      return state.risk === "HIGH" ? { risk: state.risk, risk_note: HIGH_RISK_NOTE } : {};
    case "Q1":
      return buildAdvice(state);
    case "VERIFICATION":
      return state.hypotheses.length === 0 ? {} : { hypotheses: state.hypotheses };
    case "READY_PLAN":
      return {
        // Who comes back has read them with the first plan.
        ...(state.tasks.length === 0 ? rules : {}),
        ...(state.revertReason === null ? {} : { revert_reason: state.revertReason }),
        ...buildKnownTasks(state),
      };
    case "READY_IMPL": {
      const isBegun = state.tasks.some(({ status }) => status === "completed");
      return {
        ...buildProgress(state.tasks),
        ...(isBegun ? {} : { ...buildTouchingFields(state), ...buildTestNote(state) }),
      };
    }
    case "VERIFY_INTERVENTION":
      return {
        failure: state.revertReason,
        failed_tasks: state.tasks.filter(({ failureCount }) => failureCount > 0)
          .map(({ id, failureCount }) => ({ id, failure_count: failureCount })),
      };
    case "PRE_COMMIT": {
      const [open, unproven] = [listOpenClauses(state), listUnprovenClauses(state)];
      return {
        ...(open.length === 0 ? {} : { open_clauses: open }),
        ...(unproven.length === 0
          ? {}
          : { observed_unproven: formatUnproven(unproven, listProvingTests(state)) }),
      };
    }
    case "QUALITY_REVIEW":
      return rules;
    default:
      return {};
  }
}

const CLAUSE_CHARS = 60;

/** Tests that are offered for a clause. */
const MOST_OFFERED = 6;

function formatUnproven(clauses: readonly string[], proving: readonly string[]): string {
  const shown = clauses.map((clause) => `"${clipLine(clause, CLAUSE_CHARS)}"`).join(", ");
  const word = `Your word alone: none of the changed tests that ran is named in it: ${shown}.`;
  if (proving.length === 0) return word;
  const names = proving.slice(0, MOST_OFFERED).map((test) => test.replace(/^.*?: /, ""));
  return `${word} Where one of the tests that fail without the change shows it, send ` +
    `observed: {clause: test} beside this payload: ${names.join(", ")}.`;
}

/** Said before the first test is written: what the server will ask of it, where it runs the commands. */
function buildTestNote(state: SessionState): Readonly<Record<string, string>> {
  const { verify = [] } = state.fixedVerify ?? {};
  if (CONDITIONS.no_verify.holds(state) || verify.length === 0) return {};
  return {
    "changed_tests": "The server runs them without the change too: there they should fail.",
  };
}

/** The rules that the work has to follow: without those that the request changes. */
export function keepBinding(rules: SessionState["rules"]): SessionState["rules"] {
  return rules.filter(({ toChange }) => toChange !== true);
}

/** Completed tasks stay by themselves, so the next plan needs none of their items. */
function buildKnownTasks(state: SessionState): Readonly<Record<string, unknown>> {
  if (state.tasks.length === 0) return {};
  return {
    existing_tasks: buildTaskList(state).map(({ checklist, ...task }) =>
      task["status"] === "completed" ? task : { ...task, checklist }
    ),
  };
}

/** The task list for replies. */
export function buildTaskList(state: SessionState): readonly Readonly<Record<string, unknown>>[] {
  return state.tasks.map((task) => ({
    id: task.id,
    description: task.description,
    status: task.status,
    checklist: task.checklist.map(({ accepted: _accepted, ...item }) => item),
    ...(task.failureCount === 0 ? {} : { failure_count: task.failureCount }),
    ...(task.revertReason === null ? {} : { revert_reason: task.revertReason }),
  }));
}
