/** Payloads in the forms in which agents send them: a right payload, said otherwise. By machine and the same each time. Pure. */
import type { JsonRecord } from "../../src/base/text/json_record.ts";
import { isRecord } from "../../src/base/text/json_record.ts";
import { shuffle } from "../harness/chance.ts";
import { mapFields, mapKeys, mapRows, mapTexts, renameAll } from "./change.ts";
import type { Payload } from "./steps.ts";

/** One way of saying a payload otherwise; null where it has nothing to say so. */
export interface Form {
  readonly kind: string;
  readonly say: (payload: Payload, place: FormPlace) => Payload | null;
}

/** What a form may need to know. */
export interface FormPlace {
  readonly step: number;
  /** Absolute path of the project. */
  readonly dir: string;
}

const PATH = /^(?:[\w.-]+\/)*[\w.-]+\.\w+$/;
const PLACE = /^((?:[\w.-]+\/)*[\w.-]+\.\w+):(\d+)(?:-(\d+))?$/;
const ENUMS = new Set([
  "status",
  "decision",
  "result",
  "restore_to",
  "rest",
  "on_conflict",
  "choice",
]);
const EXTENSIBLE = ["explored_files", "documents_reviewed", "search_results", "mandatory_rules"];

const toCamel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase());
const lines = (text: string, write: (path: string, start: string, end?: string) => string) => {
  const [, path, start, end] = PLACE.exec(text) ?? [];
  return path === undefined || start === undefined ? text : write(path, start, end);
};
const isFile = (text: string, field: string) =>
  PATH.test(text) &&
  !["item", "prompt_used", "quality_prompt_used", "review_prompt_used"].includes(field);

