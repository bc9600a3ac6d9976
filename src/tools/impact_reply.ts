/**
 * Makes the reply of an analysis of impact within the budget of the call: first what must be
 * decided, then the tests, then the other places. Places are left out before files;
 * `truncated.next` returns the files that were left out.
 */
import { formatCount } from "../base/text/plain_text.ts";
import { clip } from "../base/text/clip.ts";
import { measureJson } from "../base/text/json_record.ts";
import { LIMITS } from "../base/settings/limits.ts";
import type { OkReply } from "../base/reply.ts";
import type { Words } from "../base/text/words.ts";
import { argument, say, use } from "../base/text/words.ts";
import type { AffectedFile, Edge } from "../impact/affected.ts";
import type { ImpactFound } from "../impact/analyze.ts";
import { toWire } from "./budget.ts";
import { formatFreshness, toOtherFields } from "./explore_fields.ts";
import { buildTests } from "./impact_tests.ts";
import type { OtherAnswer } from "../services/other_repositories.ts";

/** What the reply needs beside the analysis. */
export interface ImpactReplyOptions {
  readonly maxBytes: number;
  /** Arguments of the call, for the call that returns the rest. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly offset: number;
  readonly maxResults: number;
  readonly depth: number;
  /** Who uses what changes in other repositories. */
  readonly other: OtherAnswer;
  /** Fields about the session; empty outside a session. */
  readonly session: Readonly<Record<string, unknown>>;
  /** True in step 11, where each entry of must_verify needs a decision. */
  readonly isEnforced: boolean;
}

/** A reply, and for the records the files whose lines it shows with the symbols that they use. */
export interface ImpactReply {
  readonly reply: OkReply;
  readonly shown: readonly { readonly path: string; readonly symbols: readonly string[] }[];
}

/** How a decision looks, for step 11. */
const SCHEMA = {
  decisions: [{
    path: "file or glob",
    status: "will_modify | no_change_needed | not_affected",
    reason: "needed unless will_modify",
  }],
};
/** How many places of a file are shown: the first number with which the reply fits. */
const DETAILS = [3, 1, 0] as const;
/** Places in the targets themselves: all of one much used function, as a rule. */
const MAX_OWN = 20;
const CONTEXT_CHARS = 100;
const MAX_TARGETS = 20;
const MAX_TARGET_SYMBOLS = 12;
const MAX_NOTICES = 10;
const MAX_BESIDE = 20;
const MAX_LIKELY = 6;
const MAX_LIKELY_BRIEF = 4;
/** Below it a file is among hundreds that are as likely. */
const MIN_LIKELY_SHARE = 0.01;
/** One commit of several may have changed anything. */
const ONCE = /^1 of (?!1 )\d+ commits$/;
const MAX_GROUP_FILES = 5;
/** Bytes kept free for the fields that every reply gets later. */
const SPARE_BYTES = 64;

/** Builds the reply. */
export function buildImpactReply(found: ImpactFound, options: ImpactReplyOptions): ImpactReply {
  const room = options.maxBytes - SPARE_BYTES;
  const page = found.files.slice(options.offset, options.offset + options.maxResults);
  for (const isBrief of [false, true]) {
    for (const places of DETAILS) {
      const reply = build(found, { ...options, page, places, isBrief });
      if (measureJson(reply) <= room) return { reply, shown: listShown(page, places) };
    }
  }
  let [low, high] = [0, page.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const part = page.slice(0, middle);
    const reply = build(found, { ...options, page: part, places: 0, isBrief: true });
    if (measureJson(reply) <= room) low = middle;
    else high = middle - 1;
  }
  // A page has at least one file, however small the budget is, so that each next call gets further.
  const part = page.slice(0, Math.max(1, low));
  return { reply: build(found, { ...options, page: part, places: 0, isBrief: true }), shown: [] };
}

interface BuildOptions extends ImpactReplyOptions {
  readonly page: readonly AffectedFile[];
  readonly places: number;
  /** True where parts that can be asked for again are left out. */
  readonly isBrief: boolean;
}

