/**
 * How much ceremony a request gets by its size: judged at step 4 from what frame, index and past say of it, and again
 * at step 14 on the work itself. A guess that does not hold costs a step more; none of the checks depends on it. Pure.
 */
import { STEP } from "../base/steps.ts";
import { formatCount } from "../base/text/plain_text.ts";
import { CONDITIONS } from "./table/conditions.ts";
import { isMarkupFile } from "./contract/evaluation.ts";
import type { ChangedFile, ScaleFacts, Size } from "./facts.ts";
import type { Mode } from "./table/flags.ts";
import { writesFiles } from "./table/flags.ts";
import type { Risk } from "./state.ts";

/** Bounds of a small request: one that a reader overlooks as a whole (guessed). */
const SMALL = { places: 4, files: 2, users: 5 } as const;
/** So many files of users are nobody's overview. */
const MANY_USERS = 20;
/** So many commits that did not hold say that the place is hard. */
const MANY_REVERTS = 2;
/** A request is large by this many signs: one alone is often chance. */
const LARGE_SIGNS = 2;
/** What a small request may grow to before its work is looked at again. */
const GROWN = { files: 4, lines: 150 } as const;

/** What a request is judged by. */
export interface SizeInput extends Pick<Mode, "intent" | "flags" | "gateLevel"> {
  readonly risk: Risk;
  readonly scale: ScaleFacts | null | undefined;
}

/** The size of a request; null where it changes nothing for the flow, or where too little is known. */
export function judgeSize(input: SizeInput): Size | null {
  const { scale, risk } = input;
  const isFixed = CONDITIONS.gate_full.holds(input) || CONDITIONS.skips_exploration.holds(input);
  if (isFixed || !writesFiles(input) || scale === null || scale === undefined) return null;
  const because = formatReason(scale, risk);
  const signs = [
    risk === "HIGH",
    scale.users >= MANY_USERS,
    scale.reverted >= MANY_REVERTS,
    scale.troubled > 0,
  ].filter(Boolean).length;
  if (signs >= LARGE_SIGNS) return { level: "large", because };
  const isSmall = signs === 0 && scale.reverted === 0 && scale.missing === 0 &&
    scale.places > 0 && scale.places <= SMALL.places && scale.files.length <= SMALL.files &&
    scale.users <= SMALL.users && scale.tests > 0;
  return { level: isSmall ? "small" : "usual", because };
}

/** The facts in one sentence, for the user who may know better. */
function formatReason(scale: ScaleFacts, risk: Risk): string {
  const { places, files, users, ownUses = 0, tests, reverted, troubled, missing } = scale;
  const isWithin = users === 0 && ownUses > 0;
  const parts = [
    `${count(places, "definition")} in ${count(files.length, "file")}`,
    ...(missing === 0 ? [] : [`${count(missing, "target symbol")} not found`]),
    `${isWithin ? `${count(ownUses, "use")} in the same file` : count(users, "user")}, ${
      count(tests, "test file")
    }`,
    `${reverted === 0 ? "no late commit" : count(reverted, "late commit")} undone`,
    ...(troubled === 0 ? [] : [`${count(troubled, "earlier session")} there went wrong as small`]),
    ...(risk === "HIGH" ? ["the risk is HIGH"] : []),
  ];
  return parts.join(", ");
}

function count(total: number, what: string): string {
  return formatCount(total, what);
}

/** What the reply to an accepted frame says of the size, and how a person who knows better corrects it. */
export function formatSizeNote({ level, because }: Size): string {
  return `${level}: ${because}.${TEXTS[level]}`;
}

const TEXTS: Readonly<Record<Size["level"], string>> = {
  small: ` gate_level "full" with ${STEP.EXPLORATION}: every step.`,
  usual: "",
  large: " Every step runs.",
};

/** Why work that was judged small is no longer; null where it still is, or never was. */
export function findGrowth(
  size: Size | undefined,
  changes: readonly ChangedFile[] | undefined,
): string | null {
  if (size?.level !== "small" || changes === undefined) return null;
  const code = changes.filter(({ path, isTest }) => !isMarkupFile(path) && isTest !== true);
  const lines = code.reduce((sum, { lines = 0 }) => sum + lines, 0);
  const parts = [
    ...(code.length > GROWN.files ? [`${code.length} files of code changed`] : []),
    ...(lines > GROWN.lines ? [`${lines} lines of code changed`] : []),
  ];
  return parts.length === 0 ? null : parts.join(", ");
}
