/** Writes the summary of the project's rules into `context.yml`, and nothing else of that file. */
import { join, relative, sep } from "node:path";
import type { Document, YAMLMap } from "yaml";
import { writeFileAtomic } from "../base/atomic_write.ts";
import { readTextIfAny } from "../base/config.ts";
import type { Problem } from "../base/problem.ts";
import { toProblem } from "../base/problem.ts";
import { findRules, toContentHash } from "./project_rules.ts";

/** What a call of `update_context` stores. */
export interface ContextUpdate {
  readonly projectRulesSummary?: string;
  readonly extraNotes?: string;
}

/** Where a project and its context file lie. */
export interface ContextPlace {
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

type Yaml = typeof import("yaml");
type Values = Readonly<Record<string, string>>;

const SECTION = "project_rules";

/**
 * Stores a summary with the hash of the present rules file in `context.yml`. All that lies outside of
 * `project_rules` stays byte for byte; inside, comments and other keys stay.
 */
export async function updateContext(
  place: ContextPlace,
  update: ContextUpdate,
): Promise<UpdateResult> {
  const path = join(place.codeIntelDir, "context.yml");
  const yaml = await import("yaml");
  const text = await readTextIfAny(path) ?? "";
  const document = yaml.parseDocument(text);
  const error = document.errors[0];
  if (error !== undefined || (document.contents !== null && !yaml.isMap(document.contents))) {
    return toRefused(error?.message.split("\n")[0] ?? "The file is not a mapping of keys");
  }
  const configured = document.getIn([SECTION, "source"]);
  const source = typeof configured === "string" && configured !== "" ? configured : null;
  const { found, problems } = await findRules(place.projectRoot, source);
  if (problems[0] !== undefined) return { kind: "refused", problem: problems[0] };
  const values: Record<string, string> = {};
  if (update.projectRulesSummary !== undefined) {
    if (found !== null && source === null) values["source"] = found.path;
    values["summary"] = update.projectRulesSummary;
    if (found !== null) values["content_hash"] = toContentHash(found.text);
  }
  if (update.extraNotes !== undefined) values["extra_notes"] = update.extraNotes;
  const updated = Object.keys(values);
  if (updated.length > 0) {
    await Deno.mkdir(place.codeIntelDir, { recursive: true });
    await writeFileAtomic(path, toNewText(yaml, text, values));
  }
  const shown = relative(place.projectRoot, path).replaceAll(sep, "/");
  return { kind: "updated", path: shown, updated };
}

/** The text with the new values; the whole file is written anew only where its form leaves no choice. */
function toNewText(yaml: Yaml, text: string, values: Values): string {
  const spliced = spliceSection(yaml, text, values);
  const wanted = yaml.parseDocument(text);
  setValues(yaml, wanted, values);
  const isRight = spliced !== undefined && isSame(yaml, spliced, wanted);
  return isRight ? spliced : wanted.toString({ lineWidth: 0 });
}

/** Writes only the section anew; undefined where it cannot be cut out, as in `{a: 1}`. */
function spliceSection(yaml: Yaml, text: string, values: Values): string | undefined {
  const { contents } = yaml.parseDocument(text);
  if (contents === null) return `${withLineEnd(text)}${renderSection(yaml, "", values)}`;
  if (!yaml.isMap(contents) || contents.flow === true) return undefined;
  const pair = (contents as YAMLMap).items.find(({ key }) =>
    yaml.isScalar(key) && key.value === SECTION
  );
  if (pair === undefined) return `${withLineEnd(text)}${renderSection(yaml, "", values)}`;
  const start = yaml.isScalar(pair.key) ? pair.key.range?.[0] : undefined;
  const end = yaml.isNode(pair.value) ? pair.value.range?.[1] : undefined;
  if (start === undefined || end === undefined) return undefined;
  const section = text.slice(start, end);
  const rest = text.slice(end);
  const rendered = renderSection(yaml, section, values);
  return `${text.slice(0, start)}${section.endsWith("\n") ? rendered : rendered.trimEnd()}${rest}`;
}

function renderSection(yaml: Yaml, section: string, values: Values): string {
  const document = yaml.parseDocument(section);
  setValues(yaml, document, values);
  return document.toString({ lineWidth: 0 });
}

function setValues(yaml: Yaml, document: Document.Parsed | Document, values: Values): void {
  const isOther = document.has(SECTION) && !yaml.isMap(document.get(SECTION, true));
  if (isOther) document.set(SECTION, new yaml.YAMLMap());
  for (const [name, value] of Object.entries(values)) {
    const node = new yaml.Scalar(value);
    if (value.includes("\n")) node.type = "BLOCK_LITERAL";
    document.setIn([SECTION, name], node);
  }
}

function isSame(yaml: Yaml, text: string, wanted: Document): boolean {
  const document = yaml.parseDocument(text);
  return document.errors.length === 0 &&
    JSON.stringify(document.toJS()) === JSON.stringify(wanted.toJS());
}

function withLineEnd(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function toRefused(reason: string): UpdateResult {
  return {
    kind: "refused",
    problem: toProblem("config_invalid", `Cannot change .code-intel/context.yml: ${reason}`, {
      path: ".code-intel/context.yml",
      hint: "Correct the file by hand, then call update_context again.",
    }),
  };
}
