/** Makes the brief: what an agent that lost its memory needs to go on, within a budget of bytes. Pure. */
import { clip } from "../base/text/clip.ts";
import { measureJson } from "../base/text/json_record.ts";
import type { TreePath } from "../base/paths.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { Problem } from "../base/problem.ts";
import { parseWords, type Words } from "../base/text/words.ts";
import type { SessionState } from "../phase/state.ts";
import type { ChecklistItem, Task } from "../phase/tasks.ts";
import { keepBinding } from "../phase/stage_block.ts";
import { FLAG_NAMES } from "../phase/table/flags.ts";
import { PHASES } from "../phase/table/phases.ts";
import {
  buildBringBackField,
  buildNoticesField,
  buildProjectFields,
  formatDecision,
  formatProblem,
  newestFirst,
  summarizeVerification,
  withoutEmpty,
} from "./summary_fields.ts";
import type { SessionRecord } from "./records.ts";
import { keepStageCalls, listExploredFiles } from "./records.ts";

/** A list that may be cut, with the number of entries that there are. */
export interface CutList<T> {
  readonly shown: number;
  readonly total: number;
  readonly items: readonly T[];
}

/** What the brief depends on beside the session and its records. */
export interface SummaryOptions {
  /** Most bytes that the brief may have as JSON, default {@link LIMITS}. */
  readonly budgetBytes?: number;
  /** Instruction of the present stage, where the caller has the contract. */
  readonly instruction?: string;
  /**
   * Turns a file of the worktree into the path that the agent has to send back; records hold paths
   * of the worktree, so this is needed where the project is a folder of the worktree.
   */
  readonly toProjectPath?: (treePath: TreePath) => string;
  /** Notices about the session's files that are not in the records yet. */
  readonly notices?: readonly string[];
  /** What is to be followed in the whole project, as it was summed up; null where nothing was. */
  readonly projectRules?: string | null;
  /** Changes that have to be settled before the next step, each with its ways out. */
  readonly unsettled?: readonly Pick<Problem, "message" | "hint">[];
}

/** A task in the brief, with its open items. */
export interface SummaryTask {
  readonly id: string;
  readonly description: string;
  readonly status: string;
  readonly open_items: CutList<string>;
  readonly failure_count?: number;
}

/** The brief: JSON-ready, snake_case keys. */
export interface StateSummary {
  readonly session_id: string;
  readonly request: string;
  readonly intent: string;
  readonly gate_level: string;
  readonly flags: readonly string[];
  readonly status: string;
  readonly phase: string;
  readonly step: number;
  readonly next: { readonly call: string; readonly [field: string]: unknown };
  readonly task_branch: string | null;
  readonly base_branch: string | null;
  readonly risk?: string;
  /** Present tip of a base that others moved; the merge takes that into account. */
  readonly base_moved_to?: string;
  /** What the commands of the last verification ran, a line each, and what the result counts for. */
  readonly verification?: string;
  /** What failed in it, with the end of its output; absent where it passed. */
  readonly verification_output?: string;
  readonly project_rules?: string;
  /** Changes on the disk that nobody allowed, with the ways out; the next step is refused until they are settled. */
  readonly unsettled?: CutList<Words>;
  readonly question_for_person?: string;
  readonly revert_reason?: string;
  /** Notices about the session's own files, such as damage or seals that could not be checked; newest first. */
  readonly notices?: readonly string[];
  /** Command lines that bring back changes which were put back, newest first. */
  readonly bring_back?: readonly string[];
  readonly tasks_completed: number;
  readonly open_items_total: number;
  readonly mandatory_rules?: CutList<string>;
  /** The tasks that are still to be done, in order. */
  readonly tasks?: CutList<SummaryTask>;
  readonly last_problems?: CutList<Words>;
  readonly decisions?: CutList<string>;
  /** In step 11: files found by the analyses so far that each need a decision. */
  readonly must_verify?: CutList<string>;
  /** After step 11: files that the agent promised to modify. */
  readonly will_modify?: CutList<string>;
  readonly findings?: CutList<string>;
  readonly explored_files?: CutList<string>;
  readonly done_steps?: CutList<string>;
}

type ListName =
  | "mandatory_rules"
  | "open_items"
  | "tasks"
  | "last_problems"
  | "decisions"
  | "findings"
  | "explored_files"
  | "done_steps";

/** A list that is being shortened for the brief, with the most important entry first. */
interface Draft {
  items: readonly string[];
  readonly total: number;
}

interface Drafts {
  readonly head: Omit<StateSummary, ListName>;
  readonly lists: Readonly<Record<Exclude<ListName, "tasks" | "open_items">, Draft>>;
  readonly tasks: readonly Task[];
  /** How many tasks are shown, and how many open items of the first task and of each other one. */
  shownTasks: number;
  firstItems: number;
  otherItems: number;
  itemChars: number;
}

/** One way to shorten a brief that is too large: fewer entries of a list, or shorter ones. */
interface Cut {
  readonly list: ListName;
  /** Number of entries that the list may be shortened to. */
  readonly keep?: number;
  /** Number of characters that each entry is cut to. */
  readonly chars?: number;
}