function build(found: ImpactFound, options: BuildOptions): OkReply {
  const { page, offset, isBrief } = options;
  const must = found.files.filter(isListed).length;
  const grouped = found.files.filter(({ group }) => group !== undefined).length;
  const missing = findMissing(found);
  const notices = [
    ...missing === null ? [] : [missing],
    ...listUnresolved(found),
    ...found.notices,
  ];
  return {
    ok: true,
    ...options.session,
    confirmation_required: buildConfirmation(found, options),
    ...buildLikely(found, options),
    ...toOtherFields(options.other),
    affected_tests: buildTests(found, options),
    impact_analysis: buildAnalysis(found, options),
    next_steps: listNextSteps(found, options),
    must_verify_total: must,
    should_verify_total: found.files.length - must - grouped,
    total: found.files.length,
    ...buildTruncated(found, options),
    source: found.isProven ? "index+scip" : "index",
    freshness: formatFreshness(found.freshness),
    // One at least on each page: an answer without notices is called complete.
    ...(notices.length === 0
      ? {}
      : { notices: notices.slice(0, isBrief && offset > 0 ? 1 : MAX_NOTICES) }),
    ...(page.length > 0 && options.places === 0
      ? {
        note: say`Places are left out for the budget; raise \`${
          argument("max_bytes")
        }\`, or name fewer targets.`,
      }
      : {}),
  };
}

/** Files of which each needs a decision of its own. */
function isListed({ isMust, group }: AffectedFile): boolean {
  return isMust && group === undefined;
}

/** The groups of an answer by their names, each decided about at once. */
export function groupByRepository(
  files: readonly AffectedFile[],
): readonly { readonly name: string; readonly files: readonly string[] }[] {
  const groups = Map.groupBy(files, ({ group }) => group);
  return [...groups].flatMap(([name, own]) =>
    name === undefined ? [] : [{ name, files: own.map(({ path }) => path) }]
  );
}

/** On the first page: which files may have to change too, with the reason of each. */
function buildLikely(
  { likely, hasPast, company }: ImpactFound,
  { offset, isBrief }: BuildOptions,
) {
  const usual = company.map(({ path, with: other, times, of }) => ({
    file: path,
    why: `changed in ${times} of ${of} commits with ${other}`,
  }));
  const ranked = (hasPast ? likely : []).slice(0, isBrief ? MAX_LIKELY_BRIEF : MAX_LIKELY)
    .filter(({ share, reasons }) =>
      share >= MIN_LIKELY_SHARE && reasons.some((reason) => !ONCE.test(reason))
    )
    .map(({ path, reasons }) => ({ file: path, why: reasons.join("; ") }));
  // A plain fact stays, whatever the learned order makes of it.
  const known = new Set(ranked.map(({ file }) => file));
  const rows = [...ranked, ...usual.filter(({ file }) => !known.has(file))];
  return offset > 0 || rows.length === 0 ? {} : { likely_changes: rows };
}

function buildConfirmation(found: ImpactFound, { page, depth, offset, isEnforced }: BuildOptions) {
  const groups = groupByRepository(found.files).map(({ name, files }) => ({
    path: name,
    total: files.length,
    files: files.slice(0, MAX_GROUP_FILES),
    decide: "once for all, by this path",
  }));
  const must = page.filter(isListed).map(({ path }) => path);
  const should = page.filter(({ isMust }) => !isMust).map(({ path }) => path);
  const inference = listInferenceNotes(found, { isEnforced });
  return {
    must_verify: must,
    ...(groups.length === 0 || offset > 0 ? {} : { must_verify_groups: groups }),
    should_verify: should,
    ...(inference.length === 0 ? {} : { llm_should_infer: inference }),
    ...(depth > 1
      ? {}
      : { indirect_note: "Only direct dependents were followed; depth 2 or 3 follows theirs." }),
    ...(isEnforced ? { schema: SCHEMA } : {}),
  };
}

/** Calls by name alone: an answer with them is not complete. */
function listUnresolved(found: ImpactFound): readonly string[] {
  const { unresolved } = found;
  const judged = hasShould(found) ? ": judge those in should_verify" : "";
  return unresolved === 0 ? [] : [
    `${
      formatCount(unresolved, "call has", "calls have")
    } the name of a changed symbol and no certain target${judged}.`,
  ];
}

