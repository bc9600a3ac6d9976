/**
 * What a learned term is: a term of requests and the symbols that it turned out to mean, with evidence.
 * How it is read from and written as Markdown that a person can review, and how two become one.
 */
import { LIMITS } from "../../base/settings/limits.ts";

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

/** One learned pair of words and symbols. */
export interface LearnedTerm {
  /** Words of requests; the first is the name of the agreement. Never empty. */
  readonly terms: readonly string[];
  /** Names of symbols, plain or qualified. Never empty. */
  readonly symbols: readonly string[];
  /** Files that define the symbols, relative to the project; may be empty. */
  readonly files: readonly string[];
  /** Sessions that confirmed it, oldest first; empty for one that was written by hand. */
  readonly sessions: readonly string[];
  /** How often it was confirmed; may be more than the sessions that are still named. */
  readonly confirmed: number;
  /** ISO times; null where a person left them out. */
  readonly learnedAt: string | null;
  readonly updatedAt: string | null;
  /** True when a person marked it as wrong: it is kept and never used. */
  readonly isRejected: boolean;
  /** One line for each piece of evidence, oldest first. */
  readonly evidence: readonly string[];
}

/** A learned term with the file that holds it. */
export interface StoredTerm extends LearnedTerm {
  /** Name of the file in `.code-intel/agreements/`. */
  readonly name: string;
}

const MAX_SESSIONS = 10;
const MAX_EVIDENCE = 20;
const MAX_LIST = 50;
const MAX_ITEM_CHARS = 300;
const EVIDENCE_HEADING = "## Evidence";

/** Keys of the front matter that the program writes itself; others of a person are kept. */
const OWN_KEYS = [
  "doc_type",
  "terms",
  "symbols",
  "files",
  "sessions",
  "confirmed",
  "learned_at",
  "updated_at",
] as const;

/** What a text says as a learned term, or why it is none. */
export type ParsedAgreement =
  | { readonly kind: "agreement"; readonly agreement: LearnedTerm }
  | { readonly kind: "none"; readonly reason: string };

/**
 * Reads the Markdown of a learned term. `term` (or `nl_term`) and `symbol` are taken for lists of
 * one. So texts written by hand, or by an earlier program, are read too.
 */
export async function parseAgreement(text: string): Promise<ParsedAgreement> {
  const parsed = await readFrontMatter(text);
  if (parsed === null) return { kind: "none", reason: "it has no front matter between --- lines" };
  const { fields, body } = parsed;
  const terms = readList(fields, ["terms", "term", "nl_term"]);
  const symbols = readList(fields, ["symbols", "symbol"]);
  if (terms.length === 0) return { kind: "none", reason: "`terms` is missing" };
  if (symbols.length === 0) return { kind: "none", reason: "`symbols` is missing" };
  const confirmed = Number(readText(fields, "confirmed") ?? "1");
  return {
    kind: "agreement",
    agreement: {
      terms,
      symbols,
      files: readList(fields, ["files", "file", "related_files"]),
      sessions: readList(fields, ["sessions", "session_id"]),
      confirmed: Number.isInteger(confirmed) && confirmed > 0 ? confirmed : 1,
      learnedAt: readText(fields, "learned_at") ?? readText(fields, "created_at"),
      updatedAt: readText(fields, "updated_at"),
      isRejected: /^(?:rejected|wrong)$/i.test(readText(fields, "status") ?? "") ||
        readText(fields, "rejected") === "true",
      evidence: readEvidence(body),
    },
  };
}

function readList(fields: FrontMatter, keys: readonly string[]): readonly string[] {
  const key = keys.find((name) => fields.has(name));
  const value = key === undefined ? undefined : fields.get(key);
  const items = typeof value === "string" ? [value] : value ?? [];
  const whole = items.map((item) => item.trim()).filter((item) => item !== "");
  return [...new Set(whole.map((item) => item.slice(0, MAX_ITEM_CHARS)))].slice(0, MAX_LIST);
}

function readText(fields: FrontMatter, key: string): string | null {
  const value = fields.get(key);
  return typeof value === "string" && value !== "" ? value : null;
}

/** The list under the heading, up to the next heading. */
function readEvidence(body: string): readonly string[] {
  const lines = body.split("\n");
  const start = lines.findIndex((line) => line.trim() === EVIDENCE_HEADING);
  if (start < 0) return [];
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^#{1,6} /.test(line));
  return (end < 0 ? rest : rest.slice(0, end))
    .filter((line) => line.startsWith("- "))
    .map((line) => line.slice(2).trim());
}

/** The Markdown of a new agreement. */
export function formatLearnedTerm(agreement: LearnedTerm): string {
  const { terms, symbols, evidence } = agreement;
  const lines = [
    toFrontMatter(buildFields(agreement)),
    `# "${cleanLine(terms[0] ?? "")}" means ${symbols.map(formatCode).join(", ")}`,
    "",
    "Learned from finished work and shown to the agent when a request uses these words. Correct it, delete",
    "it, or add the line `status: rejected` above to keep it from being used or learned again.",
    "",
    EVIDENCE_HEADING,
    "",
    ...evidence.map((line) => `- ${cleanLine(line)}`),
    "",
  ];
  return lines.join("\n");
}

function formatCode(name: string): string {
  return "`" + name + "`";
}

