/**
 * The kinds of fields that payloads are made of, and the reading of what is sent in their place: other spellings, JSON in a
 * text, one row in the place of a list, what follows from other fields. Pure.
 */
import * as z from "zod";
import type { ProjectPath } from "../../base/paths.ts";
import { getOrInsert } from "../../base/once.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { clip } from "../../base/text/clip.ts";
import type { FormSchema } from "../../base/text/fit_form.ts";
import { fitForm } from "../../base/text/fit_form.ts";
import { findSameName } from "../../base/text/near_key.ts";
import type { JsonRecord } from "../../base/text/json_record.ts";
import { isRecord } from "../../base/text/json_record.ts";
import { formatPlaces } from "../../base/text/places.ts";

/** A field that is read by its own name alone: a slip must not lead to it. */
export const EXACT = { exact: true };
/** Any text. */
export const text = z.string().max(LIMITS.textFieldChars.value);
/** A text with something in it. */
export const filled = text.refine((value) => value.trim() !== "", { error: "is blank" });
/** A project path; the check is that of any text, and only the type and the reading say more. */
export const projectPath = filled.meta({ holds: "path" }) as unknown as z.ZodType<
  ProjectPath,
  string
>;
/** A list of bounded length. */
export const list = <T extends z.ZodType>(item: T) => z.array(item).max(LIMITS.listItems.value);
/** A text that is long enough for a reason. */
export const reason = text.refine((value) => value.trim().length >= LIMITS.reasonMinChars.value, {
  error: `is shorter than ${LIMITS.reasonMinChars.value} characters`,
});
/** What the request says of one thing, with the words that say it; null where it says nothing. */
export const slot = z.preprocess(
  normaliseSlot,
  z.nullable(z.object({ value: filled, quote: filled })),
);

/** One text alone is both: the words of the request say the value. */
function normaliseSlot(sent: unknown): unknown {
  if (!isRecord(sent)) return sent;
  const { value, quote } = sent;
  return { ...sent, value: value ?? quote, quote: quote ?? value };
}

/** Tasks without an id have their place in the list as one. */
export function numberTasks(value: unknown): unknown {
  return Array.isArray(value)
    ? value.map(normaliseTask).map((task, at) =>
      isRecord(task) ? { id: `task_${at + 1}`, ...task } : task
    )
    : value;
}

/** Evidence: places in the form of the rules, however they were written. */
export const EVIDENCE = z.nullish(
  z.preprocess((sent) => typeof sent === "string" ? formatPlaces(sent) : sent, text),
);

const STATUS = z.enum(["pending", "done", "skipped"]).meta({
  words: {
    pending: ["open", "todo"],
    done: ["completed", "complete", "finished"],
    skipped: ["skip"],
  },
});

/** An item of a checklist; a text alone is one that is to be done, and evidence or a reason alone say what became of it. */
export const ITEM = z.preprocess(
  normaliseItem,
  z.object({
    item: filled.meta({ aliases: ["id", "number", "text", "name", "task", "description"] }),
    status: STATUS,
    evidence: EVIDENCE.meta({ aliases: ["lines", "location", "where", "proof"] }),
    reason: z.nullish(text).meta({ aliases: ["note", "notes", "why", "comment"] }),
  }).meta({ main: "item" }),
);

/** A piece of work of the plan. */
export const TASK = z.object({
  id: filled.meta({ aliases: ["task_id", "task", "number"] }),
  description: filled.meta({ aliases: ["title", "name", "goal"] }),
  status: z.enum(["pending", "completed"]).default("pending").meta({
    words: { pending: ["open", "todo"], completed: ["done", "complete"] },
  }),
  checklist: list(ITEM).min(1).meta({ aliases: ["items", "steps", "subtasks", "todos"] }),
});

const WHY = { aliases: ["why", "note", "because", "comment"] };

/** A reviewed file, and what becomes of it. */
export const REVIEWED = z.union([
  projectPath,
  z.object({
    path: projectPath.meta({ aliases: ["file"] }),
    decision: z.enum(["keep", "discard"]).meta({ aliases: ["action", "status", "verdict"] }),
    reason: z.nullish(text).meta(WHY),
  }),
]);

