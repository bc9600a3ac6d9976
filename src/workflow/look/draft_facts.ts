/** Collects what the server itself saw of a session, for the drafts of its steps; each step gets only what it needs. */
import type { ProjectPath, TreePath } from "../../base/paths.ts";
import { clipLine } from "../../base/text/clip.ts";
import { judgeEvidence } from "../../evidence/check.ts";
import type { LineChanges } from "../../git/trees/changed_lines.ts";
import type { ReportRow, WorkPlace } from "../../phase/draft_work.ts";
import { assignWork, readDone } from "../../phase/draft_work.ts";
import type { DraftFacts } from "../../phase/drafts.ts";
import { countShared } from "../../base/text/shared_words.ts";
import type { Stage } from "../../phase/table/phases.ts";
import { findNextTask } from "../../phase/tasks.ts";
import { readTerms } from "../../question/terms.ts";
import type { SessionRecord } from "../../session/records.ts";
import { listExploredFiles } from "../../session/records.ts";
import type { OpenContext } from "../context/sessions.ts";
import { writePresentTree } from "../context/present_tree.ts";
import { readPathFacts, readProjectLines } from "./disk_facts.ts";
import { buildComparison } from "./gather.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What the facts are collected from. */
export interface DraftInput extends OpenContext {
  /** The agent's one payload; empty where it sent none. */
  readonly sent: Fields;
  /** The working tree as the payload before in this call saw it; null for a new look. */
  readonly tree: string | null;
}

/** The facts, and what of them the reply has to tell. */
export interface GatheredDraft {
  readonly facts: DraftFacts;
  readonly fields: Fields;
}

type Gatherer = (input: DraftInput) => Promise<{
  readonly facts: Omit<DraftFacts, "sent">;
  readonly fields?: Fields;
}>;

/** Collects the facts for the draft of the present step. */
export async function gatherDraft(input: DraftInput): Promise<GatheredDraft> {
  const gathered = await GATHERERS[input.session.state.stage]?.(input);
  return {
    facts: { sent: input.sent, ...gathered?.facts },
    fields: gathered?.fields ?? {},
  };
}

const GATHERERS: Readonly<Partial<Record<Stage, Gatherer>>> = {
  DOCUMENT_RESEARCH: async (input) => ({ facts: await searchDocuments(input) }),
  QUERY_FRAME: async ({ deps, session: { state: { query } } }) => {
    const { symbols: names } = readTerms(query);
    if (names.length === 0) return { facts: {} };
    const measured = await deps.measureSymbols({ symbols: names, target: [], request: query });
    const known = measured.filter(({ source, defined }) =>
      source !== "REJECTED" && source !== "HYPOTHESIS" && (defined?.places.length ?? 0) > 0
    );
    return { facts: { symbols: known.map(({ symbol }) => symbol) } };
  },
  EXPLORATION: async (input) => ({ facts: await listSeen(input) }),
  SEMANTIC: searchByMeaning,
  READY_IMPL: collectWork,
  PRE_COMMIT: describeWork,
};