/**
 * Hints at what no graph of code can know (such as configuration or callers outside), so that the
 * agent thinks of it.
 */
function listInferenceNotes(
  found: ImpactFound,
  { isEnforced }: { readonly isEnforced: boolean },
): readonly string[] {
  const { mode, targets } = found;
  return [
    // Outside of step 11 nobody decides by these.
    ...(!isEnforced
      ? []
      : mode === "relaxed_markup"
      ? ["Pages and styles that look alike without sharing a name."]
      : [
        "What names a symbol in a string or by reflection: routes, containers, templates, configuration.",
        "Conventions of the framework in the project's rules (views, migrations, translations).",
      ]),
    ...(targets.some(({ scope }) => scope === "new") ? ["Files that will use the new ones."] : []),
  ];
}

/** Whether files are listed that depend on the change less certainly. */
function hasShould({ files }: ImpactFound): boolean {
  return files.some(({ isMust }) => !isMust);
}

function buildAnalysis(found: ImpactFound, options: BuildOptions) {
  const { page, places, offset, isBrief, depth } = options;
  const { naming, documents, crossReferences, mode } = found;
  const rows = page.flatMap(({ path, edges }) =>
    edges.slice(0, places).map((edge) => ({ edge, text: formatCaller(path, edge, found) }))
  );
  const isType = ({ edge: { kind } }: { readonly edge: Edge }) =>
    kind === "type" || kind === "inherit";
  const hints = rows.filter(isType).map(({ text }) => text);
  const named = Object.entries(naming).filter(([, paths]) => paths.length > 0)
    .map(([kind, paths]) => [kind, paths.slice(0, MAX_BESIDE)]);
  const hasCross = Object.values(crossReferences).some((list) => list.length > 0);
  return {
    mode,
    depth,
    targets: found.targets.slice(0, MAX_TARGETS).map(({ path, scope, symbols }) => ({
      path,
      scope,
      symbols: symbols.slice(0, isBrief ? 0 : MAX_TARGET_SYMBOLS),
      ...(symbols.length > (isBrief ? 0 : MAX_TARGET_SYMBOLS)
        ? { symbols_total: symbols.length }
        : {}),
    })),
    ...(found.targets.length > MAX_TARGETS ? { targets_total: found.targets.length } : {}),
    static_references: {
      callers: rows.filter((row) => !isType(row)).map(({ text }) => text),
      ...(hints.length === 0 ? {} : { type_hints: hints }),
      ...buildOwnCallers(found, options),
    },
    unresolved: found.unresolved,
    // These fields belong to the whole answer, so only the first page has them.
    ...(offset > 0 || named.length === 0
      ? {}
      : { naming_convention_matches: Object.fromEntries(named) }),
    ...(offset > 0 || documents.length === 0 || isBrief
      ? {}
      : { document_mentions: documents.map(formatMention) }),
    ...(offset > 0 || !hasCross || isBrief ? {} : { cross_references: toWire(crossReferences) }),
    ...(mode === "standard" ? {} : {
      reason: "All targets are markup alone: nothing must be verified.",
      inference_hint: "Look at the pages and scripts of cross_references.",
    }),
  };
}

/** Callers in the files that change, on the first page; they need no decision of their own. */
function buildOwnCallers(found: ImpactFound, { offset, places }: BuildOptions) {
  const { own } = found;
  if (own.length === 0 || offset > 0 || places === 0) return {};
  const shown = own.slice(0, MAX_OWN);
  return {
    same_file: shown.map((edge) => formatCaller(edge.path, edge, found)),
    ...(shown.length < own.length ? { same_file_total: own.length } : {}),
  };
}

