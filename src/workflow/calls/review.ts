/**
 * Shows for `review_changes` the session's changes since the baseline, and apart from them the
 * user's.
 */
import { hasNoGit } from "../../git/repository.ts";
import { STEP_FIRST } from "../../base/steps.ts";
import { measureJson } from "../../base/text/json_record.ts";
import type { ProjectPath, TreePath } from "../../base/paths.ts";
import { makeProblem } from "../../base/problem.ts";
import type { Reply } from "../../base/reply.ts";
import { argument, call, say, use } from "../../base/text/words.ts";
import type { LargeFile } from "../../git/trees/unstored_files.ts";
import type { Change } from "../../git/trees/changes.ts";
import { createDiffReader } from "../../git/trees/changed_lines.ts";
import { compareSession } from "../../git/trees/commit_tree.ts";
import type { Observation } from "../../ledger/observe.ts";
import { findUnmodified } from "../../phase/rules/impact_rules.ts";
import type { BriefDiff } from "./review_hunks.ts";
import { buildFindingFields, listCoveredLines, shortenHunks } from "./review_hunks.ts";
import { listCommandWrites } from "../look/command_writes.ts";
import type { SessionSettings } from "../context/deps.ts";
import { loadSessionSettings } from "../context/deps.ts";
import type { OpenSession, SessionContext, Sessions } from "../context/sessions.ts";
import { readWorktree } from "../context/present_tree.ts";
import type { Inspection } from "../look/inspect.ts";
import { inspect } from "../look/inspect.ts";
import { buildPlainRefusal } from "../context/replies.ts";

/** Which part of the changes to show. */
export interface ReviewInput {
  /** Only this file, with its whole diff. */
  readonly path?: ProjectPath;
  /** Character of the diff to begin with, for the rest of a cut answer. */
  readonly offset?: number;
  /** Most bytes of the reply. */
  readonly maxBytes: number;
  /** True shows of each file how much changed, and only hunks that no evidence covers; default false. */
  readonly isBrief?: boolean;
  /** Receives the working tree that is compared, by its object id. */
  readonly onSeen?: (tree: string) => void;
}

const ROOM_FOR_FRAME_BYTES = 2_000;
const MOST_PERSON_FILES = 50;

/** Lists every changed file with its diff, as far as the budget goes. */
export async function reviewChanges(sessions: Sessions, input: ReviewInput): Promise<Reply> {
  const context = await sessions.prepare();
  return await sessions.onActive(async (session) => {
    const settings = await loadSessionSettings(sessions.deps, session.state);
    // A process that performs effects could not complete them on a checkpoint that changed
    // meanwhile, so nothing is inspected.
    if (session.state.pending !== null) return await review(context, { session, input, settings });
    const inspection = await inspect(context, { session, settings });
    const seen = inspection.state === session.state
      ? session
      : await sessions.save(session, inspection.state);
    const written = await listCommandWrites(context, session.id);
    const fields = {
      ...listUnresolved(inspection),
      ...(written.length === 0 ? {} : { written_by_commands: written.slice(0, MOST_WRITTEN) }),
    };
    const maxBytes = input.maxBytes - measureJson(fields);
    const reply = await review(context, {
      session: seen,
      settings,
      input: { ...input, maxBytes },
      looked: inspection.seen,
    });
    return reply.ok ? { ...reply, ...fields } : reply;
  });
}

const MOST_UNRESOLVED = 20;
const MOST_WRITTEN = 50;

/** The findings that would stop the next submission; reading is possible in spite of them. */
function listUnresolved(inspection: Inspection): Readonly<Record<string, unknown>> {
  if (inspection.total === 0) return {};
  return {
    unsettled_total: inspection.total,
    unsettled: inspection.problems.slice(0, MOST_UNRESOLVED)
      .map(({ code, path = "HEAD" }) => ({ code, path })),
  };
}

async function review(
  context: SessionContext,
  options: {
    readonly session: OpenSession;
    readonly input: ReviewInput;
    readonly settings: SessionSettings;
    /** The look of this call; by default it looks here. */
    readonly looked?: Pick<Observation, "tree" | "large"> | null;
  },
): Promise<Reply> {
  const { session, input, settings, looked } = options;
  const { baselineTree, cleanTree, personOverlaps = [] } = session.state.workspace;
  if (hasNoGit(context.repo) || baselineTree === null) {
    return buildPlainRefusal([
      makeProblem("git_required", "Without git there is no review: nothing is committed", {
        hint: "Look at the files themselves; the session can end without a commit.",
      }),
    ], "submit_phase");
  }
  const now = looked ?? await readWorktree({ ...context, session, settings });
  const tree = now?.tree ?? baselineTree;
  input.onSeen?.(tree);
  const compared = await compareSession(context.repo, {
    baselineTree,
    currentTree: tree,
    headCommit: cleanTree ?? baselineTree,
    overlaps: personOverlaps,
    withLineCounts: true,
  });
  const trees = { from: baselineTree, to: tree };
  const shared = new Set(compared.both);
  const selected = select(context, compared.session, input.path);
  if (selected.length === 0 && input.path !== undefined) {
    return buildPlainRefusal([
      makeProblem("not_changed", `"${input.path}" is nothing that this session changed`, {
        at: "path",
        hint: say`${call("review_changes")} without \`${
          argument("path")
        }\` for the list of changed files.`,
      }),
    ], "review_changes");
  }
  const [first] = selected;
  const { path } = first ?? {};
  if (first !== undefined && path === resolvePath(context, input.path)) {
    return await reviewFile(context, session, { input, change: first, trees, shared });
  }
  const large = now?.large ?? [];
  const shown = { ...compared, session: selected };
  return await buildOverview(context, session, { input, compared: shown, trees, shared, large });
}

