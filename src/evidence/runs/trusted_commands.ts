/**
 * Commands together with the texts that they run: how these are found, the hash by which a person trusts both, and the
 * text that a person reads before.
 */
import { dirname } from "node:path/posix";
import { formatCanonicalJson, isRecord } from "../../base/text/json_record.ts";
import { parseJsonc } from "../../base/text/jsonc.ts";
import type { ScriptRef } from "./script_refs.ts";
import { findScriptRefs, findShellRefs } from "./script_refs.ts";
import { formatCount } from "../../base/text/plain_text.ts";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { readControlTextIfUsable } from "../../base/files/control_file.ts";
import type { VerifyCommand } from "./verify_commands.ts";

/** The part of a file that a command runs, and the texts that it runs in turn. */
export interface FollowedScript {
  /** The part; null where the file does not have the named script, task or target. */
  readonly text: string | null;
  readonly next: readonly ScriptRef[];
}

/** Members of JSON files that hold scripts. */
const SCRIPTS = { npm_script: "scripts", deno_task: "tasks", composer_script: "scripts" } as const;

/** Takes the named part out of a file's text. */
export function followRef(ref: ScriptRef, path: string, fileText: string): FollowedScript {
  if (ref.kind === "make_target") return followMake(ref, path, fileText);
  if (ref.kind !== "file") return followScripts(ref, path, fileText);
  return { text: fileText, next: isShell(path, fileText) ? findShellRefs(fileText) : [] };
}

