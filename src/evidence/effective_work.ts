/** Takes changes without an effect out of a session's own work: brackets, `x = x`, a local variable of another name. */
import { languageOfPath, LANGUAGES } from "../language/languages.ts";
import type { LineHunk } from "../git/trees/changed_lines.ts";
import type { SyntaxNode } from "../syntax/tree_sitter.ts";
import { normaliseCode } from "../syntax/normal_form.ts";
import { parseText } from "../syntax/tree_sitter.ts";
import type { LineSpan } from "./empty/empty_tree.ts";
import type { ComparedText, OwnWork } from "./own_work.ts";

/** A longer text is compared as a whole alone: each part takes a parse (measured: 50 ms for so many characters). */
const MOST_CHARS = 200_000;
/** Most parts of a file that are compared by themselves (guessed). */
const MOST_PARTS = 20;

/**
 * The own work without changes that have no effect. What belongs together is compared together: the changes of one
 * function, and each change outside of functions. Nothing is taken out where a version cannot be parsed.
 */
export async function dropEffectless(own: OwnWork, compared: ComparedText): Promise<OwnWork> {
  const language = languageOfPath(compared.path);
  const bodies = LANGUAGES.find(({ name }) => name === language?.name)?.bodies;
  if (language === undefined || bodies === undefined) return own;
  if (own.lines.size === 0 && own.gaps.size === 0) return own;
  const { before, after, hunks } = compared;
  const toForm = (text: string) => normaliseCode(text, language.name, "effectless");
  const form = await toForm(after);
  if (form === null) return own;
  if (form === await toForm(before)) return { lines: new Set(), gaps: new Set() };
  if (Math.max(after.length, before.length) > MOST_CHARS) return own;
  const types = new Set(bodies.functions?.split(" ") ?? []);
  const parts = groupHunks(hunks, await listFunctions(after, language.name, types));
  if (parts.length < 2 || parts.length > MOST_PARTS) return own;
  const idle: LineHunk[] = [];
  for (const part of parts) {
    if (form === await toForm(revert(compared, part))) idle.push(...part);
  }
  return {
    lines: new Set([...own.lines].filter((line) => !idle.some((hunk) => holds(hunk, line)))),
    gaps: new Set(
      [...own.gaps].filter((line) =>
        !idle.some(({ newStart, newCount }) => newCount === 0 && newStart === line)
      ),
    ),
  };
}

function holds({ newStart, newCount }: LineHunk, line: number): boolean {
  return line >= newStart && line < newStart + newCount;
}

/** The changes by the outermost function that they are in; each other one alone. */
function groupHunks(
  hunks: readonly LineHunk[],
  functions: readonly LineSpan[],
): readonly (readonly LineHunk[])[] {
  const groups = new Map<LineSpan | LineHunk, LineHunk[]>();
  for (const hunk of hunks) {
    const holder = functions.find(({ start, end }) =>
      hunk.newStart <= end && hunk.newStart + Math.max(1, hunk.newCount) - 1 >= start
    );
    groups.set(holder ?? hunk, [...groups.get(holder ?? hunk) ?? [], hunk]);
  }
  return [...groups.values()];
}

/** The present text with some of its changes taken back. */
function revert({ before, after }: ComparedText, hunks: readonly LineHunk[]): string {
  const [old, lines] = [before.split("\n"), after.split("\n")];
  for (const { oldStart, oldCount, newStart, newCount } of [...hunks].reverse()) {
    const gone = old.slice(oldStart - 1, oldStart - 1 + oldCount);
    // A removal stands behind the line that is named; everything else at it.
    lines.splice(
      newCount === 0 ? newStart : newStart - 1,
      newCount,
      ...(oldCount === 0 ? [] : gone),
    );
  }
  return lines.join("\n");
}

async function listFunctions(
  text: string,
  language: string,
  types: ReadonlySet<string>,
): Promise<readonly LineSpan[]> {
  using tree = await parseText(text, language);
  const spans: LineSpan[] = [];
  const visit = (node: SyntaxNode) => {
    if (types.has(node.type)) {
      spans.push({ start: node.startPosition.row + 1, end: node.endPosition.row + 1 });
      return;
    }
    for (const child of node.namedChildren) if (child !== null) visit(child);
  };
  if (tree !== null) visit(tree.root);
  return spans;
}
