/**
 * Which files a question covers: the `path` of the call inside the project, hidden and ignored files,
 * globs and file types. Every tool uses this, so that all look at the same files.
 */
import { join, relative, sep } from "node:path";
import { makeIoError } from "../base/errors.ts";
import { parseGlob } from "../base/text/glob.ts";
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import { resolveLinkAbove } from "../base/files/project_folder.ts";
import { parentOf, parseRepoPath } from "../base/repo_path.ts";
import { say, tool } from "../base/text/words.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { listFileTypes } from "../backends/ripgrep.ts";
import { comparePaths } from "../backends/text_query.ts";
import { describeCut, walkFiles } from "../backends/regular_files.ts";
import { isOfLanguage, languageByName, LANGUAGES } from "../language/languages.ts";
import type { TextSearchContext } from "../backends/live_context.ts";
import { findNearest } from "../base/text/nearest.ts";
import { findForeignRepository, formatSubmoduleNotice } from "./submodules.ts";

/** What limits the files. */
export interface ScopeInput {
  readonly path?: string;
  readonly includeHidden?: boolean;
  readonly includeIgnored?: boolean;
  readonly globs?: readonly string[];
  readonly fileType?: string;
  readonly language?: string;
}

/** The files of a question, or why there are none to ask. */
export type Scope =
  | {
    readonly kind: "scope";
    /** The `path` as a path of the project. */
    readonly path: string;
    readonly isFile: boolean;
    /** Sorted. */
    readonly files: readonly string[];
    /** The list of the project, where the files are all that it shows below the path. */
    readonly list?: readonly string[];
    readonly notices: readonly string[];
  }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };

type Filter =
  | { readonly kind: "filter"; readonly test: (path: string) => boolean }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };

/** Finds the files of a question. */
export async function resolveScope(
  context: TextSearchContext,
  input: ScopeInput,
  signal?: AbortSignal,
): Promise<Scope> {
  const limits = await resolveLimits(context, input, signal);
  if (limits.kind === "refused") return limits;
  const { path, isFile, covers } = limits;
  // A file that is asked for by name is looked at, whatever the ignore rules say.
  if (isFile) {
    return { kind: "scope", path, isFile, files: covers(path) ? [path] : [], notices: [] };
  }
  const { all, left } = input.includeIgnored === true
    ? await listEverything(context, path, signal)
    : { all: await context.listFiles(signal === undefined ? {} : { signal }), left: [] };
  const isWhole = isUnlimited(input);
  const files = isWhole && path === "."
    ? onceFor(all, () => sortUnique(all.filter(covers)))
    : sortUnique(all.filter(covers));
  const isEmpty = files.length === 0 && path !== "." && input.includeIgnored !== true &&
    !all.some((one) => one.startsWith(`${path}/`));
  const notices = isEmpty ? [await explainEmpty(context.projectRoot, path)] : left;
  return { kind: "scope", path, isFile: false, files, notices, ...(isWhole ? { list: all } : {}) };
}

async function explainEmpty(root: string, path: string): Promise<string> {
  const repository = await findForeignRepository(root, path);
  return repository === null
    ? `"${path}" has no files that git does not ignore; a search that includes ignored files looks into it.`
    : formatSubmoduleNotice(path, repository);
}

function sortUnique(files: readonly string[]): readonly string[] {
  return [...new Set(files)].sort(comparePaths);
}

/** Whether nothing but the path limits the files. */
function isUnlimited(input: ScopeInput): boolean {
  const { includeHidden, includeIgnored, globs, fileType, language } = input;
  return includeHidden !== true && includeIgnored !== true && (globs ?? []).length === 0 &&
    fileType === undefined && language === undefined;
}

/** Sorted lists by the list that they are of: filtering ten thousand paths costs as much as a search. */
const SORTED = new WeakMap<readonly string[], readonly string[]>();

function onceFor(list: readonly string[], make: () => readonly string[]): readonly string[] {
  const known = SORTED.get(list);
  if (known !== undefined) return known;
  const made = make();
  SORTED.set(list, made);
  return made;
}

/** What a question covers, without a list of the files. */
export type Limits =
  | {
    readonly kind: "limits";
    /** The `path` as a path of the project. */
    readonly path: string;
    readonly isFile: boolean;
    /** Whether a file of the project belongs to the question. */
    readonly covers: (path: string) => boolean;
  }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };

/** Reads what a question covers. */
export async function resolveLimits(
  context: TextSearchContext,
  input: ScopeInput,
  signal?: AbortSignal,
): Promise<Limits> {
  const place = await resolvePlace(context, input.path ?? ".", signal);
  const filter = await buildFilter(context, input, place.kind === "place" ? place.path : ".");
  const problems = [place, filter].flatMap((one) => one.kind === "refused" ? one.problems : []);
  if (place.kind === "refused" || filter.kind === "refused") return { kind: "refused", problems };
  const { path, isFile } = place;
  const { test } = filter;
  if (isFile) {
    return { kind: "limits", path, isFile, covers: (one) => one === path && test(one) };
  }
  const prefix = path === "." ? "" : `${path}/`;
  const covers = (one: string) =>
    one.startsWith(prefix) && isShown(one.slice(prefix.length), input) && test(one);
  return { kind: "limits", path, isFile, covers };
}

async function listEverything(
  context: TextSearchContext,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly all: readonly string[]; readonly left: readonly string[] }> {
  let left: readonly string[] = [];
  const files = await walkFiles(join(context.projectRoot, folder), {
    includeIgnored: true,
    maxMs: LIMITS.answerPartMs.value,
    onCut: (cut) => left = describeCut(cut),
    ...(signal === undefined ? {} : { signal }),
  });
  const all = folder === "." ? files : files.map((path) => `${folder}/${path}`);
  return { all, left };
}

function isShown(path: string, input: ScopeInput): boolean {
  // The program's own files answer nobody who does not name their folder.
  const isOwn = path.startsWith(".code-intel/");
  if (!isOwn && (input.includeHidden === true || !/(?:^|\/)\./.test(path))) return true;
  // Who writes a dot into a glob wants the files that it names.
  return input.globs?.some((glob) => !glob.startsWith("!") && /(?:^|\/)\.[^/.]/.test(glob)) ===
    true;
}

type Place =
  | { readonly kind: "place"; readonly path: string; readonly isFile: boolean }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };

/** Reads the `path` of a call and looks at the disk: it must exist and stay inside the project. */
export async function resolvePlace(
  context: TextSearchContext,
  input: string,
  signal?: AbortSignal,
): Promise<Place> {
  const { projectRoot } = context;
  const parsed = parseRepoPath(projectRoot, resolveLinkAbove(projectRoot, input), "path");
  if (parsed.kind === "refused") return { kind: "refused", problems: [parsed.problem] };
  if (context.stored !== undefined && parsed.path !== ".") {
    const found = await context.stored.find(parsed.path);
    return found === null
      ? { kind: "refused", problems: [await makeNotFoundProblem(context, parsed.path, signal)] }
      : { kind: "place", path: parsed.path, isFile: found === "file" };
  }
  const root = context.stored === undefined ? readRealRoot(context.projectRoot) : "";
  if (parsed.path === ".") return { kind: "place", path: ".", isFile: false };
  const found = follow(join(root, parsed.path));
  if (found === null) {
    return { kind: "refused", problems: [await makeNotFoundProblem(context, parsed.path, signal)] };
  }
  const { real, info } = found;
  const inside = relative(root, real).split(sep).join("/");
  const parts = inside.split("/");
  if (parts[0] === ".." || /^[A-Za-z]:/.test(inside) || inside.startsWith("/")) {
    return refusePath(`The path "${parsed.path}" is a link that leads outside the project`);
  }
  if (parts.includes(".git")) {
    return refusePath(`The path "${parsed.path}" belongs to git's own store`);
  }
  if (!info.isFile && !info.isDirectory) {
    return refusePath(`The path "${parsed.path}" is neither a file nor a folder`);
  }
  return { kind: "place", path: inside === "" ? "." : inside, isFile: info.isFile };
}

/** Synchronous: each question asks it, and waiting for another thread takes ten times as long as looking. */
function follow(path: string): { readonly real: string; readonly info: Deno.FileInfo } | null {
  try {
    const real = Deno.realPathSync(path);
    return { real, info: Deno.statSync(real) };
  } catch {
    return null;
  }
}

function readRealRoot(projectRoot: string): string {
  try {
    return Deno.realPathSync(projectRoot);
  } catch (cause) {
    throw makeIoError(`read the project's folder "${projectRoot}"`, cause);
  }
}

function refusePath(message: string): Place {
  return {
    kind: "refused",
    problems: [makeProblem("path_outside", message, {
      at: "path",
      hint: "Name a folder or file inside the project, relative to its root.",
    })],
  };
}

async function makeNotFoundProblem(
  context: TextSearchContext,
  path: string,
  signal: AbortSignal | undefined,
): Promise<Problem> {
  const files = await context.listFiles(signal === undefined ? {} : { signal });
  const near = findNearPaths(path, files);
  return makeProblem("path_not_found", `The path "${path}" does not exist in the project`, {
    at: "path",
    path,
    hint: near.length > 0
      ? say`Perhaps you mean ${near.map((one) => `"${one}"`).join(" or ")}; else look it up with ${
        tool("search_files")
      }.`
      // Not every question that has a path can do without one, so that it is not told to be left out.
      : say`Look the path up with ${tool("search_files")}; \`.\` is the whole project.`,
  });
}