/** A place in one line, with what is out of the ordinary: `a.ts:3 call login in Form.send (name, step 2): login();` */
function formatCaller(path: string, edge: Edge, { lines }: ImpactFound): string {
  const { line, kind, symbol, within, through, confidence, depth } = edge;
  const text = lines.get(path)?.[line - 1]?.trim() ?? "";
  const remarks = [
    ...(through === undefined ? [] : [`through ${through}`]),
    ...(confidence === "resolved" ? [] : [confidence]),
    ...(depth === 1 ? [] : [`step ${depth}`]),
  ];
  return [
    `${path}:${line} ${kind} ${symbol}`,
    within === undefined ? "" : ` in ${within}`,
    remarks.length === 0 ? "" : ` (${remarks.join(", ")})`,
    text === "" ? "" : `: ${clip(text, CONTEXT_CHARS)}`,
  ].join("");
}

/** A document with how often it has a keyword, and the first lines that have one: `README.md: 9 (3, 12, 40)`. */
function formatMention(
  { file, matchCount, sampleLines }: ImpactFound["documents"][number],
): string {
  return `${file}: ${matchCount} (${sampleLines.map(({ line }) => line).join(", ")})`;
}

/** Targets of which none is there, as a sentence: an answer about them is not complete. */
function findMissing({ targets }: ImpactFound): string | null {
  const isNone = targets.length > 0 && targets.every(({ scope }) => scope === "new");
  const names = clip(targets.map(({ path }) => path).join(", "), CONTEXT_CHARS);
  return isNone ? `Not found in the project: ${names}.` : null;
}

function listNextSteps(
  found: ImpactFound,
  { isEnforced, session, other }: BuildOptions,
): readonly Words[] {
  const hasMust = found.files.some(({ isMust }) => isMust);
  const run = found.testRun === null ? [] : ["Run affected_tests.command after the change."];
  if (findMissing(found) !== null) {
    const none = "What was not found is still to be made, or its path is another one.";
    return isEnforced
      ? [say`${none} ${use("submit_phase")} with impact_summary: {"decisions": []}.`]
      : [none];
  }
  if (!isEnforced) {
    const look = hasMust
      ? `Look at each file of must_verify before the change${
        hasShould(found) ? ", then at those of should_verify that it can break" : ""
      }.`
      : `${formatNothing(found, other)}${
        other.others.length === 0 ? "" : "; other_repositories names who uses them elsewhere"
      }.`;
    return [look, ...run];
  }
  const decide = hasMust
    ? `Decide for every file of must_verify${
      groupByRepository(found.files).length === 0 ? "" : " and every group of must_verify_groups"
    }, on all pages; globs such as tests/** decide for many.`
    : `Nothing must be decided${
      hasShould(found) ? "; decide for files of should_verify that you will modify" : ""
    }.`;
  const before = session["current_phase"] === undefined
    ? ""
    : " Analyse every file that you will modify first.";
  return [
    `${decide}${before}`,
    say`Then ${use("submit_phase")} with impact_summary as in schema.`,
    ...run,
  ];
}

/** Said where nothing must be verified, which is not known of a language whose names nothing follows. */
function formatNothing(found: ImpactFound, { others }: OtherAnswer): string {
  const { unfollowed } = found;
  const should = hasShould(found) ? "; look at should_verify" : "";
  return unfollowed.length > 0
    ? `What depends on the targets is not known (${unfollowed.join(", ")})${should}${
      should === "" ? ";" : ", and"
    } search the text for their names`
    : `Nothing ${others.length === 0 ? "" : "here "}certainly depends on the targets${should}`;
}

function buildTruncated(
  found: ImpactFound,
  options: BuildOptions,
): Readonly<Record<string, unknown>> {
  const { page, offset, maxResults } = options;
  const end = offset + page.length;
  if (end >= found.files.length) return {};
  return {
    truncated: {
      shown: page.length,
      total: found.files.length,
      reason: page.length < maxResults ? "max_bytes" : "max_results",
      next: { tool: "analyze_impact", arguments: { ...options.arguments, offset: end } },
    },
  };
}

function listShown(page: readonly AffectedFile[], places: number): ImpactReply["shown"] {
  if (places === 0) return [];
  return page.filter(({ edges }) => edges.length > 0).slice(0, LIMITS.recordNames.value)
    .map(({ path, edges }) => ({
      path,
      symbols: [
        ...new Set(edges.slice(0, places).map(({ symbol }) => symbol.split(".").at(-1) ?? symbol)),
      ],
    }));
}