/** The changes of one file, of everything below a folder, or all without a path. */
function select(
  context: SessionContext,
  changes: readonly Change[],
  path: ProjectPath | undefined,
): readonly Change[] {
  const wanted = resolvePath(context, path);
  if (path === undefined || wanted === ".") return changes;
  return changes.filter((change) => change.path === wanted || change.path.startsWith(`${wanted}/`));
}

function resolvePath(context: SessionContext, path: ProjectPath | undefined): string | null {
  const resolved = path === undefined ? null : context.paths.toWorktree(path);
  return resolved?.kind === "path" ? resolved.path : null;
}

/** The files with changes of the user; those of the program's set-up apart, which are nobody's edit of the code. */
function buildUserFields({ paths }: SessionContext, changed: readonly TreePath[]) {
  const all = changed.map((treePath) => paths.toProject(treePath));
  const ofSetUp = all.filter((path) => path.startsWith(".code-intel/"));
  const person = all.filter((path) => !ofSetUp.includes(path));
  return {
    person_changes: person.slice(0, MOST_PERSON_FILES),
    person_total: person.length,
    ...(ofSetUp.length === 0 ? {} : {
      code_intel_files: ofSetUp.slice(0, MOST_PERSON_FILES),
      code_intel_note:
        "Files of code-intel's set-up: no session commits them. Tell the person to commit them.",
    }),
  };
}

interface Trees {
  readonly from: string;
  readonly to: string;
}

async function buildOverview(
  context: SessionContext,
  session: OpenSession,
  options: {
    readonly input: ReviewInput;
    readonly compared: Awaited<ReturnType<typeof compareSession>>;
    readonly trees: Trees;
    readonly shared: ReadonlySet<string>;
    readonly large: readonly LargeFile[];
  },
): Promise<Reply> {
  const { compared, trees, input, shared } = options;
  const { maxBytes } = input;
  const { paths, repo } = context;
  const listed = compared.session.map((change) => buildEntry(context, change, shared));
  const frame = {
    ok: true as const,
    session_id: session.id,
    ...await buildFindingFields(context, session, { trees, changes: compared.session, maxBytes }),
    total_changes: listed.length,
    ...buildUserFields(context, compared.person),
    ...buildPlanFields(session, listed),
    ...(options.large.length === 0 ? {} : {
      too_large: options.large.slice(0, 50).map(({ path }) => paths.toProject(path)),
      too_large_note: "These untracked files exceed max_snapshot_mb: no commit takes them.",
    }),
    call: "submit_phase",
    compaction_count: session.state.compactionCount,
  };
  let room = input.maxBytes - ROOM_FOR_FRAME_BYTES - measureJson({ frame, listed });
  const changes: Readonly<Record<string, unknown>>[] = [];
  let cut = 0;
  const readDiff = createDiffReader(repo, trees, compared.session);
  for (const [index, entry] of listed.entries()) {
    const change = compared.session[index];
    const whole = change === undefined || room <= 0 ? null : await diffOf(readDiff, change);
    const diff = whole === null || input.isBrief !== true
      ? whole
      : shortenHunks(whole, listCoveredLines(session.state.tasks, entry.path));
    const shown = diff === null ? null : chooseShown(diff, room);
    if (shown !== null) {
      changes.push({ ...entry, ...shown });
      room -= measureJson(shown);
    } else {
      changes.push({ ...entry, diff_cut: true });
      cut++;
    }
  }
  const shown = fitEntries(changes, input.maxBytes - ROOM_FOR_FRAME_BYTES);
  const first = changes.find((entry) => entry.diff_cut === true) ?? changes[shown.length];
  return {
    ...frame,
    changes: shown,
    ...(cut === 0 && shown.length === changes.length ? {} : {
      truncated: {
        shown: shown.length - Math.min(cut, shown.length),
        total: changes.length,
        reason: "max_bytes",
        next: { tool: "review_changes", arguments: { path: first?.path } },
      },
    }),
    instruction: say`Decide keep or discard for every file of \`changes\`, then ${
      use("submit_phase")
    }.`,
  };
}

