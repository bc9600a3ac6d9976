/**
 * The head of a Markdown file between two lines `---`: keys with a text or a list of texts. It reads the
 * forms of YAML that people write there by hand; what is nested deeper is passed over. Pure.
 */

/** Texts and lists by key, in the order of the file. */
export type FrontMatter = ReadonlyMap<string, string | readonly string[]>;

/** A head and what follows it. */
export interface MarkdownFile {
  readonly fields: FrontMatter;
  /** All behind the second `---` line. */
  readonly body: string;
}

const HEAD = /^\uFEFF?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/;
const MEMBER = /^([A-Za-z_][\w-]*)[ \t]*:(?:[ \t]+(.*)|[ \t]*)$/;
const ITEM = /^[ \t]*-[ \t]+(.*)$/;

/** Reads the head of a Markdown text; null where there is none. */
export function readFrontMatter(text: string): MarkdownFile | null {
  const match = HEAD.exec(text);
  if (match === null) return null;
  const fields = new Map<string, string | readonly string[]>();
  let list: { readonly key: string; readonly items: string[] } | null = null;
  for (const line of (match[1] ?? "").split(/\r?\n/)) {
    const member = MEMBER.exec(line);
    if (member !== null) {
      const [, key = "", raw = ""] = member;
      const value = toValue(raw.trim());
      list = value === "" ? { key, items: [] } : null;
      fields.set(key, value);
      continue;
    }
    const item = ITEM.exec(line);
    if (item === null || list === null) continue;
    list.items.push(toScalar((item[1] ?? "").trim()));
    fields.set(list.key, list.items);
  }
  return { fields, body: text.slice(match[0].length) };
}

function toValue(raw: string): string | readonly string[] {
  if (!raw.startsWith("[") || !raw.endsWith("]")) return toScalar(raw);
  const items = raw.slice(1, -1).match(/\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,]+)/g) ?? [];
  return items.map((item) => toScalar(item.trim())).filter((item) => item !== "");
}

function toScalar(raw: string): string {
  if (raw.startsWith('"')) {
    const end = /^"(?:[^"\\]|\\.)*"/.exec(raw)?.[0] ?? "";
    try {
      return String(JSON.parse(end));
    } catch {
      return raw;
    }
  }
  if (raw.startsWith("'")) {
    const end = /^'((?:[^']|'')*)'/.exec(raw);
    return end === null ? raw : (end[1] ?? "").replaceAll("''", "'");
  }
  const plain = raw.replace(/(?:^|[ \t])#.*$/, "").trim();
  return plain === "null" || plain === "~" ? "" : plain;
}

/** The head as text, with both `---` lines and a line end. Lists stand on one line each. */
export function toFrontMatter(fields: FrontMatter): string {
  const lines = [...fields].map(([key, value]) =>
    typeof value === "string" ? `${key}: ${toYaml(value)}`.trimEnd() : `${key}: ${toFlow(value)}`
  );
  return `---\n${lines.join("\n")}\n---\n`;
}

function toFlow(items: readonly string[]): string {
  return `[${items.map((item) => JSON.stringify(item)).join(", ")}]`;
}

/** Words, numbers and times stand plain; all else in quotes, which YAML reads as JSON does. */
function toYaml(text: string): string {
  return /^[\w.+:-]*$/.test(text) && !/:$/.test(text) ? text : JSON.stringify(text);
}
