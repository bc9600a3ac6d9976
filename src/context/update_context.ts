/** Writes summaries of the project's rules and documents into `context.yml`, and nothing else of that file. */
import type { Yaml } from "./yaml.ts";
import { join, relative, sep } from "node:path";
import type { Document, Scalar, YAMLMap, YAMLSeq } from "yaml";
import { readControlFile } from "../base/files/control_file.ts";
import { makeOwnFolder, writeOwnFile } from "../base/files/own_folder.ts";
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import { SAME_CALL, say } from "../base/text/words.ts";
import type { HashedSummary } from "./doc_research.ts";
import { hashDocuments } from "./doc_research.ts";
import { findRules, hashShort } from "./project_rules.ts";

/** What a call of `update_context` stores. */
export interface ContextUpdate {
  readonly projectRulesSummary?: string;
  readonly extraNotes?: string;
  /** Summaries of documents, by path relative to the project. */
  readonly documentSummaries?: readonly { readonly path: string; readonly summary: string }[];
}

/** Where a project and its context file lie. */
export interface ContextPaths {
  /** Absolute path of the project. */
  readonly projectRoot: string;
  /** Absolute path of its `.code-intel` folder. */
  readonly codeIntelDir: string;
}

/** The keys that were stored, or why none was. */
export type UpdateResult =
  | {
    readonly kind: "updated";
    /** Of the file that was written, relative to the project. */
    readonly path: string;
    readonly updated: readonly string[];
  }
  | { readonly kind: "refused"; readonly problem: Problem };

/** What changes in one section of the file. */
interface SectionEdit {
  readonly section: string;
  readonly apply: (yaml: Yaml, document: Document.Parsed | Document) => void;
}

const RULES = "project_rules";
const DOCUMENTS = "doc_research";

/**
 * Stores summaries with the hashes of the present files in `context.yml`. All that lies outside of the
 * sections concerned stays byte for byte; inside, comments and other keys stay.
 */
export async function updateContext(
  place: ContextPaths,
  update: ContextUpdate,
): Promise<UpdateResult> {
  const path = join(place.codeIntelDir, "context.yml");
  const yaml = await import("./yaml.ts");
  const reading = readControlFile(path, "context");
  if (reading.kind === "unusable") return { kind: "refused", problem: reading.problem };
  const text = reading.kind === "text" ? reading.text : "";
  const document = yaml.parseBounded(text);
  const error = document.errors[0];
  if (error !== undefined || (document.contents !== null && !yaml.isMap(document.contents))) {
    return refuseEdit(error?.message.split("\n")[0] ?? "The file is not a mapping of keys");
  }
  const configured = document.getIn([RULES, "source"]);
  const source = typeof configured === "string" && configured !== "" ? configured : null;
  const rules = await collectRulesValues(place, update, source);
  if (rules.kind === "refused") return rules;
  const documents = await hashDocuments(place.projectRoot, update.documentSummaries ?? []);
  if (documents.kind === "refused") return documents;
  const updated = [
    ...Object.keys(rules.values),
    ...documents.rows.map(({ path: named }) => `${DOCUMENTS}.summaries: ${named}`),
  ];
  if (updated.length > 0) {
    const edits = [
      ...(Object.keys(rules.values).length === 0 ? [] : [buildRulesEdit(rules.values)]),
      ...(documents.rows.length === 0 ? [] : [buildDocumentsEdit(documents.rows)]),
    ];
    await makeOwnFolder(place.codeIntelDir);
    const changed = edits.reduce((before, edit) => editText(yaml, before, edit), text);
    await writeOwnFile(path, changed);
  }
  const shown = relative(place.projectRoot, path).replaceAll(sep, "/");
  return { kind: "updated", path: shown, updated };
}

type RulesValues =
  | { readonly kind: "values"; readonly values: Readonly<Record<string, string>> }
  | Extract<UpdateResult, { readonly kind: "refused" }>;

async function collectRulesValues(
  place: ContextPaths,
  update: ContextUpdate,
  source: string | null,
): Promise<RulesValues> {
  const { found, problems } = await findRules(place.projectRoot, source);
  const isAsked = update.projectRulesSummary !== undefined || update.extraNotes !== undefined;
  if (isAsked && problems[0] !== undefined) return { kind: "refused", problem: problems[0] };
  const values: Record<string, string> = {};
  if (update.projectRulesSummary !== undefined) {
    if (found !== null && source === null) values["source"] = found.path;
    values["summary"] = update.projectRulesSummary;
    if (found !== null) values["content_hash"] = hashShort(found.text);
  }
  if (update.extraNotes !== undefined) values["extra_notes"] = update.extraNotes;
  return { kind: "values", values };
}

