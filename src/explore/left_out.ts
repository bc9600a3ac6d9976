/** Says how many files the rules of the project keep out of the index, since an exact total does not count what they hold. */
import type { CodeIndex } from "../index/index_api.ts";
import type { IndexView } from "../index/read/view.ts";
import { RULE_REASONS } from "../index/scan/file_rules.ts";

const RULES: readonly string[] = Object.values(RULE_REASONS);

interface Counted {
  readonly stamp: string;
  readonly notices: readonly string[];
}

/** What was counted last of each index: counting ten thousand files takes longer than an answer. */
const COUNTED = new WeakMap<CodeIndex, Counted>();
/** The sentence that each index said last. */
const TOLD = new WeakMap<CodeIndex, string>();

/**
 * A sentence about the files that rules leave out of the index, told once and again only when it has become another
 * one: in each answer it is noise. Nothing where there are none.
 */
export function takeLeftOutNotices(view: IndexView, index: CodeIndex): readonly string[] {
  const notices = count(view, index);
  const [said = ""] = notices;
  if (TOLD.get(index) === said) return [];
  TOLD.set(index, said);
  return notices;
}

function count(view: IndexView, index: CodeIndex): readonly string[] {
  const stamp = view.stamp();
  const known = COUNTED.get(index);
  if (known?.stamp === stamp) return known.notices;
  const counts = view.countSkipped();
  const rules = RULES.filter((reason) => counts.has(reason));
  const files = rules.reduce((sum, reason) => sum + (counts.get(reason) ?? 0), 0);
  const notices = files === 0 ? [] : [toNotice(files, rules)];
  COUNTED.set(index, { stamp, notices });
  return notices;
}

function toNotice(files: number, rules: readonly string[]): string {
  const [what, they] = files === 1
    ? ["1 file is", "it holds"]
    : [`${files} files are`, "they hold"];
  return `${what} left out of the index (${rules.join(", ")}): what ${they} is not counted here.`;
}
