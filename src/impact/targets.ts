/** What changes: the files, symbols or lines of the question, as definitions of the index. */
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import { folderOf } from "../base/repo_path.ts";
import { formatCount } from "../base/text/plain_text.ts";
import { argument, say, tool } from "../base/text/words.ts";
import { comparePaths } from "../backends/text_query.ts";
import type { IndexView, SymbolHit } from "../index/read/view.ts";
import { formatNoGrammarNotices } from "../explore/index_access.ts";
import { filterByPageSign, languageOfPath } from "../language/languages.ts";
import type { IndexFacts } from "../resolve/index_facts.ts";
import type { FileDiff } from "./diff.ts";
import type { Seeds } from "./affected.ts";
import { parentName } from "../resolve/hit_names.ts";
import { splitName } from "../explore/names/symbol_name.ts";
import { isVisible, symbolKey } from "./symbol_shape.ts";

/** What is known of one target. */
export interface Target {
  readonly path: string;
  /**
   * `whole`: every definition of the file; `symbols`: some; `removed`: it is gone; `new`: it is not there yet, so that
   * nothing depends on it; `not_indexed`: nothing is known of its contents.
   */
  readonly scope: "whole" | "symbols" | "removed" | "new" | "not_indexed";
  /** Qualified names of the definitions that change, in order. */
  readonly symbols: readonly string[];
}

/** The targets and what the graph starts from. */
export interface Targets {
  readonly targets: readonly Target[];
  readonly seeds: Seeds;
  readonly notices: readonly string[];
}

/** What is asked, with paths of the project. */
export interface TargetInput {
  readonly files: readonly string[];
  readonly symbols: readonly string[];
  readonly diff: readonly FileDiff[];
}

/** Targets, or why they cannot be found. */
export type TargetResult =
  | ({ readonly kind: "targets" } & Targets)
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };

const MAX_TARGET_FILES = 200;
const MAX_SAME_NAMED = 20;

/** What targets are looked for in. */
export type TargetFacts = Pick<IndexFacts, "view" | "findByOtherName">;

/** Finds the definitions of a question. */
export function findTargets(facts: TargetFacts, input: TargetInput): TargetResult {
  const { view } = facts;
  const targets = new Map<string, Target>();
  const symbols = new Map<string, SymbolHit>();
  const whole = new Set<string>();
  const notices: string[] = [];
  const problems: Problem[] = [];
  const add = (hits: readonly SymbolHit[]) =>
    hits.forEach((hit) => symbols.set(symbolKey(hit), hit));
  const files = expandFolders(view, input.files, notices);
  if (input.symbols.length === 0) {
    for (const path of files) {
      const found = readWholeFile(view, path);
      targets.set(path, found.target);
      if (found.target.scope === "new") notices.push(...findMeantFiles(view, path));
      add(found.hits);
      if (found.target.scope === "whole") whole.add(path);
    }
  }
  for (const name of input.symbols) {
    const found = findByName(facts, name, files);
    if (found.kind === "refused") problems.push(found.problem);
    else {
      add(found.hits);
      notices.push(...found.notices);
      for (const [path, own] of Map.groupBy(found.hits, (hit) => hit.path)) {
        targets.set(path, joinTarget(targets.get(path), path, own));
      }
    }
  }
  for (const file of input.diff) {
    add(file.symbols);
    targets.set(file.path, {
      path: file.path,
      scope: file.scope,
      symbols: file.symbols.map(({ qualifiedName }) => qualifiedName),
    });
    if (file.scope === "removed" || file.scope === "whole") whole.add(file.path);
  }
  if (problems.length > 0) return { kind: "refused", problems };
  const sorted = [...targets.values()].sort((a, b) => comparePaths(a.path, b.path));
  const seeds = { symbols: [...symbols.values()], files: [...whole] };
  return { kind: "targets", targets: sorted, seeds, notices };
}

function joinTarget(
  known: Target | undefined,
  path: string,
  hits: readonly SymbolHit[],
): Target {
  const names = hits.map(({ qualifiedName }) => qualifiedName);
  return { path, scope: "symbols", symbols: [...new Set([...known?.symbols ?? [], ...names])] };
}

function readWholeFile(
  view: IndexView,
  path: string,
): { readonly target: Target; readonly hits: readonly SymbolHit[] } {
  if (view.getFile(path) === null) {
    const isSkipped = view.listSkipped().some((one) => one.path === path);
    return { target: { path, scope: isSkipped ? "not_indexed" : "new", symbols: [] }, hits: [] };
  }
  const all = view.listSymbols(path);
  const hits = all.filter((hit) => isVisible(hit, all));
  const symbols = hits.map(({ qualifiedName }) => qualifiedName);
  return { target: { path, scope: "whole", symbols }, hits };
}

/**
 * What a path means that is no file. A path that begins in a folder of the project is completed. The name of a symbol
 * leads to its definition.
 */
