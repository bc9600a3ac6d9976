/** Reads the lines that a session added for what should not be committed unseen. */
import { anyOf } from "../../base/text/any_of.ts";
import { CACHE_FOLDERS } from "../../runners/runners.ts";
import type { TreePath } from "../../base/paths.ts";
import type { Repository } from "../../git/repository.ts";
import { readBlobText } from "../../git/trees/changes.ts";
import { clip } from "../../base/text/clip.ts";
import type { Language } from "../../language/languages.ts";
import { languageOfPath } from "../../language/languages.ts";
import { splitComments } from "../../language/mask.ts";
import { isTestSide } from "../../language/test_names.ts";
import { readCode } from "../../syntax/code_parts.ts";
import { isCommentedOut, isOpenMark, readCommentText } from "./comments.ts";
import { isPrinter, readOutput } from "./outputs.ts";

/** What was left behind. */
export type LeftoverKind =
  | "debug_output"
  | "commented_out"
  | "open_mark"
  | "secret"
  | "conflict_marker"
  | "stray_file";

/** What each means, for whoever has to answer. */
export const LEFTOVERS: Readonly<Record<LeftoverKind, string>> = {
  debug_output: "output for debugging",
  commented_out: "code in a comment",
  open_mark: "an open mark such as TODO",
  secret: "what looks like a secret",
  conflict_marker: "a marker of a merge conflict",
  stray_file: "a file that looks left behind",
};