/** The cuts in the order in which they are made, until the brief fits. Totals stay exact. */
const CUTS: readonly Cut[] = [
  { list: "done_steps", chars: 400 },
  { list: "done_steps", keep: 3 },
  { list: "explored_files", keep: 20 },
  { list: "findings", keep: 10 },
  { list: "findings", chars: 200 },
  { list: "done_steps", keep: 1 },
  { list: "explored_files", keep: 5 },
  { list: "findings", keep: 3 },
  { list: "decisions", keep: 3 },
  { list: "last_problems", chars: 300 },
  { list: "last_problems", keep: 3 },
  { list: "open_items", chars: 160 },
  { list: "mandatory_rules", chars: 160 },
  { list: "tasks", keep: 20 },
  { list: "tasks", keep: 5 },
  { list: "mandatory_rules", chars: 80 },
  { list: "open_items", keep: 20 },
  { list: "tasks", keep: 1 },
  { list: "done_steps", keep: 0 },
  { list: "explored_files", keep: 0 },
  { list: "findings", keep: 0 },
  { list: "mandatory_rules", keep: 10 },
  { list: "decisions", keep: 1 },
  { list: "last_problems", keep: 1 },
  { list: "open_items", keep: 3 },
  { list: "open_items", chars: 60 },
  { list: "mandatory_rules", keep: 0 },
  { list: "decisions", keep: 0 },
  { list: "last_problems", keep: 0 },
  { list: "tasks", keep: 0 },
];

const REQUEST_CHARS = 1000;
const TEXT_CHARS = 400;
const ID_CHARS = 80;

/** Makes the brief of a session; the least important entries are left out until it fits. */
export function buildStateSummary(
  state: SessionState,
  records: readonly SessionRecord[],
  options: SummaryOptions = {},
): StateSummary {
  const budgetBytes = options.budgetBytes ?? LIMITS.briefBytes.value;
  const drafts = buildDrafts(state, records, options);
  let brief = assemble(drafts);
  for (const cut of CUTS) {
    const excessBytes = measureJson(brief) - budgetBytes;
    if (excessBytes <= 0) return brief;
    apply(cut, drafts, excessBytes);
    brief = assemble(drafts);
  }
  return brief;
}

function buildDrafts(
  state: SessionState,
  records: readonly SessionRecord[],
  options: SummaryOptions,
): Drafts {
  const { toProjectPath = (treePath: TreePath) => treePath } = options;
  const open = state.tasks.filter((task) => task.status === "pending");
  const firstItems = open[0]?.checklist.filter(isOpen).length ?? 0;
  const otherItems = Math.max(0, ...open.map(({ checklist }) => checklist.filter(isOpen).length));
  return {
    head: {
      ...buildHead(state, options),
      ...buildBringBackField(records),
      ...buildNoticesField(records, options.notices ?? []),
      ...buildImpactLists(state, records),
      ...buildProjectFields(options),
    },
    lists: {
      mandatory_rules: buildDraft(
        keepBinding(state.rules).map(({ rule, source }) => `${rule} (${source})`),
      ),
      last_problems: buildDraft(state.lastProblems.map(formatProblem)),
      decisions: buildDraft(newestFirst(state.decisions).map(formatDecision)),
      findings: buildDraft(newestFirst(state.findings)),
      explored_files: buildDraft(
        newestFirst(listExploredFiles(records)).map((treePath) => toProjectPath(treePath)),
      ),
      done_steps: buildDraft(
        newestFirst(Object.entries(state.summaries)).map(([step, text]) => `${step}: ${text}`),
      ),
    },
    tasks: state.tasks,
    shownTasks: open.length,
    firstItems,
    otherItems,
    itemChars: TEXT_CHARS,
  };
}

const IMPACT_FILES = 20;

/** The lists of step 11: what it asks for, or after it what the agent promised. */
function buildImpactLists(
  state: SessionState,
  records: readonly SessionRecord[],
): Pick<StateSummary, "must_verify" | "will_modify"> {
  const toList = (paths: readonly string[]) => {
    const items = paths.slice(0, IMPACT_FILES).map((path) => clip(path, TEXT_CHARS));
    return { shown: items.length, total: paths.length, items };
  };
  if (state.stage === "IMPACT_ANALYSIS") {
    const found = keepStageCalls(records, state.visit)
      .flatMap(({ ok, impact }) => ok ? impact?.mustVerify ?? [] : []);
    return found.length === 0 ? {} : { must_verify: toList([...new Set(found)]) };
  }
  const promised = state.impact.filter(({ status }) => status === "will_modify");
  return promised.length === 0 ? {} : { will_modify: toList(promised.map(({ path }) => path)) };
}