function followScripts(ref: ScriptRef, path: string, fileText: string): FollowedScript {
  const parsed = parseJsonc(fileText);
  // Where the file cannot be parsed, all of it counts.
  if (parsed.kind === "fault" || !isRecord(parsed.value)) return { text: fileText, next: [] };
  const member = parsed.value[SCRIPTS[ref.kind as keyof typeof SCRIPTS]];
  const scripts = isRecord(member) ? member : {};
  const value = Object.hasOwn(scripts, ref.name) ? scripts[ref.name] : undefined;
  if (value === undefined) return { text: null, next: [] };
  const lines = listTexts(value);
  // Any word that is the name of a script may run it (`run-s lint test`, `npm run lint`, `@lint`).
  const words = lines.flatMap((line) => line.split(/[\s"';&|()@]+/));
  // npm runs these before and after by themselves.
  if (ref.kind === "npm_script") words.push(`pre${ref.name}`, `post${ref.name}`);
  const called = Object.keys(scripts).filter((name) =>
    name !== ref.name && words.some((word) => isNameOf(name, word))
  );
  return {
    text: typeof value === "string" ? value : formatCanonicalJson(value),
    next: [
      ...called.map((name) => ({ ...ref, name })),
      ...lines.flatMap((line) => findShellRefs(line, folderOf(path))),
    ],
  };
}

/** `build:*` names all scripts whose name begins with `build:`. */
function isNameOf(name: string, word: string): boolean {
  const star = word.indexOf("*");
  return star > 0 ? name.startsWith(word.slice(0, star)) : word === name;
}

/** All texts in a value: a text, a list of texts, or a task with a command and dependencies. */
function listTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

function isShell(path: string, fileText: string): boolean {
  return /\.(?:sh|bash|zsh)$/.test(path) || /^#!.*\b(?:ba|z|da)?sh\b/.test(fileText);
}

interface MakeRule {
  readonly targets: readonly string[];
  readonly needs: readonly string[];
  readonly lines: string[];
}

/** A target with all that it needs, and every line outside of targets (variables, includes). */
function followMake(ref: ScriptRef, path: string, fileText: string): FollowedScript {
  const { rules, others } = parseMakeRules(fileText);
  const first = rules.find(({ targets }) => !targets.every(isSpecial));
  const wanted = new Set(ref.name === "" ? first?.targets ?? [] : [ref.name]);
  const kept = new Set<MakeRule>();
  for (const name of wanted) {
    for (const rule of rules.filter(({ targets }) => targets.some((t) => fits(t, name)))) {
      kept.add(rule);
      // `.PHONY` and similar targets only list targets; they do not need them.
      if (!rule.targets.every(isSpecial)) rule.needs.forEach((need) => wanted.add(need));
    }
  }
  if (![...kept].some(({ targets }) => !targets.every(isSpecial))) return { text: null, next: [] };
  const recipes = rules.filter((rule) => kept.has(rule)).flatMap(({ lines }) => lines);
  const commands = recipes.filter((line) => line.startsWith("\t"))
    .map((line) => expand(line.replace(/^\t[@+-]*/, ""), others));
  const includes = others.flatMap((line) =>
    /^-?s?include\s+(.+)$/.exec(line)?.[1]?.split(/\s+/) ?? []
  );
  const folder = folderOf(path);
  return {
    text: [...others, ...recipes].join("\n"),
    next: [
      ...includes.flatMap((file) => findScriptRefs([".", file], folder)),
      ...commands.flatMap((line) => findShellRefs(line, folder)),
    ],
  };
}

/** Replaces variables by their values, where the file itself sets them. */
function expand(line: string, others: readonly string[]): string {
  const variables = new Map([["MAKE", "make"]]);
  for (const other of others) {
    const [, name, value] = /^\s*(?:export\s+)?([\w.-]+)\s*(?:\?|::?)?=\s*(.*)$/.exec(other) ?? [];
    if (name !== undefined && value !== undefined) variables.set(name, value);
  }
  return line.replaceAll(
    /\$[({]([\w.-]+)[)}]/g,
    (found, name: string) => variables.get(name) ?? found,
  );
}

function isSpecial(target: string): boolean {
  return target.startsWith(".") && !target.includes("/");
}

function fits(target: string, name: string): boolean {
  if (target.includes("$") || isSpecial(target)) return true;
  const [before = "", after] = target.split("%");
  return after === undefined ? target === name : name.startsWith(before) && name.endsWith(after);
}

function parseMakeRules(
  text: string,
): { readonly rules: readonly MakeRule[]; readonly others: readonly string[] } {
  const rules: MakeRule[] = [];
  const others: string[] = [];
  let current: MakeRule | undefined;
  for (const line of text.replaceAll(/\\\r?\n/g, " ").split(/\r?\n/)) {
    if (line.startsWith("\t") && current !== undefined) {
      current.lines.push(line);
      continue;
    }
    if (line.trim() === "" || line.startsWith("#")) continue;
    const head = /^([^\s:=#][^:=#]*?)\s*::?(?![:=])\s*(.*)$/.exec(line);
    if (head === null) {
      // Conditions may stand between the lines of a recipe too; they count for every target.
      others.push(line);
      if (!/^(?:if|else|endif)/.test(line)) current = undefined;
      continue;
    }
    const [, targets = "", needs = ""] = head;
    current = {
      targets: targets.split(/\s+/),
      needs: needs.replace(/[;#].*$/, "").split(/[\s|]+/).filter((need) => need !== ""),
      lines: [line],
    };
    rules.push(current);
  }
  return { rules, others };
}

function folderOf(path: string): string {
  const folder = dirname(path);
  return folder === "." ? "" : folder;
}

/** How much of each text is shown. */
export interface TrustTextOptions {
  /** Most lines of one text; of a longer text the file is named. Default 200. */
  readonly maxLines?: number;
}

const MAX_LINES = 200;

/**
 * The commands with the texts behind them, written so that no part can hide another from the
 * user.
 */
export function formatTrustText(
  { commands, behind }: Pick<CommandsUnderTrust, "commands" | "behind">,
  { maxLines = MAX_LINES }: TrustTextOptions = {},
): string {
  const lines: string[] = [];
  for (const { name, run, writes } of commands) {
    lines.push(`${name}: ${run.map(quoteWord).join(" ")}`);
    if (writes.length > 0) lines.push(`  may write ${writes.join(", ")}`);
  }
  for (const { path, name, text } of behind) {
    if (text === null) continue;
    lines.push("", name === "" ? `${path}:` : `${path}, ${name}:`);
    const shown = text.trimEnd().split("\n");
    lines.push(...shown.slice(0, maxLines).map((line) => `  ${line}`));
    const more = shown.length - maxLines;
    if (more > 0) lines.push(`  and ${formatCount(more, "more line")}; read on in ${path}`);
  }
  return lines.map(escapeControls).join("\n");
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}

/** Makes terminal sequences and characters that change the reading direction visible. */
function escapeControls(line: string): string {
  return line.replace(/\r$/, "").replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (sign) => sign === "\t" ? "    " : `\\u{${sign.codePointAt(0)?.toString(16)}}`,
  );
}

/** A text that a command runs, as it is on the disk. */
export interface ScriptText {
  /** Relative to the project. */
  readonly path: string;
  /** Name of the script, task or target; empty for a whole file. */
  readonly name: string;
  /** The text; null where the file, or the name in it, does not exist. */
  readonly text: string | null;
}

/** Commands with the texts that they run. */
export interface CommandsUnderTrust {
  readonly commands: readonly VerifyCommand[];
  readonly behind: readonly ScriptText[];
  /** SHA-256 over both. */
  readonly hash: string;
}

/** Most texts that are followed, because scripts may name each other without end. */
const MAX_TEXTS = 200;

/** Reads the texts that the commands of a project run, and hashes all of it. */
export async function loadCommandsUnderTrust(
  projectRoot: string,
  commands: readonly VerifyCommand[],
): Promise<CommandsUnderTrust> {
  const behind = await readScriptTexts(projectRoot, commands);
  return { commands, behind, hash: hashCommands(commands, behind) };
}

/**
 * The texts that the commands name, those that these texts name, and so on; each once, sorted by
 * place.
 */
export async function readScriptTexts(
  projectRoot: string,
  commands: readonly VerifyCommand[],
): Promise<readonly ScriptText[]> {
  const files = new Map<string, Promise<string | undefined>>();
  const read = (path: string) => {
    const known = files.get(path) ?? readScriptFile(projectRoot, path);
    files.set(path, known);
    return known;
  };
  const refs = new Map<string, ScriptRef>();
  const add = (found: readonly ScriptRef[]) => {
    for (const ref of found) if (refs.size < MAX_TEXTS) refs.set(formatCanonicalJson(ref), ref);
  };
  add(commands.flatMap(({ run }) => findScriptRefs(run)));
  const texts: ScriptText[] = [];
  // A loop over a map also visits what is added during the loop.
  for (const ref of refs.values()) {
    const { text, path, next } = await follow(ref, read);
    texts.push({ path, name: ref.name, text });
    add(next);
  }
  return texts.sort((a, b) => buildTextKey(a) < buildTextKey(b) ? -1 : 1);
}

/** SHA-256 of commands and texts: it changes with everything that could change what is run. */
export function hashCommands(
  commands: readonly VerifyCommand[],
  behind: readonly ScriptText[],
): string {
  return createHash("sha256").update(formatCanonicalJson({ commands, behind })).digest("hex");
}

async function follow(ref: ScriptRef, read: (path: string) => Promise<string | undefined>) {
  for (const path of ref.files) {
    const fileText = await read(path);
    if (fileText !== undefined) return { path, ...followRef(ref, path, fileText) };
  }
  return { path: ref.files[0] ?? "", text: null, next: [] };
}

/**
 * The text that a command runs. A file that cannot be read counts as missing, and the command is
 * judged without it.
 */
function readScriptFile(projectRoot: string, path: string): Promise<string | undefined> {
  const file = join(projectRoot, path);
  return Promise.resolve(readControlTextIfUsable(file, "document", { within: projectRoot }));
}

function buildTextKey({ path, name }: ScriptText): string {
  return `${path}\n${name}`;
}
