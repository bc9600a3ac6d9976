/**
 * Makes the first reply of a session: what the project says, what earlier work left, and where to
 * begin.
 */
import { STEP } from "../../base/steps.ts";
import { clip } from "../../base/text/clip.ts";
import type { Reply } from "../../base/reply.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { formatCount } from "../../base/text/plain_text.ts";
import { say, tool } from "../../base/text/words.ts";
import type { DocumentSummaries } from "../../context/doc_research.ts";
import type { TaskBranch } from "../../git/branches/branches.ts";
import type { AddedFiles } from "../../git/trees/unstored_files.ts";
import type { SessionState } from "../../phase/state.ts";
import { describeWhole } from "../../phase/drafts.ts";
import { isEarly } from "../../phase/lazy.ts";
import { writesFiles } from "../../phase/table/flags.ts";
import type { ProjectVerification } from "../../evidence/runs/project_verification.ts";
import type { Checkpoint } from "../../session/session.ts";
import type { RulesContext, WorkflowSettings } from "../context/deps.ts";
import type { SessionContext, Sessions } from "../context/sessions.ts";
import { buildStaleField } from "../effects/effect_stale.ts";
import { readHooksSeen } from "../look/notices.ts";
import { formatLeftOutNotice } from "../context/guiding_texts.ts";
import { buildParkedFields } from "./earlier_sessions.ts";
import { buildOkReply } from "../context/replies.ts";

/** A session that could be resumed, with what a person needs to know about it. */
export function describeCandidate(state: SessionState): Readonly<Record<string, unknown>> {
  return {
    session_id: state.sessionId,
    query: state.query.slice(0, 200),
    stage: state.stage,
    started_at: state.startedAt,
    status: state.status,
  };
}

/** The reply to an accepted start. */
export async function buildStartReply(
  context: SessionContext,
  input: {
    /** Fields about earlier work. */
    readonly earlier: Readonly<Record<string, unknown>>;
    readonly state: SessionState;
    /** What git is in the middle of, and what the first save could not record. */
    readonly noted: readonly string[];
    readonly stale: readonly TaskBranch[];
    readonly parked: readonly Checkpoint[];
    readonly large: readonly string[];
    readonly added: AddedFiles;
  },
): Promise<Reply> {
  const { verification } = context.deps;
  const [rules, settings, documents, closed, words, unrun, unmet] = await Promise.all([
    context.deps.loadRules(),
    context.deps.loadSettings(),
    context.deps.loadSummaries(),
    context.sessions.listClosedTexts(),
    verification.takeWords(),
    writesFiles(input.state) ? verification.listUnrunChecks() : [],
    context.deps.listUnmetSettings(),
  ]);
  const leftOut = {
    rules: rules.leftOut,
    summaries: documents.leftOut,
    prompts: closed.filter(({ path }) => path.endsWith(".md")).length,
  };
  const notices = [
    ...formatLeftOutNotice(leftOut, rules.source),
    ...settings.warnings,
    ...unmet,
    ...listUnservedNotices(context.sessions, settings, input.state),
    ...context.contract.notices,
    ...input.noted,
    ...formatAddedNotice(input.added),
  ];
  const flags = Object.keys(input.state.flags).filter((name) =>
    input.state.flags[name as keyof SessionState["flags"]] === true
  );
  return await buildOkReply({
    deps: context.deps,
    contract: context.contract,
    state: input.state,
    fields: {
      intent: input.state.intent,
      ...(input.state.gateLevel === "auto" ? {} : { gate_level: input.state.gateLevel }),
      ...(flags.length === 0 ? {} : { flags }),
      ...buildDefaultWay(input.state, await readHooksSeen(context.sessions, null)),
      ...(input.state.workspace.baseBranch === null
        ? {}
        : { base_branch: input.state.workspace.baseBranch }),
      ...buildStaleField(input.stale),
      ...buildParkedFields(input.parked, context.deps.clock.now()),
      ...(rules.summary === null ? {} : { project_rules: rules.summary }),
      ...(rules.notes === null ? {} : { project_notes: rules.notes }),
      ...buildDocumentFields(documents, settings.documentsEnabled),
      ...buildUpdateField(rules, documents, isEarly(input.state)),
      ...input.earlier,
      ...(words.length === 0 ? {} : { allowed_by_person: { words, notice: TELL_PERSON } }),
      ...buildUnrunField(unrun),
      ...(input.large.length === 0 ? {} : { recorded_by_hash_only: input.large }),
      ...(notices.length === 0 ? {} : { notices }),
    },
  });
}

