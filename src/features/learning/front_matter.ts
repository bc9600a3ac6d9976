/**
 * The head of a Markdown file between two lines `---`: keys with a text or a list of texts, in YAML. What is nested deeper
 * is passed over.
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

/** Reads the head of a Markdown text; null where there is none. Texts stay as they are written, numbers and times too. */
export async function readFrontMatter(text: string): Promise<MarkdownFile | null> {
  const match = HEAD.exec(text);
  if (match === null) return null;
  const { isMap, isScalar, isSeq, parseBounded } = await import("../../context/yaml.ts");
  const toText = (node: unknown): string | null => {
    if (!isScalar(node)) return null;
    const isNothing = node.type === "PLAIN" && /^(?:null|~)$/.test(String(node.value));
    return isNothing ? "" : String(node.value ?? "");
  };
  const fields = new Map<string, string | readonly string[]>();
  const { contents } = parseBounded(match[1] ?? "", { schema: "failsafe" });
  for (const { key, value } of isMap(contents) ? contents.items : []) {
    const name = toText(key);
    const own = isSeq(value)
      ? value.items.flatMap((item) => toText(item) ?? [])
      : value === null
      ? ""
      : toText(value);
    if (name !== null && own !== null) fields.set(name, own);
  }
  return { fields, body: text.slice(match[0].length) };
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