/** Forms of keys that services give out; each is a secret by its form. */
const KEY_FORMS = anyOf(
  /\b(?:A(?:KIA|SIA)[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{30,}|glpat-[\w-]{20,})/g,
  /\b(?:xox[abeprs]-[\w-]{10,}|sk-(?:proj-|ant-\w+-)?[\w-]{24,}|[rs]k_live_\w{16,}|AIza[\w-]{35})/,
  /\b(?:ya29\.[\w-]{20,}|npm_[A-Za-z0-9]{36}|pypi-[\w-]{40,}|SG\.[\w-]{16,}\.[\w-]{16,})/,
  /\b(?:dop_v1_[0-9a-f]{40,}|hf_[A-Za-z0-9]{30,}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,})/,
  /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----/,
  /\b[a-z][a-z+]*:\/\/[^\s:@/"'`{$<]+:[^\s:@/"'`{$<]{4,}@[\w.-]+/,
);
/** Names that hold secrets. */
const SECRET_NAME =
  "\\b[\\w-]*(?:passw(?:or)?d|passphrase|secret(?:_?key)?|client_?-?secret|credentials?|" +
  "(?:api|access|private)_?-?key|(?:auth|access)_?-?token)";
/** A value of such a name in quotes. */
const QUOTED_VALUE = new RegExp(
  `${SECRET_NAME}["']?\\s*(?::=|=>|[:=])\\s*["'\`]([^"'\`\\s]{8,})["'\`]`,
  "gi",
);
/** One without quotes, as shells, settings and images have it: to the end of the line or of the word. */
const BARE_VALUE = new RegExp(
  `(?:${SECRET_NAME}["']?\\s*[:=]|\\bENV\\s+${SECRET_NAME})\\s*([^"'\`\\s;,#$<>(){}[\\]/\\\\]{8,})(?=\\s|;|$)`,
  "gi",
);
/** Values that stand for one. */
const STAND_IN = anyOf(
  /example|sample|change_?-?me|placeholder|dummy|fake|test|mock|redacted|your[-_]|xxx|\*\*\*|\.\.\./i,
  /<[^>]*>|\$\{|\{\{|%\w|^\$|^process\.|^env\.|^(.)\1*$|localhost|127\.0\.0\.1/,
  /^(?:password|secret|passwd|api_?key|token)$|:(?:user|pass|password|postgres|root)@/,
);

/**
 * The secrets of a line.
 *
 * @param options `isBare` where values stand without quotes: in shells, settings, images.
 */
export function findSecrets(
  line: string,
  { isTest, isBare = false }: { readonly isTest: boolean; readonly isBare?: boolean },
): readonly string[] {
  const keys = [...line.matchAll(KEY_FORMS)].map(([key]) => key)
    .filter((key) => !STAND_IN.test(key));
  if (isTest) return keys;
  const quoted = [...line.matchAll(QUOTED_VALUE)].map(([, value = ""]) => value)
    .filter((value) => /[0-9\W_]|[a-z][A-Z]/.test(value));
  // Without quotes it may as well be the name of something.
  const bare = !isBare ? [] : [...line.matchAll(BARE_VALUE)].map(([, value = ""]) => value)
    .filter((value) => /[A-Za-z]/.test(value) && /\d.*\d/.test(value));
  return [...new Set([...keys, ...[...quoted, ...bare].filter((one) => !STAND_IN.test(one))])];
}

/** New files by name that tools, editors and trials leave. */
const STRAY = anyOf(
  /(?:^|\/)[^/]+(?:\.(?:orig|rej|bak|sw[po]|te?mp|log|pyc|class|o|dump|heapsnapshot|prof|pid)|~)$/,
  /(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini|nohup\.out|a\.out|core\.\d+|\.coverage)$/,
  /(?:^|\/)(?:debug|scratch|tmp|temp|foo|untitled|junk|output)(?:[-_.]?\d*)?\.\w+$/,
  /(?:^|\/)(?:\.env(?:\.(?:local|production|development))?|id_(?:rsa|dsa|ecdsa|ed25519))$/,
  /(?:^|\/)[^/]+\.(?:pem|p12|pfx|keystore|jks)$/,
  new RegExp(`(?:^|/)(?:node_modules|__pycache__|\\.idea|\\.mypy_cache|\\.venv|${CACHE_FOLDERS})/`),
);

/** Whether a new file looks left behind; data of tests may be called as they like. */
export function isStray(path: string, { isTest }: { readonly isTest: boolean }): boolean {
  return STRAY.test(path) &&
    !(isTest && !/(?:\.pyc|~|\.swp|\.DS_Store|__pycache__\/.*)$/.test(path));
}

/** A line between the sides of a conflict; the one in the middle also underlines headings, and says nothing. */
export const CONFLICT_MARKER = /^(?:<{7}|>{7}|\|{7})(?:\s|$)/;

/** Files of a tree that still hold conflict markers. */
export async function findConflictMarkers(
  repo: Repository,
  tree: string,
  paths: readonly TreePath[],
): Promise<readonly string[]> {
  const found = await Promise.all(paths.map(async (path) => {
    const text = await readBlobText(repo, tree, path);
    return text !== null && /^<{7} /m.test(text) && /^>{7} /m.test(text) ? [path] : [];
  }));
  return found.flat();
}

/** A changed file. */
export interface AddedText {
  readonly path: string;
  /** The whole text before; null where there was no such file. */
  readonly before: string | null;
  /** The whole text now; null for what is no text. */
  readonly after: string | null;
  /** Lines of the present text that are new, from 1, both ends included. */
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
}

/** Something that was left behind, in one place or in several of a kind. */
export interface Leftover {
  /** Kind and place, such as `debug_output src/a.ts:12`. */
  readonly id: string;
  readonly path: string;
  readonly what: string;
  /** The lines, with their numbers; a secret is not among them. */
  readonly hunk: string;
}

/** Found in one line; line 0 is the file as a whole. */
interface Found {
  readonly path: string;
  readonly kind: LeftoverKind;
  readonly line: number;
  readonly shown: string;
  /** The line between its neighbours, each with its number. */
  readonly around: string;
}

/** A line in which something was left behind. */
export interface LeftoverLine {
  readonly path: string;
  /** From 1; 0 for the file as a whole. */
  readonly line: number;
}

/** More of a kind in one file are answered together. */
const MOST_ALONE = 3;
/** More in all are answered by their kinds: nobody answers them one by one. */
const MOST_ASKED = 20;
const MOST_SHOWN = 5;
const SHOWN_CHARS = 160;

/** The lines of the changed files in which something was left behind; line 0 is a file as a whole. */
export async function findLeftoverLines(
  files: readonly AddedText[],
): Promise<readonly LeftoverLine[]> {
  return await findAll(files);
}

async function findAll(files: readonly AddedText[]): Promise<readonly Found[]> {
  const known = findMoved(files);
  return (await Promise.all(files.map((file) => readFile(file, known)))).flat();
}

/** What was left behind in the changed files. */
export async function findLeftovers(files: readonly AddedText[]): Promise<readonly Leftover[]> {
  const found = await findAll(files);
  const byFile = group(found, ({ kind, path }) => `${kind} ${path}`, MOST_ALONE);
  if (byFile.length <= MOST_ASKED) return byFile.map(describeLeftover);
  return group(found, ({ kind }) => `${kind} in ${countFiles(found, kind)} files`, 0).map(
    describeLeftover,
  );
}

function countFiles(found: readonly Found[], kind: LeftoverKind): number {
  return new Set(found.filter((one) => one.kind === kind).map(({ path }) => path)).size;
}

/** What is asked about together, with its id. */
function group(
  found: readonly Found[],
  toId: (one: Found) => string,
  mostAlone: number,
): readonly (readonly [id: string, members: readonly Found[]])[] {
  return [...Map.groupBy(found, toId)].flatMap(([id, members]): [string, readonly Found[]][] =>
    members.length > mostAlone
      ? [[id, members]]
      : members.map((one) => [one.line === 0 ? id : `${id}:${one.line}`, [one]])
  );
}

function describeLeftover([id, members]: readonly [string, readonly Found[]]): Leftover {
  const [first] = members;
  const [kind, path] = [first?.kind ?? "stray_file", first?.path ?? ""];
  const isOne = members.every((one) => one.path === path);
  const count = members.length === 1 ? "" : ` in ${members.length} places`;
  const rest = members.length - MOST_SHOWN;
  const lines = members.length === 1 ? [first?.around ?? ""] : members.slice(0, MOST_SHOWN)
    .map((one) => `${isOne ? "" : `${one.path}:`}${one.line === 0 ? "" : one.line}: ${one.shown}`);
  return {
    id,
    path: isOne ? path : "",
    what: `${LEFTOVERS[kind]}${count}`,
    hunk: [...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n"),
  };
}

/** Lines that stand no more often than before: they moved, or got another indent. */
function findMoved(files: readonly AddedText[]): ReadonlySet<string> {
  const count = (texts: readonly (string | null)[]) =>
    Map.groupBy(texts.flatMap((text) => text?.split("\n") ?? []).map(trimLine), (line) => line);
  const before = count(files.map((file) => file.before));
  const after = count(files.map((file) => file.after));
  return new Set(
    [...before].flatMap(([line, { length }]) =>
      (after.get(line)?.length ?? 0) <= length ? [line] : []
    ),
  );
}

async function readFile(
  file: AddedText,
  known: ReadonlySet<string>,
): Promise<readonly Found[]> {
  const { path, before, after, ranges } = file;
  const isTest = isTestSide(path);
  const found: Found[] = before === null && isStray(path, { isTest })
    ? [{ path, kind: "stray_file", line: 0, shown: "a new file", around: `${path}: a new file` }]
    : [];
  if (after === null) return found;
  const language = languageOfPath(path);
  const lines = after.split("\n");
  const read = await createReader(file, language);
  for (const { start, end } of ranges) {
    for (let line = start; line <= Math.min(end, lines.length); line++) {
      const text = (lines[line - 1] ?? "").replace(/\r$/, "");
      if (text.trim() === "" || known.has(trimLine(text))) continue;
      for (const kind of await read(text, line)) {
        const shown = redactSecrets(text, language);
        // Lines beside a key may be the rest of it.
        const around = kind === "secret"
          ? `${line}: ${shown}`
          : formatContext(lines, line, language);
        found.push({ path, kind, line, shown, around });
      }
    }
  }
  return found;
}

function trimLine(line: string): string {
  return line.trim();
}

/** A line as it may be shown and kept: a secret of any file is left out. */
function redactSecrets(text: string, language: Language | undefined): string {
  const secrets = findSecrets(text, { isTest: false, isBare: hasBareValues(language) });
  const hidden = secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), text);
  return clip(hidden.trimEnd(), SHOWN_CHARS);
}

/** Whether values stand without quotes: in settings, shells and files of no known language. */
function hasBareValues(language: Language | undefined): boolean {
  return language === undefined || language.nature !== "code" ||
    /^(?:Bash|Shell|Fish|PowerShell|Dockerfile|Makefile)/.test(language.name);
}

function formatContext(
  lines: readonly string[],
  line: number,
  language: Language | undefined,
): string {
  return [line - 1, line, line + 1].filter((at) => at >= 1 && at <= lines.length)
    .map((at) => `${at}: ${redactSecrets(lines[at - 1] ?? "", language)}`).join("\n");
}

type LineReader = (text: string, line: number) => Promise<readonly LeftoverKind[]>;

/** Tells of each line of a file what was left behind in it. */
async function createReader(
  { path, before, after }: AddedText,
  language: Language | undefined,
): Promise<LineReader> {
  const isTest = isTestSide(path);
  const hasMarks = language !== undefined && language.nature !== "prose";
  const { code = "", comments = "" } = hasMarks ? splitComments(after ?? "", language) : {};
  const [lines, commented] = [code.split("\n"), comments.split("\n")];
  const outputs = language?.nature === "code"
    ? await findOutputs({ path, before, after: after ?? "", code }, language)
    : new Set();
  const stood = new Set(
    hasMarks ? splitComments(before ?? "", language).code.split("\n").map(trimLine) : [],
  );
  const heads = new Set(lines.map((one) => one.trim().split(/\s/, 1)[0] ?? ""));
  return async (text, line) => {
    const secrets = findSecrets(text, { isTest, isBare: hasBareValues(language) });
    const found: LeftoverKind[] = secrets.length > 0 ? ["secret"] : [];
    if (CONFLICT_MARKER.test(text)) return [...found, "conflict_marker"];
    const comment = commented[line - 1] ?? "";
    if (comment.trim() !== "" && isOpenMark(comment)) found.push("open_mark");
    else if (hasMarks && lines[line - 1]?.trim() === "") {
      const isOut = stood.has(readCommentText(text) ?? "\n") ||
        await isCommentedOut(text, language, heads);
      if (isOut) return [...found, "commented_out"];
    }
    return outputs.has(line) ? [...found, "debug_output"] : found;
  };
}

/** The lines that print for debugging; those that print at all where that is not the work of the file. */
async function findOutputs(
  { path, before, after, code }: Pick<AddedText, "path" | "before"> & {
    readonly after: string;
    readonly code: string;
  },
  language: Language,
): Promise<ReadonlySet<number>> {
  const read = async (text: string, prints: boolean) => {
    const lines = text.split("\n");
    return (await readCode(text, language)).flatMap((part) => {
      const line = lines[part.last - 1] ?? "";
      const output = readOutput(part, language, { line, prints });
      return output === null ? [] : [{ output, line: part.first }];
    });
  };
  const prints = isTestSide(path) || isPrinter(path, after, code, language) ||
    (await read(before ?? "", false)).length > 0;
  const outputs = await read(after, prints);
  return new Set(
    outputs.flatMap(({ output, line }) => output === "debugging" || !prints ? [line] : []),
  );
}