const MOST_DOCUMENTS = 80;
const MOST_NAMED = 4;
const MOST_RULES = 3;
/** Words of some length that a line shares with the request, so that it speaks of it (guessed). */
const SHARED_WORDS = 2;
const RULE_LINE =
  /\b(?:must|never|always|do not|don't|should|shall|required?|ensure|make sure|only|please)\b/i;
const LINE_CHARS = { least: 20, most: 240 } as const;
/** What tells of work that is over says little of work to come. */
const CHANGE_LOG = /(?:^|\/)(?:change|history|news|release)[^/]*$/i;

/** Searches the documents for the words of the request; the search is on record as the server's. */
async function searchDocuments(input: DraftInput): Promise<Omit<DraftFacts, "sent">> {
  const { deps, session: { state } } = input;
  const listed = (await deps.listDocuments()).documents.filter((path) => !CHANGE_LOG.test(path));
  const rated = await Promise.all(
    listed.slice(0, MOST_DOCUMENTS).map(async (path) => {
      const lines = await readProjectLines(input, path) ?? [];
      const shared = lines.map((line, at) => ({
        source: `${path}:${at + 1}`,
        rule: line.trim(),
        count: countShared(state.query, line),
      })).filter(({ count }) => count >= SHARED_WORDS);
      return { path, shared, best: Math.max(0, ...shared.map(({ count }) => count)) };
    }),
  );
  const near = rated.filter(({ best }) => best > 0).toSorted((a, b) => b.best - a.best)
    .slice(0, MOST_NAMED);
  const rules = near.flatMap(({ shared }) => shared)
    .filter(({ rule }) =>
      RULE_LINE.test(rule) && rule.length >= LINE_CHARS.least && rule.length <= LINE_CHARS.most
    )
    .toSorted((a, b) => b.count - a.count).slice(0, MOST_RULES)
    .map(({ rule, source }) => ({ rule, source }));
  await recordLook(input, "search_text", { total: near.length });
  return { documents: near.map(({ path }) => path), rules };
}

const MOST_SEEN = 40;
const MOST_FINDINGS = 8;
const FINDING_CHARS = 160;

/** Files that were shown or read, and those that changed; of calls what they were asked. */
async function listSeen(input: DraftInput): Promise<Omit<DraftFacts, "sent">> {
  const { sessions, session, paths, trees } = input;
  const { ledger, workspace: { baselineTree } } = session.state;
  const records = await sessions.records(session.id);
  const now = ledger?.tree ?? null;
  const changed = baselineTree === null || now === null || now === baselineTree
    ? []
    : (await trees.diff(baselineTree, now)).map(({ path }) => path);
  const all = [...new Set([...listExploredFiles(records) as readonly TreePath[], ...changed])]
    .map((path) => paths.toProject(path));
  const facts = await readPathFacts(input, all);
  const seen = all.filter((path) => facts[path] === "file").slice(0, MOST_SEEN);
  return { seen, findings: records.flatMap(describeRecord).slice(-MOST_FINDINGS) };
}

/** What a record says of the exploration, in a line. */
function describeRecord(record: SessionRecord): readonly string[] {
  if (record.kind === "explored" && record.via === "hook") {
    return [`Read: ${clipLine(record.paths.join(", "), FINDING_CHARS)}`];
  }
  if (record.kind !== "call" || !record.ok || record.via === "server") return [];
  const { tool, subject, total, files } = record;
  if (files.length === 0 && (total ?? 0) === 0) return [];
  const where = files.length === 0 ? "" : `: ${files.slice(0, MOST_NAMED).join(", ")}`;
  return [clipLine(`${tool} ${subject}, ${total ?? files.length} found${where}`, FINDING_CHARS)];
}

/** Looks for the request by meaning; what is found is told, so that it counts as shown. */
async function searchByMeaning(input: DraftInput) {
  const { deps, paths, session: { state } } = input;
  const places = await deps.findByMeaning(state.query);
  const files = [...new Set(places.map(({ path }) => path))];
  const found = files.map((file) => ({
    file,
    why: places.filter(({ path }) => path === file).map(({ name, line }) => `${name} :${line}`)
      .join(", "),
  }));
  await recordLook(input, "semantic_search", {
    total: places.length,
    files: files.flatMap((path) => {
      const resolved = paths.toWorktree(path);
      return resolved.kind === "path" ? [resolved.path] : [];
    }),
  });
  return {
    facts: { found },
    fields: found.length === 0
      ? {}
      : { found_by_meaning: places.map(({ path, name, line }) => `${path}:${line} ${name}`) },
  };
}

/** What the server looked at for a draft is on record as its own: no agent can claim to have called it. */
async function recordLook(
  { sessions, session: { id, state: { visit, stage } } }: DraftInput,
  tool: string,
  { total, files = [] }: { readonly total: number; readonly files?: readonly TreePath[] },
): Promise<void> {
  await sessions.record(id, {
    kind: "call",
    visit,
    stage,
    tool,
    argsHash: "",
    subject: "",
    ok: true,
    total,
    files,
    symbols: [],
    durationMs: 0,
    via: "server",
  });
}

/** More places are no evidence that anybody reads; the largest are kept. */
const MOST_PLACES = 60;
const MOST_BEYOND = 10;
const TEXT_LINES = 60;

/** The changed places by the item of the due task that they show; what no item asks for is told. */
async function collectWork(input: DraftInput) {
  const { trees, sent, session: { state } } = input;
  const task = findNextTask(state.tasks);
  const from = state.workspace.baselineTree;
  const to = input.tree ?? await writePresentTree(input);
  if (task === null || from === null || to === null) return { facts: {} };
  const changed = await trees.changedLines(from, to);
  const places = (await Promise.all(
    [...changed.values()].map((lines) => listPlaces(input, lines, { from, to })),
  )).flat();
  const used = new Set(
    state.tasks.flatMap(({ checklist }) => checklist.map(({ evidence }) => evidence ?? "")),
  );
  const items = task.checklist.map(({ item }) => item);
  // Another task accounts for a removed test that is evidence already.
  const isDue = (one: WorkPlace) =>
    one.evidence.endsWith(":deleted") && items.some((item) => item.endsWith(` ${one.path}`));
  const work = places.filter((one) =>
    isDue(one) || ![...used].some((text) => text.includes(one.evidence))
  )
    .toSorted((a, b) => b.size - a.size).slice(0, MOST_PLACES)
    .toSorted((a, b) => places.indexOf(a) - places.indexOf(b));
  // One text speaks of the request, and not of what the server made a task of later.
  const isOfRequest = state.tasks.length === 1 || typeof sent["done"] !== "string";
  const { rows, beyond } = assignWork(items, isOfRequest ? readDone(sent, items) : {}, work);
  const report = await Promise.all(rows.map((row) =>
    keepStanding(input, row, {
      tree: to,
      about: task.description,
    })
  ));
  return {
    facts: { report },
    fields: beyond.length === 0
      ? {}
      : { of_no_clause: beyond.slice(0, MOST_BEYOND).map(({ evidence }) => evidence) },
  };
}

/** What the index says of the work, which nobody else looks up before it is committed. */
async function describeWork({ deps, tree, trees, paths, session: { state } }: DraftInput) {
  const { workspace: { baselineTree: from }, ledger } = state;
  const to = tree ?? ledger?.tree ?? null;
  if (from === null || to === null) return { facts: {} };
  const files = (await trees.diff(from, to)).map(({ path }) => paths.toProject(path));
  const found = await deps.describeDiff(files, to);
  return {
    facts: {},
    fields: Object.keys(found).length === 0 ? {} : { diff_facts: found },
  };
}

/** An item with those of its places that are evidence: no comment alone, no empty body. */
async function keepStanding(
  input: DraftInput,
  { item, places, said }: ReportRow,
  { tree, about }: { readonly tree: string; readonly about: string },
): Promise<ReportRow> {
  const words = [item, about, said ?? ""];
  const judged = places.map(({ evidence }) => ({ evidence, words }));
  const fallen = await judgeEvidence(buildComparison(input, tree), judged);
  return {
    item,
    said,
    places: places.filter((_, at) => !fallen.has(at)),
    fallen: places.filter((_, at) => fallen.has(at)),
  };
}

/** The changed places of a file. */
async function listPlaces(
  { trees, paths }: DraftInput,
  { change, hunks, isBinary }: LineChanges,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly (WorkPlace & { readonly size: number })[]> {
  const path: ProjectPath = paths.toProject(change.path);
  const whole = (kind: string) => [{ evidence: `${path}:${kind}`, path, text: path, size: 1 }];
  if (change.kind === "deleted") return whole("deleted");
  if (isBinary) return whole("binary");
  if (hunks.length === 0) {
    return change.kind === "renamed" ? whole("renamed") : change.modeChanged ? whole("mode") : [];
  }
  const [before, after] = await Promise.all([
    trees.readText(from, change.from ?? change.path),
    trees.readText(to, change.path),
  ]);
  const [old, now] = [before ?? "", after ?? ""].map((text) => text.split("\n"));
  return hunks.map(({ oldStart, oldCount, newStart, newCount }) => {
    const start = Math.max(1, newStart);
    const end = newStart + newCount - 1;
    const gone = (old ?? []).slice(oldStart - 1, oldStart - 1 + Math.min(oldCount, TEXT_LINES));
    const came = (now ?? []).slice(start - 1, start - 1 + Math.min(newCount, TEXT_LINES));
    return {
      evidence: end > start ? `${path}:${start}-${end}` : `${path}:${start}`,
      path,
      text: [...came, ...gone].join("\n"),
      size: oldCount + newCount,
    };
  });
}
