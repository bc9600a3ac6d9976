/**
 * Keeps one block between two marker lines in a text that belongs to somebody else; every other byte of it stays. In TOML
 * the block is a table, and the parser checks that nothing else changed. Pure.
 */
import { parse, TomlError } from "smol-toml";
import { formatCanonicalJson } from "../../base/text/json_record.ts";

/** The lines around the table. */
export const TOML_MARKERS: Markers = {
  begin: "# >>> code-intel (written by `code-intel init`)",
  end: "# <<< code-intel",
};

/** The parsed file, or the place where it cannot be read. */
export type TomlText =
  | { readonly kind: "toml"; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: "fault"; readonly message: string };

/** Reads TOML, with or without a byte order mark. */
export function parseTomlText(text: string): TomlText {
  try {
    return {
      kind: "toml",
      value: parse(text.replace("\uFEFF", ""), { integersAsBigInt: "asNeeded" }),
    };
  } catch (failure) {
    if (!(failure instanceof TomlError)) throw failure;
    const reason = failure.message.split("\n")[0]?.replace("Invalid TOML document: ", "") ?? "";
    return {
      kind: "fault",
      message: `${reason} at line ${failure.line}, column ${failure.column}`,
    };
  }
}

/** Whether a table such as `mcp_servers.code-intel` is in a parsed file. */
export function hasTable(
  value: Readonly<Record<string, unknown>>,
  path: readonly string[],
): boolean {
  let at: unknown = value;
  for (const name of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return false;
    at = (at as Readonly<Record<string, unknown>>)[name];
  }
  return true;
}

/**
 * Why an edited text must not be written: it cannot be read, or something of the user's has
 * changed.
 */
export function checkTomlEdit(
  before: string,
  after: string,
  path: readonly string[],
): string | null {
  const [old, now] = [parseTomlText(before), parseTomlText(after)];
  if (old.kind === "fault") return old.message;
  if (now.kind === "fault") return `its tables leave no room for [${path.join(".")}]`;
  const isSame = formatForeign(old.value, path) === formatForeign(now.value, path);
  return isSame ? null : `its tables leave no room for [${path.join(".")}]`;
}

/**
 * Everything except our table, as text for comparison; tables that contain nothing else are left
 * out too.
 */
function formatForeign(value: Readonly<Record<string, unknown>>, path: readonly string[]): string {
  return formatCanonicalJson(JSON.parse(JSON.stringify(without(value, path), namedNumber)));
}

function without(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined || typeof value !== "object" || value === null) return value;
  const { [name]: member, ...others } = value as Readonly<Record<string, unknown>>;
  if (rest.length === 0) return others;
  const inner = without(member, rest);
  const isEmpty = typeof inner !== "object" || inner === null || Object.keys(inner).length === 0;
  return isEmpty ? others : { ...others, [name]: inner };
}

/** Numbers that JSON cannot write are compared by their names. */
function namedNumber(_key: string, value: unknown): unknown {
  return typeof value === "bigint" || Object.is(value, NaN) || value === Infinity ||
      value === -Infinity
    ? String(value)
    : value;
}

/** The two lines round a block. */
export interface Markers {
  readonly begin: string;
  readonly end: string;
}

/** A block found in a text. */
export interface FoundBlock {
  /** The text between the markers, with `\n` as line end. */
  readonly body: string;
  readonly start: number;
  readonly end: number;
}

/** A found block, no block, or markers that do not form a pair. */
export type FindBlockResult =
  | { readonly kind: "found"; readonly block: FoundBlock }
  | { readonly kind: "none" }
  | { readonly kind: "fault"; readonly message: string };

/** Finds the block; a marker counts only as a whole line. */
export function findBlock(text: string, { begin, end }: Markers): FindBlockResult {
  const begins = findLines(text, begin);
  const ends = findLines(text, end);
  const [from] = begins;
  const [to] = ends;
  if (from === undefined && to === undefined) return { kind: "none" };
  if (from === undefined || to === undefined || begins.length > 1 || ends.length > 1 || to < from) {
    return { kind: "fault", message: `its markers "${begin}" and "${end}" do not pair up` };
  }
  const bodyStart = /\r?\n/.exec(text.slice(from));
  const start = from + (bodyStart?.index ?? 0) + (bodyStart?.[0].length ?? 0);
  const body = text.slice(start, to).replaceAll("\r\n", "\n");
  return { kind: "found", block: { body, start: from, end: to + end.length } };
}

/** Appends a block to a text; `lead` is written between the two. */
export function appendBlock(
  text: string,
  markers: Markers,
  body: string,
): { readonly text: string; readonly lead: string } {
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const isOpen = text !== "" && !/\n$/.test(text);
  const lead = text.replace("\uFEFF", "") === "" ? "" : isOpen ? `${eol}${eol}` : eol;
  return { text: `${text}${lead}${formatBlock(markers, body, eol)}${isOpen ? "" : eol}`, lead };
}

/** Replaces the body of a block that was found. */
export function replaceBlock(
  text: string,
  markers: Markers,
  change: { readonly block: FoundBlock; readonly body: string },
): string {
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const { block, body } = change;
  return text.slice(0, block.start) + formatBlock(markers, body, eol) + text.slice(block.end);
}

/** Removes a block, with the `lead` that {@link appendBlock} put before it. */
export function removeBlock(text: string, block: FoundBlock, lead: string): string {
  const before = text.slice(0, block.start);
  const after = text.slice(block.end);
  // The CRLF form is tried first, because it ends with the LF form.
  const found = listLineEndings(lead).find((form) => form !== "" && before.endsWith(form));
  const isLed = found !== undefined;
  const head = isLed ? before.slice(0, -found.length) : before;
  // A lead of two line ends was put after a text without a final line break, and no break after the
  // block.
  const wasOpen = isLed && /\n.*\n/s.test(lead);
  return head + (wasOpen ? after : after.replace(/^\r?\n/, ""));
}

function formatBlock({ begin, end }: Markers, body: string, eol: string): string {
  return `${begin}\n${body.endsWith("\n") ? body : `${body}\n`}${end}`.replaceAll("\n", eol);
}

/** A remembered text in both forms that git may have given it in a clone, CRLF first. */
export function listLineEndings(text: string): readonly [crlf: string, lf: string] {
  const plain = text.replaceAll("\r\n", "\n");
  return [plain.replaceAll("\n", "\r\n"), plain];
}

/** Offsets of the lines that consist of exactly this text. */
function findLines(text: string, line: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(line); at >= 0; at = text.indexOf(line, at + 1)) {
    const before = at === 0 || text[at - 1] === "\n" || text[at - 1] === "\uFEFF";
    const next = text[at + line.length];
    if (before && (next === undefined || next === "\n" || next === "\r")) found.push(at);
  }
  return found;
}