/** Every form. */
export const FORMS: readonly Form[] = [
  { kind: "as it is", say: (payload) => payload },
  { kind: "fields in camelCase", say: (payload) => renameAll(payload, toCamel) as Payload },
  {
    kind: "fields with spaces or dashes",
    say: (payload) => renameAll(payload, (name) => name.replaceAll("_", "-")) as Payload,
  },
  {
    kind: "a slip in the name of a field",
    say: (payload) =>
      mapKeys(
        payload,
        (name) =>
          name.length > 7 && !["summary", "tools_used"].includes(name)
            ? name.replace(/(.)(.)$/, "$2$1")
            : name,
      ),
  },
  { kind: "wrapped in data", say: (payload) => ({ data: payload }) },
  { kind: "wrapped as text of JSON", say: (payload) => ({ payload: JSON.stringify(payload) }) },
  {
    kind: "JSON in a text",
    say: (payload) =>
      mapFields(
        payload,
        (value) => typeof value === "object" && value !== null ? JSON.stringify(value) : value,
      ),
  },
  {
    kind: "a text in the place of a list",
    say: (payload) =>
      mapFields(payload, (value, field) => {
        if (!Array.isArray(value) || field === "reviewed_files" && value.length > 1) return value;
        return value.length === 0
          ? "none"
          : value.length === 1 && typeof value[0] === "string"
          ? value[0]
          : value;
      }),
  },
  {
    kind: "a list in the place of a text",
    say: (payload) =>
      mapFields(
        payload,
        (value, field) =>
          typeof value === "string" &&
            ["reason", "details", "summary", "action_taken"].includes(field)
            ? [value]
            : value,
      ),
  },
  {
    kind: "rows as a mapping",
    say: (payload) =>
      mapFields(payload, (value) => {
        if (!Array.isArray(value) || value.length === 0 || !value.every(isRecord)) return value;
        const rows = value as readonly JsonRecord[];
        const [first = ""] = Object.keys(rows[0] ?? {});
        if (first === "id" || rows.some((row) => typeof row[first] !== "string")) return value;
        return Object.fromEntries(rows.map(({ [first]: key, ...rest }) => [key, rest]));
      }),
  },
  {
    kind: "nulls for what is not known",
    say: (payload) => ({
      ...payload,
      compaction_count: payload["compaction_count"] ?? null,
      notes: null,
      scope: null,
    }),
  },
  {
    kind: "without summary and tools_used",
    say: ({ summary, tools_used: _tools, ...payload }, { step }) =>
      step === 14 || step === 19 ? { ...payload, summary } : payload,
  },
  {
    kind: "tools of the client",
    say: (payload) => ({ ...payload, tools_used: ["edit", "go test", "Read", "mcp__other__x"] }),
  },
  {
    kind: "tools as a sentence",
    say: (payload) => ({ ...payload, tools_used: "I read the files in the shell" }),
  },
  {
    kind: "fields that nobody asked for",
    say: (payload) => ({ ...payload, confidence: 0.9, notes: ["x"] }),
  },
  {
    kind: "booleans as text",
    say: (payload) =>
      mapFields(payload, (value) => typeof value === "boolean" ? (value ? "Yes" : "no") : value),
  },
  {
    kind: "numbers as text",
    say: (payload) => ({ ...payload, compaction_count: String(payload["compaction_count"] ?? 0) }),
  },
  {
    kind: "fixed words in other cases",
    say: (payload) =>
      mapTexts(
        payload,
        (text, field) => ENUMS.has(field) ? text.toUpperCase().replaceAll("_", " ") : text,
      ),
  },
  {
    kind: "paths with ./",
    say: (payload) => mapTexts(payload, (text, field) => isFile(text, field) ? `./${text}` : text),
  },
  {
    kind: "absolute paths",
    say: (payload, { dir }) =>
      mapTexts(payload, (text, field) => isFile(text, field) ? `${dir}/${text}` : text),
  },
  {
    kind: "paths in backticks",
    say: (payload) =>
      mapTexts(payload, (text, field) => isFile(text, field) ? `\`${text}\`` : text),
  },
  {
    kind: "ranges behind files",
    say: (payload) =>
      mapTexts(payload, (text, field) => isFile(text, field) ? `${text}:1-2` : text),
  },
  {
    kind: "links of a forge",
    say: (payload) =>
      mapTexts(payload, (text, field) => isFile(text, field) ? `${text}#L1-L2` : text),
  },
  {
    kind: "files in one sentence",
    say: (payload) =>
      mapFields(
        payload,
        (value, field) =>
          Array.isArray(value) && ["explored_files", "documents_reviewed"].includes(field) &&
            value.length > 1
            ? `I read ${value.join(" and ")}`
            : value,
      ),
  },
  {
    kind: "files without their folder",
    say: (payload) =>
      mapFields(
        payload,
        (value, field) =>
          Array.isArray(value) &&
            ["explored_files", "documents_reviewed", "search_results"].includes(field)
            ? value.map((one) =>
              typeof one === "string" ? one.slice(one.lastIndexOf("/") + 1) : one
            )
            : value,
      ),
  },
  {
    kind: "files as objects",
    say: (payload) =>
      mapFields(
        payload,
        (value, field) =>
          Array.isArray(value) && ["explored_files", "documents_reviewed"].includes(field)
            ? value.map((path) => ({ path, lines: "1-2", why: "it is used" }))
            : value,
      ),
  },
  {
    kind: "a wrong row among good ones",
    say: (payload) =>
      mapFields(
        payload,
        (value, field) =>
          Array.isArray(value) && EXTENSIBLE.includes(field) && value.length > 0
            ? [
              ...value,
              field === "mandatory_rules"
                ? { rule: "Nobody wrote it", source: "docs/none.md:3" }
                : "src/none.ts",
            ]
            : value,
      ),
  },
  {
    kind: "a line that is two lines off",
    say: (payload) =>
      mapFields(
        payload,
        (value, field) =>
          field === "explored_files"
            ? ["src/auth.ts:5:  export function  login(name: string)…"]
            : value,
      ),
  },
  {
    kind: "places as a forge writes them",
    say: (payload) =>
      mapTexts(
        payload,
        (text) => lines(text, (path, start, end) => `${path}#L${start}-L${end ?? start}`),
      ),
  },
  {
    kind: "places in words",
    say: (payload) =>
      mapTexts(
        payload,
        (text) =>
          lines(text, (path, start, end) => `\`${path}\` lines ${start} to ${end ?? start}`),
      ),
  },
  {
    kind: "items by their number",
    say: (payload) => mapRows(payload, "checklist", (row, at) => ({ ...row, item: at + 1 })),
  },
  {
    kind: "items in other letters",
    say: (payload) =>
      mapRows(payload, "checklist", (row) => ({ ...row, item: String(row["item"]).toUpperCase() })),
  },
  {
    kind: "hypotheses by their number",
    say: (payload) =>
      mapRows(payload, "hypotheses_verified", (row, at) => ({ ...row, hypothesis: `H${at + 1}` })),
  },
  {
    kind: "a boolean for a result",
    say: (payload) => mapRows(payload, "hypotheses_verified", (row) => ({ ...row, result: true })),
  },
  {
    kind: "a call without the word before it",
    say: (payload) =>
      mapRows(
        payload,
        "hypotheses_verified",
        (row) => ({ ...row, evidence: String(row["evidence"]).replace("tool: ", "") }),
      ),
  },
  {
    kind: "quotes in other signs and blanks",
    say: (payload) => {
      const { slots } = payload;
      if (!isRecord(slots)) return null;
      const rows = Object.entries(slots).map(([name, slot]) =>
        isRecord(slot)
          ? [name, {
            ...slot,
            quote: String(slot["quote"]).replace('"a', "“a").replace('d"', "d”").replaceAll(
              " ",
              "  ",
            ),
          }]
          : [name, slot]
      );
      return { ...payload, slots: Object.fromEntries(rows) };
    },
  },
  {
    kind: "quotes in other letters, with an ellipsis",
    say: (payload) => {
      const { slots } = payload;
      if (!isRecord(slots)) return null;
      const feature = { value: "login", quote: "refuse an … in `login`" };
      return { ...payload, slots: { ...slots, target_feature: feature } };
    },
  },
  {
    kind: "a slot as a text",
    say: (payload) =>
      isRecord(payload["slots"])
        ? { ...payload, slots: { target_feature: "Refuse an empty name" } }
        : null,
  },
  {
    kind: "observations in prose",
    say: (payload) =>
      "observed" in payload ? { ...payload, observed: "login('') throws: a name is needed" } : null,
  },
  {
    kind: "observations as rows",
    say: (payload) =>
      isRecord(payload["observed"])
        ? {
          ...payload,
          observed: Object.entries(payload["observed"]).map(([clause, showed]) => ({
            clause,
            showed,
          })),
        }
        : null,
  },
  {
    kind: "tasks as texts",
    say: (payload, { step }) =>
      step === 12 ? { ...payload, tasks: ["Change src/auth.ts", "Change src/view.ts"] } : null,
  },
  {
    kind: "without what the server knows",
    say: ({ task_id: _id, commit_message: _message, ...payload }, { step }) =>
      step === 13 || step === 17 ? payload : null,
  },
  {
    kind: "the next payload within",
    say: (payload, { step }) => step === 6 ? { ...payload, then: [] } : null,
  },
];

/** A payload in one form, or in two at once. */
export interface SaidPayload {
  readonly kinds: readonly string[];
  readonly data: Payload;
}

/** The forms of a payload: each by itself, then pairs by chance, up to a count; each payload once. */
export function sayOtherwise(
  payload: Payload,
  place: FormPlace,
  count: number,
): readonly SaidPayload[] {
  const said = new Map<string, SaidPayload>();
  const add = (kinds: readonly string[], data: Payload | null) => {
    if (data === null || said.size >= count) return;
    const key = JSON.stringify(data);
    if (!said.has(key)) said.set(key, { kinds, data });
  };
  for (const { kind, say } of FORMS) add([kind], say(payload, place));
  const pairs = FORMS.flatMap((one) =>
    FORMS.filter((other) => other !== one).map((other) => [one, other] as const)
  );
  // Wrapping hides the fields from what comes behind it.
  const isLast = ({ kind }: Form) => kind.startsWith("wrapped");
  for (const [one, other] of shuffle(pairs, ([a, b]) => `${place.step} ${a.kind} ${b.kind}`)) {
    if (isLast(one)) continue;
    const first = one.say(payload, place);
    add([one.kind, other.kind], first === null ? null : other.say(first, place));
  }
  return [...said.values()];
}