/** What a step decides of a file that the change may reach. */
export const IMPACT_DECISION = z.object({
  path: projectPath.meta({ aliases: ["file", "glob", "files"] }),
  status: z.enum(["will_modify", "no_change_needed", "not_affected"]).meta({
    aliases: ["decision", "verdict"],
    words: {
      "will_modify": ["modify", "modified", "will_change", "change", "will_be_modified"],
      "no_change_needed": ["no_change", "unchanged", "no_changes_needed"],
      "not_affected": ["unaffected", "none"],
    },
  }),
  reason: z.nullish(text).meta(WHY),
});

/** A rule that binds the work, with the lines that say it. */
export const CITED_RULE = z.preprocess(
  normaliseRule,
  z.object({
    rule: filled.meta({ aliases: ["text", "description"] }),
    source: filled.meta({ aliases: ["file", "path", "location", "document", "where"] }),
    "to_change": z.nullish(z.boolean()),
  }).meta({ main: "rule" }),
);

/** Whether a hypothesis held. */
export const RESULT = z.enum(["confirmed", "refuted"]).meta({
  aliases: ["status", "verdict", "outcome"],
  words: {
    confirmed: ["true", "yes", "verified", "holds", "correct", "proven"],
    refuted: ["false", "no", "wrong", "incorrect", "disproved", "rejected"],
  },
});

/** A rule of which only a text was sent ends with its place: `Names are English (docs/style.md:12)`. */
function normaliseRule(value: unknown): unknown {
  if (!isRecord(value) || value["source"] !== undefined || typeof value["rule"] !== "string") {
    return value;
  }
  const [, rule, source] =
    /^([^]+?)[\s([–—-]+(\S+\.\w+(?:[:#]\S*?)?)[)\].]*$/.exec(value["rule"]) ?? [];
  return source === undefined ? value : { ...value, rule, source };
}

/** A completed task may be sent again as replies show it, without its items. A text is a task that is its own item. */
function normaliseTask(value: unknown): unknown {
  if (typeof value === "string") return { description: value, checklist: [value] };
  if (!isRecord(value) || value["status"] !== "completed") return value;
  return { checklist: ["As it was reported"], ...value };
}

/** The number of an item stands for its text ({@link readKnownRows}). */
function normaliseItem(value: unknown): unknown {
  if (typeof value === "string") return { item: value, status: "pending" };
  if (!isRecord(value)) return value;
  const isFilled = (field: string) => String(value[field] ?? "").trim() !== "";
  const known = isFilled("evidence") ? "done" : isFilled("reason") ? "skipped" : "pending";
  return { ...value, status: value["status"] ?? known };
}

const FORMS = new WeakMap<z.ZodType, FormSchema>();

/** The fields of a payload in the form of a schema, and those that were sent under another name. */
export function fitFields(
  schema: z.ZodType,
  record: JsonRecord,
): { readonly record: JsonRecord; readonly renamed: readonly string[] } {
  const form = getOrInsert(FORMS, schema, () => z.toJSONSchema(schema) as FormSchema);
  const { value, renamed } = fitForm(record, form);
  // Another case or order of words is no other name.
  const isTold = (row: string) => {
    const [sent = "", meant = ""] = row.split(" → ");
    return findSameName(sent, [meant]) === undefined;
  };
  return { record: value as JsonRecord, renamed: renamed.filter(isTold) };
}

const SUMMARY_CHARS = 300;

/** The payload with what follows from its other fields: a summary of its texts, a reason or a finding of its summary. */
export function fillRepeated(
  record: JsonRecord,
  fields: readonly string[],
): JsonRecord {
  const isBlank = (field: string) => String(record[field] ?? "").trim() === "";
  const texts = fields.flatMap((field) => record[field]).filter((one) => typeof one === "string");
  const said = isBlank("summary") ? clip(texts.join("; "), SUMMARY_CHARS) : record["summary"];
  return {
    ...record,
    summary: said === "" ? "No summary was sent." : said,
    ...(fields.includes("reason") && isBlank("reason") && !isBlank("summary")
      ? { reason: said }
      : {}),
    ...(fields.includes("explored_files") && record["findings"] === undefined && !isBlank("summary")
      ? { findings: [said] }
      : {}),
  };
}
