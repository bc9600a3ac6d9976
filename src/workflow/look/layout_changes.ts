/**
 * Finds the changed files of which only the layout is other: what a formatter does. The two versions are compared by their
 * syntax trees, comments included; where that says nothing, the change counts as any other.
 */
import { BoundedMap } from "../../base/once.ts";
import type { TreePath } from "../../base/paths.ts";
import type { Trees } from "../../ledger/trees.ts";
import { languageOfPath } from "../../language/languages.ts";
import { isSameCode } from "../../syntax/normal_form.ts";

/** More files at once are left to the agent, who can clear them by a glob (guessed: some 5 s of parsing). */
const MOST_FILES = 500;
/** Longer texts are hardly written by hand (guessed). */
const MOST_CHARS = 1024 * 1024;

/** Answers by states and path: as long as a finding is not settled, each call asks the same. */
const known = new BoundedMap<string, boolean>(4 * MOST_FILES);

/** Two states of the working files. */
interface States {
  readonly from: string;
  readonly to: string;
}

/** Those of the files of which the two states have the same code in another layout, with the same rights. */
export async function findLayoutChanges(
  trees: Pick<Trees, "changes" | "readText">,
  { from, to, paths }: States & { readonly paths: readonly TreePath[] },
): Promise<ReadonlySet<TreePath>> {
  const wanted = paths.filter((path) => languageOfPath(path) !== undefined);
  if (wanted.length === 0 || wanted.length > MOST_FILES) return new Set();
  const changes = await trees.changes(from, to, wanted);
  const found = new Set<TreePath>();
  for (const { path, kind, modeChanged, isBinary } of changes) {
    if (kind !== "modified" || modeChanged || isBinary === true) continue;
    const key = `${from}\0${to}\0${path}`;
    const isLayout = known.get(key) ?? await compare(trees, { from, to }, path);
    known.set(key, isLayout);
    if (isLayout) found.add(path);
  }
  return found;
}

async function compare(
  trees: Pick<Trees, "readText">,
  { from, to }: States,
  path: TreePath,
): Promise<boolean> {
  const language = languageOfPath(path)?.name;
  const [before, after] = await Promise.all([
    trees.readText(from, path),
    trees.readText(to, path),
  ]);
  if (language === undefined || !isComparable(before) || !isComparable(after)) return false;
  return await isSameCode(before, after, { language, ignoring: "layout" }) === true;
}

/** Bytes that are no text are replaced when they are read, so that two of them would look alike. */
function isComparable(text: string | null): text is string {
  return text !== null && text.length <= MOST_CHARS && !text.includes("\uFFFD");
}