function buildRulesEdit(values: Readonly<Record<string, string>>): SectionEdit {
  return {
    section: RULES,
    apply: (yaml, document) => {
      for (const [name, value] of Object.entries(values)) {
        document.setIn([RULES, name], createScalar(yaml, value));
      }
    },
  };
}

/** Rows are found by their path; notes of a person in them stay. */
function buildDocumentsEdit(rows: readonly HashedSummary[]): SectionEdit {
  const at = [DOCUMENTS, "summaries"];
  return {
    section: DOCUMENTS,
    apply: (yaml, document) => {
      if (!yaml.isSeq(document.getIn(at, true))) document.setIn(at, document.createNode([]));
      const list = document.getIn(at, true) as YAMLSeq;
      for (const { path, summary, hash } of rows) {
        const known = list.items.findIndex((item) => yaml.isMap(item) && item.get("path") === path);
        const index = known < 0 ? list.items.length : known;
        document.setIn([...at, index, "path"], path);
        document.setIn([...at, index, "summary"], createScalar(yaml, summary));
        document.setIn([...at, index, "content_hash"], hash);
      }
    },
  };
}

function createScalar(yaml: Yaml, value: string): Scalar {
  const node = new yaml.Scalar(value);
  if (value.includes("\n")) node.type = "BLOCK_LITERAL";
  return node;
}

/** The text with the new values; the whole file is written again only where its form leaves no choice. */
function editText(yaml: Yaml, text: string, edit: SectionEdit): string {
  const spliced = spliceSection(yaml, text, edit);
  const wanted = yaml.parseDocument(text);
  applyEdit(yaml, wanted, edit);
  const isRight = spliced !== undefined && isSame(yaml, spliced, wanted);
  return isRight ? spliced : wanted.toString({ lineWidth: 0 });
}

/** Writes only the section again; undefined where it cannot be cut out, as in `{a: 1}`. */
function spliceSection(yaml: Yaml, text: string, edit: SectionEdit): string | undefined {
  const { contents } = yaml.parseDocument(text);
  if (contents === null) return `${withLineEnd(text)}${renderSection(yaml, "", edit)}`;
  if (!yaml.isMap(contents) || contents.flow === true) return undefined;
  const pair = (contents as YAMLMap).items.find(({ key }) =>
    yaml.isScalar(key) && key.value === edit.section
  );
  if (pair === undefined) return `${withLineEnd(text)}${renderSection(yaml, "", edit)}`;
  const start = yaml.isScalar(pair.key) ? pair.key.range?.[0] : undefined;
  const end = yaml.isNode(pair.value) ? pair.value.range?.[1] : undefined;
  if (start === undefined || end === undefined) return undefined;
  const section = text.slice(start, end);
  const rest = text.slice(end);
  const rendered = renderSection(yaml, section, edit);
  return `${text.slice(0, start)}${section.endsWith("\n") ? rendered : rendered.trimEnd()}${rest}`;
}

function renderSection(yaml: Yaml, section: string, edit: SectionEdit): string {
  const document = yaml.parseDocument(section);
  applyEdit(yaml, document, edit);
  return document.toString({ lineWidth: 0 });
}

function applyEdit(yaml: Yaml, document: Document.Parsed | Document, edit: SectionEdit): void {
  const isOther = document.has(edit.section) && !yaml.isMap(document.get(edit.section, true));
  if (isOther) document.set(edit.section, new yaml.YAMLMap());
  edit.apply(yaml, document);
}

function isSame(yaml: Yaml, text: string, wanted: Document): boolean {
  const document = yaml.parseDocument(text);
  return document.errors.length === 0 &&
    JSON.stringify(document.toJS()) === JSON.stringify(wanted.toJS());
}

function withLineEnd(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function refuseEdit(reason: string): UpdateResult {
  return {
    kind: "refused",
    problem: makeProblem("config_invalid", `Cannot change .code-intel/context.yml: ${reason}`, {
      path: ".code-intel/context.yml",
      hint: say`Correct the file by hand, then ${SAME_CALL} again.`,
    }),
  };
}