function findMeantFiles(view: IndexView, path: string): readonly string[] {
  const all = view.listFiles().map((file) => file.path);
  const folder = folderOf(path);
  const name = path.slice(folder.length).toLowerCase();
  // A file may be made in a folder that is there, whatever others are called.
  const isFolder = folder === "" || all.some((file) => file.startsWith(`${folder}/`));
  const isMeant = (file: string) =>
    file.endsWith(`/${path}`) || path.endsWith(`/${file}`) ||
    (!isFolder && `/${file}`.toLowerCase().endsWith(name));
  const meant = all.filter(isMeant).slice(0, 3).map((file) => `"${file}"`);
  if (meant.length > 0) {
    return [
      `There is no file "${path}": paths begin at the top of the project. Perhaps you mean ${
        meant.join(" or ")
      }.`,
    ];
  }
  if (path.includes("/")) return [];
  const { hits, total } = view.findSymbols({ name: path, limit: 1 });
  const [first] = hits;
  if (first === undefined) return [];
  const where = `${first.path}:${first.line}${total === 1 ? "" : `, and ${total - 1} more`}`;
  return [
    `There is no file "${path}", but a definition of that name (${where}). To ask what uses it, name it in symbols.`,
  ];
}

/** A folder stands for the files below it. */
function expandFolders(
  view: IndexView,
  paths: readonly string[],
  notices: string[],
): readonly string[] {
  const needsList = paths.some((path) => view.getFile(path) === null);
  const all = needsList ? view.listFiles().map(({ path }) => path) : [];
  const files = paths.flatMap((path) => {
    const below = all.filter((file) => path === "." || file.startsWith(`${path}/`));
    return below.length > 0 ? below : [path];
  });
  const each = [...new Set(files)];
  if (each.length <= MAX_TARGET_FILES) return each;
  notices.push(
    `${each.length} files are targets; the first ${MAX_TARGET_FILES} are analysed. Name a smaller folder.`,
  );
  return each.slice(0, MAX_TARGET_FILES);
}

type Named =
  | {
    readonly kind: "found";
    readonly hits: readonly SymbolHit[];
    readonly notices: readonly string[];
  }
  | { readonly kind: "refused"; readonly problem: Problem };

/** `login`, `Auth.login` or `Auth::login`, in the given files or anywhere. */
function findByName(facts: TargetFacts, name: string, files: readonly string[]): Named {
  const { view } = facts;
  const parts = splitName(name.replace(/\(\)$/, ""));
  const plain = parts.at(-1) ?? name;
  const holder = parts.at(-2);
  const signed = plain === name ? [] : view.findSymbols({ name }).hits;
  const unsigned = view.findSymbols({ name: plain }).hits
    .filter((hit) => holder === undefined || parentName(hit) === holder);
  const named = filterByPageSign(name, [...signed, ...unsigned]);
  const renamed = named.length > 0 || holder !== undefined ? [] : facts.findByOtherName(plain);
  const all = named.length > 0 ? named : renamed.map(({ hit }) => hit);
  const hits = files.length === 0 ? all : all.filter(({ path }) => files.includes(path));
  if (hits.length === 0) {
    return { kind: "refused", problem: makeMissingProblem(view, { name, all, files }) };
  }
  const shown = hits.slice(0, MAX_SAME_NAMED);
  const places = shown.map(({ path, line }) => `${path}:${line}`).join(", ");
  const notices = hits.length === 1 ? [] : [
    `${hits.length} definitions are called ${name}; all are taken as targets: ${places}. Name the target file, or Type.${plain}, for one of them.`,
  ];
  return { kind: "found", hits, notices };
}

function makeMissingProblem(
  view: IndexView,
  { name, all, files }: {
    readonly name: string;
    readonly all: readonly SymbolHit[];
    readonly files: readonly string[];
  },
): Problem {
  const near = view.findSymbols({ name, match: "words", limit: 3 }).hits
    .map(({ qualifiedName }) => qualifiedName);
  const elsewhere = all.slice(0, 3).map(({ path, line }) => `${path}:${line}`);
  const hint = elsewhere.length > 0
    ? say`It is defined in ${elsewhere.join(", ")}: correct \`${
      argument("target_files")
    }\`, or leave them out.`
    : near.length > 0
    ? say`Perhaps you mean ${[...new Set(near)].join(" or ")}; else look it up with ${
      tool("find_definitions")
    }.`
    : say`Look the name up with ${tool("find_definitions")}, or give \`${
      argument("target_files")
    }\` instead.`;
  const where = files.length === 0 ? "the project" : "the target files";
  return makeProblem("symbol_not_found", `No definition of "${name}" in ${where}`, {
    at: "symbols",
    hint,
  });
}

const MAX_NAMED_TARGETS = 3;

/** What the graph cannot show of the targets: without these sentences an empty answer would look like the truth. */
export function listUnseen(
  targets: readonly Target[],
  unfollowed: readonly string[],
): readonly string[] {
  const leftOut = targets.filter(({ scope }) => scope === "not_indexed").map(({ path }) => path);
  return [
    ...formatNoGrammarNotices(targets.map(({ path }) => languageOfPath(path)?.name)),
    ...(unfollowed.length === 0 ? [] : [
      `${unfollowed.join(", ")}: what uses these names is not followed; search the text for them.`,
    ]),
    ...(leftOut.length === 0 ? [] : [
      `${formatCount(leftOut.length, "target is", "targets are")} not in the index (${
        leftOut.slice(0, MAX_NAMED_TARGETS).join(", ")
      }): what uses ${leftOut.length === 1 ? "it" : "them"} is not known.`,
    ]),
  ];
}