function findNearPaths(path: string, files: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const file of files) {
    for (let at = parentOf(file); at !== "."; at = parentOf(at)) {
      if (folders.has(at)) break;
      folders.add(at);
    }
  }
  const all = [...files, ...folders];
  const whole = findNearest(path, all, { hasShortForms: false });
  if (whole.length > 0) return whole;
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return all.filter((one) => one.toLowerCase().endsWith(`/${name}`)).sort(comparePaths).slice(0, 3);
}

async function buildFilter(
  context: TextSearchContext,
  { globs = [], fileType, language }: ScopeInput,
  base: string,
): Promise<Filter> {
  const filters = [
    ...globs.length === 0 ? [] : [compileGlobs(globs, base)],
    ...fileType === undefined ? [] : [await findTypeFilter(context, fileType)],
    ...language === undefined ? [] : [findLanguageFilter(language)],
  ];
  const problems = filters.flatMap((one) => one.kind === "refused" ? one.problems : []);
  if (problems.length > 0) return { kind: "refused", problems };
  const tests = filters.flatMap((one) => one.kind === "filter" ? [one.test] : []);
  return { kind: "filter", test: (path) => tests.every((test) => test(path)) };
}

function compileGlobs(globs: readonly string[], base: string): Filter {
  const takes: ((path: string) => boolean)[] = [];
  const drops: ((path: string) => boolean)[] = [];
  const problems: Problem[] = [];
  for (const [index, glob] of globs.entries()) {
    const isDrop = glob.startsWith("!");
    const parsed = parseGlob(isDrop ? glob.slice(1) : glob);
    if (parsed.kind === "glob") (isDrop ? drops : takes).push(matchBelowFolder(parsed.test, base));
    else problems.push(makeGlobProblem(glob, parsed.reason, `globs[${index}]`));
  }
  if (problems.length > 0) return { kind: "refused", problems };
  const test = (path: string) =>
    (takes.length === 0 || takes.some((take) => take(path))) && !drops.some((drop) => drop(path));
  return { kind: "filter", test };
}

/** A glob holds for the path in the project, and for the path below the folder that was asked for. */
export function matchBelowFolder(
  test: (path: string) => boolean,
  base: string,
): (path: string) => boolean {
  if (base === ".") return test;
  return (path) => test(path) || (path.startsWith(`${base}/`) && test(path.slice(base.length + 1)));
}

/** The refusal of a glob that cannot be read. */
export function makeGlobProblem(glob: string, reason: string, at: string): Problem {
  return makeProblem(
    "invalid_glob",
    `Cannot use the glob ${JSON.stringify(glob.slice(0, 200))}: ${reason}`,
    {
      at,
      hint: "Globs know `**`, `*`, `?`, `[a-z]` and `{a,b}`, such as `src/**/*.{ts,tsx}`.",
    },
  );
}

async function findTypeFilter(context: TextSearchContext, name: string): Promise<Filter> {
  const known = findKnownFilter(name);
  if (known !== null) return known;
  const rg = await context.backends.rg();
  const types = rg.available && rg.path !== undefined ? await listFileTypes(rg.path) : new Map();
  const globs: readonly string[] | undefined = types.get(name);
  if (globs === undefined) {
    return refuseName("unknown_file_type", name, "file_type", [
      ...languageNames(),
      ...types.keys(),
    ]);
  }
  const tests = globs.map((glob) => parseGlob(glob))
    .flatMap((one) => one.kind === "glob" ? [one.test] : []);
  return { kind: "filter", test: (path) => tests.some((test) => test(path)) };
}

function findLanguageFilter(name: string): Filter {
  return findKnownFilter(name) ?? refuseName("unknown_language", name, "language", languageNames());
}

/** The files of a language that the table knows; null for any other name. */
function findKnownFilter(name: string): Filter | null {
  const language = languageByName(name);
  return language === undefined
    ? null
    : { kind: "filter", test: (path) => isOfLanguage(path, language) };
}

function languageNames(): string[] {
  return LANGUAGES.flatMap((language) => [language.name, ...language.aliases.slice(1)]);
}

function refuseName(code: string, name: string, at: string, known: readonly string[]): Filter {
  const near = findNearest(name, known, { hasShortForms: false });
  const shown = near.length > 0 ? near : LANGUAGES.slice(0, 12).map((language) => language.name);
  const lead = near.length > 0 ? "Perhaps" : "Use a language such as";
  const hint = `${lead} ${shown.join(", ")}; or leave ${at} out.`;
  const problem = makeProblem(code, `${at} "${name.slice(0, 80)}" is not known`, { at, hint });
  return { kind: "refused", problems: [problem] };
}