function buildHead(state: SessionState, options: SummaryOptions): Drafts["head"] {
  const { phase, step } = PHASES[state.stage];
  const { escalation, revertReason, workspace } = state;
  return {
    session_id: state.sessionId,
    request: clip(state.query, REQUEST_CHARS),
    intent: state.intent,
    gate_level: state.gateLevel,
    flags: FLAG_NAMES.filter((flag) => state.flags[flag] === true),
    status: state.status,
    phase,
    step,
    next: buildNextCall(state, options),
    task_branch: workspace.taskBranch,
    base_branch: workspace.baseBranch,
    ...(state.risk === undefined ? {} : { risk: state.risk }),
    ...buildBaseMoved(state),
    ...summarizeVerification(state),
    ...(escalation === null ? {} : { question_for_person: clip(escalation.message, TEXT_CHARS) }),
    ...(revertReason === null ? {} : { revert_reason: clip(revertReason, TEXT_CHARS) }),
    tasks_completed: state.tasks.filter(({ status }) => status === "completed").length,
    open_items_total: state.tasks.flatMap(({ checklist }) => checklist).filter(isOpen).length,
  };
}

function buildBaseMoved({ ledger, workspace }: SessionState): Partial<Drafts["head"]> {
  const tip = ledger?.baseTip ?? null;
  const isOpen = tip !== null && tip !== workspace.baseCommit && workspace.taskBranch !== null;
  return isOpen ? { base_moved_to: tip.slice(0, 12) } : {};
}

function buildNextCall(state: SessionState, { instruction }: SummaryOptions): StateSummary["next"] {
  if (state.status === "ended") return { call: "start_session" };
  if (state.status === "parked") {
    return { call: "get_session_status", session_id: state.sessionId };
  }
  const task = state.stage === "READY_IMPL"
    ? state.tasks.find(({ status }) => status === "pending")
    : undefined;
  return {
    call: "submit_phase",
    ...(task === undefined ? {} : { task_id: clip(task.id, ID_CHARS) }),
    ...(instruction === undefined ? {} : { instruction: clip(instruction, REQUEST_CHARS) }),
  };
}

function assemble(drafts: Drafts): StateSummary {
  const { head, lists, tasks } = drafts;
  const open = tasks.filter(({ status }) => status === "pending");
  const shown = open.slice(0, drafts.shownTasks);
  return withoutEmpty({
    ...head,
    mandatory_rules: toCutList(lists.mandatory_rules),
    tasks: {
      shown: shown.length,
      total: open.length,
      items: shown.map((task, index) =>
        summariseTask(task, {
          items: index === 0 ? drafts.firstItems : drafts.otherItems,
          chars: drafts.itemChars,
        })
      ),
    },
    last_problems: parseWordsList(lists.last_problems),
    decisions: toCutList(lists.decisions),
    findings: toCutList(lists.findings),
    explored_files: toCutList(lists.explored_files),
    done_steps: toCutList(lists.done_steps),
  });
}

function summariseTask(
  task: Task,
  limits: { readonly items: number; readonly chars: number },
): SummaryTask {
  const open = task.checklist.filter(isOpen).map(({ item }) => clip(item, limits.chars));
  const items = open.slice(0, limits.items);
  return {
    id: clip(task.id, ID_CHARS),
    description: clip(task.description, limits.chars),
    status: task.status,
    open_items: { shown: items.length, total: open.length, items },
    ...(task.failureCount === 0 ? {} : { failure_count: task.failureCount }),
  };
}

function apply({ list, keep, chars }: Cut, drafts: Drafts, excessBytes: number): void {
  if (list === "tasks") drafts.shownTasks = Math.min(drafts.shownTasks, keep ?? Infinity);
  else if (list === "open_items") {
    // The next task keeps its items longest; those of later tasks can be asked for when their turn comes.
    if (keep !== undefined) {
      drafts.otherItems = Math.min(drafts.otherItems, Math.ceil(keep / 4));
      drafts.firstItems = Math.min(drafts.firstItems, keep);
    }
    drafts.itemChars = Math.min(drafts.itemChars, chars ?? Infinity);
  } else {
    const draft = drafts.lists[list];
    if (chars !== undefined) draft.items = draft.items.map((text) => clip(text, chars));
    if (keep !== undefined) draft.items = dropLast(draft.items, keep, excessBytes);
  }
}

/** Drops entries from the end, where the least important ones are, until enough bytes are saved. */
function dropLast(
  items: readonly string[],
  keep: number,
  excessBytes: number,
): readonly string[] {
  let left = items.length;
  let savedBytes = 0;
  while (left > keep && savedBytes < excessBytes) {
    left--;
    savedBytes += measureJson(items[left]) + 1;
  }
  return items.slice(0, left);
}

function buildDraft(items: readonly string[]): Draft {
  return { items: items.map((text) => clip(text, LIMITS.summaryChars.value)), total: items.length };
}

function toCutList({ items, total }: Draft): CutList<string> {
  return { shown: items.length, total, items };
}

/** Texts that were stored with calls in backticks. */
function parseWordsList(draft: Draft): CutList<Words> {
  const { items, ...counts } = toCutList(draft);
  return { ...counts, items: items.map(parseWords) };
}

function isOpen(item: ChecklistItem): boolean {
  return item.status === "pending";
}