/** Most places of a file that are named without their text. */
const MOST_PLACES = 10;

/** What fits of a diff: all of it, in brief at least the places that no evidence covers; null where nothing does. */
function chooseShown(
  diff: string | BriefDiff,
  room: number,
): Readonly<Record<string, unknown>> | null {
  if (typeof diff === "string") return measureJson(diff) <= room ? { diff } : null;
  const { added, removed, diff: rest, places } = diff;
  const not_in_evidence = places.slice(0, MOST_PLACES);
  const forms = rest === ""
    ? [{ added, removed }]
    : [{ added, removed, not_in_evidence, diff: rest }, { added, removed, not_in_evidence }];
  return forms.find((form) => measureJson(form) <= room) ?? null;
}

/** Files that step 11 promised to modify and that are unchanged. */
function buildPlanFields(
  session: OpenSession,
  listed: readonly { readonly path: string }[],
): Readonly<Record<string, unknown>> {
  const files = findUnmodified(session.state, listed);
  return files.length === 0 ? {} : {
    will_modify_unchanged: files.slice(0, MOST_UNRESOLVED),
    will_modify_note:
      `${STEP_FIRST.IMPACT_ANALYSIS} said these would be modified. Go back with back_to where that was right; else say in the summary why not.`,
  };
}

/** The entries that fit; a list of thousands of files is cut, and its total stays exact. */
function fitEntries(
  entries: readonly Readonly<Record<string, unknown>>[],
  maxBytes: number,
): readonly Readonly<Record<string, unknown>>[] {
  let room = maxBytes;
  const shown: Readonly<Record<string, unknown>>[] = [];
  for (const entry of entries) {
    room -= measureJson(entry) + 1;
    if (room < 0) break;
    shown.push(entry);
  }
  return shown;
}

function buildEntry(
  context: SessionContext,
  change: Change,
  shared: ReadonlySet<string>,
): Readonly<Record<string, unknown>> & { readonly path: ProjectPath } {
  return {
    path: context.paths.toProject(change.path),
    change_type: change.kind,
    ...(change.from === undefined ? {} : { from: context.paths.toProject(change.from) }),
    ...(change.isBinary === true ? { is_binary: true } : {}),
    ...(change.modeChanged && change.kind !== "added" && change.kind !== "deleted"
      ? { mode: `${change.oldMode} → ${change.newMode}` }
      : {}),
    ...(shared.has(change.path) ? { shared: true } : {}),
  };
}

async function diffOf(
  readDiff: ReturnType<typeof createDiffReader>,
  change: Change,
): Promise<string> {
  return change.isBinary === true ? "" : shortenDiff(await readDiff(change));
}

/** The diff without lines of its head that repeat the entry: names, ids, usual modes. */
function shortenDiff(text: string): string {
  const hunks = text.search(/^@@ /m);
  const head = hunks < 0 ? text : text.slice(0, hunks);
  const rest = hunks < 0 ? "" : text.slice(hunks);
  return head.replace(
    /^(?:diff --git|index|---|\+\+\+|(?:new|deleted) file mode 100644\b).*\n/gm,
    "",
  ) + rest;
}

async function reviewFile(
  context: SessionContext,
  session: OpenSession,
  options: {
    readonly input: ReviewInput;
    readonly change: Change;
    readonly trees: Trees;
    readonly shared: ReadonlySet<string>;
  },
): Promise<Reply> {
  const { input, trees, change, shared } = options;
  const path = context.paths.toProject(change.path);
  const { repo } = context;
  const text = await diffOf(createDiffReader(repo, trees, [change]), change);
  const offset = Math.min(input.offset ?? 0, text.length);
  const end = buildPageEnd(text, offset, Math.max(200, input.maxBytes - ROOM_FOR_FRAME_BYTES));
  return {
    ok: true,
    session_id: session.id,
    total_changes: 1,
    changes: [{
      ...buildEntry(context, change, shared),
      diff: text.slice(offset, end),
      ...(offset === 0 ? {} : { offset }),
    }],
    ...(end >= text.length ? {} : {
      truncated: {
        shown: end - offset,
        total: text.length,
        reason: "max_bytes",
        next: { tool: "review_changes", arguments: { path, offset: end } },
      },
    }),
    call: "submit_phase",
    compaction_count: session.state.compactionCount,
  };
}

/** Where a page ends that begins at `offset` and takes at most `room` bytes. */
function buildPageEnd(text: string, offset: number, room: number): number {
  let end = Math.min(text.length, offset + room);
  while (end > offset + 1 && measureJson(text.slice(offset, end)) > room) {
    end = offset + Math.floor((end - offset) * 0.8);
  }
  // A surrogate pair is not cut.
  const isHalf = end < text.length && /[\uD800-\uDBFF]$/.test(text.slice(offset, end));
  return isHalf && end > offset + 1 ? end - 1 : end;
}