function buildFields(agreement: LearnedTerm): FrontMatter {
  return new Map<string, string | readonly string[]>([
    ["doc_type", "agreement"],
    ["terms", agreement.terms],
    ["symbols", agreement.symbols],
    ["files", agreement.files],
    ["sessions", agreement.sessions],
    ["confirmed", `${agreement.confirmed}`],
    ["learned_at", agreement.learnedAt ?? ""],
    ["updated_at", agreement.updatedAt ?? ""],
  ]);
}

/** Two learned terms about the same symbols as one: what was known first stays first. */
export function mergeAgreements(known: LearnedTerm, added: LearnedTerm): LearnedTerm {
  const isKnown = added.sessions.length > 0 &&
    added.sessions.every((id) => known.sessions.includes(id));
  const updatedAt = added.updatedAt ?? known.updatedAt;
  return {
    ...known,
    terms: joinUnique(known.terms, added.terms, MAX_LIST),
    symbols: joinUnique(known.symbols, added.symbols, MAX_LIST),
    // A file that was moved since would mislead: what was seen last counts, where anything was.
    files: added.files.length > 0 ? added.files : known.files,
    sessions: joinUnique(known.sessions, added.sessions, Infinity).slice(-MAX_SESSIONS),
    confirmed: known.confirmed + (isKnown ? 0 : added.confirmed),
    learnedAt: known.learnedAt ?? added.learnedAt,
    updatedAt: isKnown ? known.updatedAt : updatedAt,
    evidence: joinUnique(known.evidence, added.evidence, Infinity).slice(-MAX_EVIDENCE),
  };
}

/**
 * The present text of a learned term with new values: the body of a person, and keys of theirs, stay as
 * they are; evidence is added to its list.
 */
export async function updateAgreementText(text: string, agreement: LearnedTerm): Promise<string> {
  const parsed = await readFrontMatter(text);
  if (parsed === null) return formatLearnedTerm(agreement);
  const fields = new Map(buildFields(agreement));
  for (const [key, value] of parsed.fields) {
    if (!OWN_KEYS.includes(key as typeof OWN_KEYS[number]) && !OLD_KEYS.includes(key)) {
      fields.set(key, value);
    }
  }
  return `${toFrontMatter(fields)}${withEvidence(parsed.body, agreement.evidence)}`;
}

/** Keys that {@link parseAgreement} reads and that the lists of the program take the place of. */
const OLD_KEYS: readonly string[] = [
  "term",
  "nl_term",
  "symbol",
  "file",
  "related_files",
  "session_id",
  "created_at",
];

function withEvidence(body: string, evidence: readonly string[]): string {
  const known = readEvidence(body);
  const added = evidence.filter((line) => !known.includes(line)).map((line) =>
    `- ${cleanLine(line)}`
  );
  const lines = body.split("\n");
  const at = lines.findIndex((line) => line.trim() === EVIDENCE_HEADING);
  if (at < 0) return `${body.trimEnd()}\n\n${EVIDENCE_HEADING}\n\n${added.join("\n")}\n`;
  const isEntry = (line: string) => line.startsWith("- ");
  const next = lines.findIndex((line, index) => index > at && /^#{1,6} /.test(line));
  const end = next < 0 ? lines.length : next;
  const entries = lines.slice(at, end).filter(isEntry);
  const whole = [...entries, ...added].slice(-MAX_EVIDENCE);
  const other = lines.slice(at + 1, end).filter((line) => !isEntry(line) && line.trim() !== "");
  const section = [EVIDENCE_HEADING, "", ...other, ...whole, ""];
  return [...lines.slice(0, at), ...section, ...lines.slice(end)].join("\n");
}

function joinUnique(a: readonly string[], b: readonly string[], limit: number): readonly string[] {
  return [...new Set([...a, ...b])].slice(0, limit);
}

function cleanLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().slice(0, MAX_ITEM_CHARS);
}

/** The same for terms that differ in case, width and spaces only. */
export function foldTerm(term: string): string {
  return term.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();
}

/** True when two learned terms are about one pair: a common term, and the same symbols. */
export function isSamePair(a: LearnedTerm, b: LearnedTerm): boolean {
  const terms = new Set(a.terms.map(foldTerm));
  return b.terms.some((term) => terms.has(foldTerm(term))) &&
    a.symbols.length === b.symbols.length &&
    a.symbols.every((symbol) => b.symbols.includes(symbol));
}

/** A name for the file of a learned term: readable, and the same for the same pair. */
export function nameLearnedTerm({ terms, symbols }: LearnedTerm): string {
  const key = `${foldTerm(terms[0] ?? "")}\n${[...symbols].sort().join("\n")}`;
  return `${slugify(terms[0] ?? "", 40)}--${slugify(symbols[0] ?? "", 40)}-${hashText(key)}.md`;
}

function slugify(text: string, maxChars: number): string {
  const slug = text.normalize("NFKC").toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "");
  return [...slug].slice(0, maxChars).join("").replace(/-+$/, "") || "x";
}

/** FNV-1a of 32 bits: it only keeps the names of different pairs apart. */
function hashText(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, "0");
}

/** True for text that is too large to be a learned term. */
export function isTooLarge(sizeBytes: number): boolean {
  return sizeBytes > LIMITS.agreementBytes.value;
}
