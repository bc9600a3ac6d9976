/** The kinds of fields that payloads are made of, and the forms that some send in place of them. Pure. */
import * as z from "zod";
import type { ProjectPath } from "../../base/paths.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { isRecord } from "../../base/text/json_record.ts";

/** Any text. */
export const text = z.string().max(LIMITS.textFieldChars.value);
/** A text with something in it. */
export const filled = text.refine((value) => value.trim() !== "", { error: "is blank" });
/** A project path; the check is that of any text, and only the type says more. */
export const projectPath = filled as unknown as z.ZodType<ProjectPath, string>;
/** A list of bounded length. */
export const array = <T extends z.ZodType>(item: T) => z.array(item).max(LIMITS.listItems.value);
/** A list; of one text alone a list of that text, and of `none` an empty one. */
export const list = <T extends z.ZodType>(item: T) => z.preprocess(normaliseList, array(item));
/** A text that is long enough for a reason. */
export const reason = text.refine((value) => value.trim().length >= LIMITS.reasonMinChars.value, {
  error: `is shorter than ${LIMITS.reasonMinChars.value} characters`,
});
/** What the request says of one thing, with the words that say it; null where it says nothing. */
export const slot = z.nullable(z.object({ value: filled, quote: filled }));

/** An item of a checklist; a text alone is one that is to be done, and evidence or a reason alone say what became of it. */
export const ITEM = z.preprocess(
  normaliseItem,
  z.object({
    item: filled,
    status: z.enum(["pending", "done", "skipped"]),
    evidence: z.nullish(text),
    reason: z.nullish(text),
  }),
);

/** A piece of work of the plan. */
export const TASK = z.preprocess(
  normaliseTask,
  z.object({
    id: filled,
    description: filled,
    status: z.enum(["pending", "completed"]).default("pending"),
    checklist: array(ITEM).min(1),
  }),
);

/** A reviewed file, and what becomes of it. */
export const REVIEWED = z.union([
  projectPath,
  z.object({
    path: projectPath,
    decision: z.enum(["keep", "discard"]),
    reason: z.nullish(text),
  }),
]);

/** A rule that binds the work, with the lines that say it. */
export const CITED_RULE = z.object({
  rule: filled,
  source: filled,
  "to_change": z.nullish(z.boolean()),
});

/** A completed task may be sent again as replies show it, without its items: they stand as they were reported. */
function normaliseTask(value: unknown): unknown {
  if (!isRecord(value) || value["status"] !== "completed") return value;
  return { checklist: ["As it was reported"], ...value };
}

/** The number of an item stands for its text ({@link toNamedItems}). */
function normaliseItem(value: unknown): unknown {
  if (!isRecord(value)) {
    return typeof value === "string" ? { item: value, status: "pending" } : value;
  }
  const isFilled = (field: string) => String(value[field] ?? "").trim() !== "";
  const known = isFilled("evidence") ? "done" : isFilled("reason") ? "skipped" : "pending";
  const { item, status, evidence } = value;
  return {
    ...value,
    ...(Array.isArray(evidence) ? { evidence: evidence.join("; ") } : {}),
    item: typeof item === "number" ? String(item) : item,
    status: status ?? known,
  };
}

function normaliseList(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return /^\s*(?:none\.?)?\s*$/i.test(value) ? [] : [value];
}

/** Whether a hypothesis held, as some say it. */
export function normaliseResult(value: unknown): unknown {
  return typeof value === "boolean" ? (value ? "confirmed" : "refuted") : value;
}