/** Whether hooks run, and the default way with the form of its one payload, where the session does not go by hand. */
function buildDefaultWay(state: SessionState, hooks: string): Readonly<Record<string, unknown>> {
  if (!isEarly(state)) return { hooks };
  return {
    hooks,
    announcement:
      say`The default way: work with your own tools, then send \`one_payload\` once by ${
        tool("submit_phase")
      }; the server does the steps between from what it saw, and says what it has to ask. Or step by step:`,
    "one_payload": describeWhole(state),
    ...(hooks === "not_seen"
      ? {
        "before_you_write": say`No hook sees your edits: name the files by ${
          tool("check_write_target")
        } first, in one call.`,
      }
      : {}),
  };
}

/** Keys of `context.yml` that ask for what no feature of this program does. */
function listUnservedNotices(
  { deps: { addition } }: Sessions,
  { mutants }: Pick<WorkflowSettings, "mutants">,
  { fixedVerify }: SessionState,
): readonly string[] {
  const isMutated = mutants.when === "always" && addition("planMutants") === undefined;
  const bound = fixedVerify?.coverage?.changedLines ?? null;
  const isBound = bound !== null && addition("readRanLines") === undefined;
  return [
    ...(isMutated ? ["mutants.when: this program tries no wrong versions of the change"] : []),
    ...(isBound
      ? ["coverage.changed_lines: this program reads no coverage, so it asks nothing"]
      : []),
  ];
}

/** Says that very many untracked files were copied: most often they are data or dependencies that nobody ignored. */
export function formatAddedNotice({ files, bytes }: AddedFiles): readonly string[] {
  const sizeMb = Math.round(bytes / BYTES_PER_MB);
  if (files < LIMITS.untrackedFiles.value && sizeMb < LIMITS.untrackedMb.value) return [];
  return [
    `${formatCount(files, "untracked file")} (${sizeMb} MB) ${files === 1 ? "was" : "were"} ` +
    "copied into the git folder, so that the session can restore them. What is no work, such as " +
    "data or dependencies, belongs in .gitignore: it is then neither copied nor watched.",
  ];
}

const BYTES_PER_MB = 1024 * 1024;

/** A word that was forged is found by the one in whose name it was given. */
const TELL_PERSON =
  "Tell the person what was allowed in their name since the last session; what they did not say, `code-intel trust --revoke` takes back.";

/** Types and style that nobody would check: the server runs what `verify` names, and nothing else. */
function buildUnrunField(
  unrun: Awaited<ReturnType<ProjectVerification["listUnrunChecks"]>>,
): Readonly<Record<string, unknown>> {
  if (unrun.length === 0) return {};
  const rows = unrun.map(({ name, run }) => JSON.stringify({ name, run }));
  const canRun = unrun.some(({ isFound }) => isFound);
  return {
    unrun_checks: {
      names: unrun.map(({ name, by, isFound }) =>
        `${name} (${by}${isFound ? "" : "; not found here"})`
      ),
      how: `No command of verify runs them. ${
        canRun
          ? `Run those that are there on your work before ${STEP.POST_IMPL_VERIFY}; the`
          : "The"
      } person can add ${rows.join(", ")} to .code-intel/config.json.`,
    },
  };
}

const MAX_SUMMARIES = 10;
const MAX_SUMMARY_CHARS = 200;

/** The summaries of documents in short form; step 3 reads those that matter. */
function buildDocumentFields(
  { current }: DocumentSummaries,
  isEnabled: boolean,
): Readonly<Record<string, unknown>> {
  if (!isEnabled || current.length === 0) return {};
  const cut = (text: string) => clip(text, MAX_SUMMARY_CHARS);
  return {
    document_summaries: current.slice(0, MAX_SUMMARIES).map(({ path, summary, notes }) => ({
      path,
      summary: cut(summary),
      ...(notes === null ? {} : { notes: cut(notes) }),
    })),
    ...(current.length > MAX_SUMMARIES ? { document_summaries_total: current.length } : {}),
  };
}

/** What has to be summarised again, because its source has changed. */
function buildUpdateField(
  rules: RulesContext,
  { outdated }: DocumentSummaries,
  isDefaultWay: boolean,
): Readonly<Record<string, unknown>> {
  // A summary that waits for a person's word is not to be replaced by the way.
  // A first summary is worth a call to who goes by hand: it changes a file that no session commits.
  const isFirst = (rules.summary ?? "").trim() === "";
  const isStale = rules.updateNeeded && rules.leftOut === 0 && !(isDefaultWay && isFirst);
  if (!isStale && outdated.length === 0) return {};
  return {
    context_update_required: {
      ...(isStale ? { source: rules.source } : {}),
      ...(outdated.length === 0 ? {} : { documents: outdated.slice(0, MAX_SUMMARIES) }),
      how: say`Read it, sum up its rules as DO and DON'T, and store that by ${
        tool("update_context")
      }.`,
    },
  };
}
