/**
 * The mutants of this program's own source: those that a session of a project tries, and beside them what goes wrong in an
 * engine of rules: one side of a joined condition left out, a guard that never holds, a part of an object left out, a field
 * taken for its neighbour.
 */
import EQUIVALENT from "./equivalent.json" with { type: "json" };
import { createHash } from "node:crypto";
import { join } from "node:path";
import { listTests } from "../../tools/quick_tests/run.ts";
import { findMutants } from "../../src/features/mutants/find_mutants.ts";
import type { Mutant } from "../../src/features/mutants/mutant_rules.ts";
import { PASSED_OVER, UNSAFE } from "../../src/features/mutants/mutant_rules.ts";
import type { SyntaxNode } from "../../src/syntax/tree_sitter.ts";
import { parseText } from "../../src/syntax/tree_sitter.ts";

/** A mutant with the whole line that it changes. */
export interface ChosenMutant extends CoreMutant {
  readonly text: string;
  readonly folder: string;
}

/**
 * All mutants of a folder, in an order that the seed says.
 *
 * @param root absolute path of the checkout.
 * @param folder name of a folder of `src`.
 */
export async function rankMutants(
  root: string,
  folder: string,
  seed: string,
): Promise<readonly ChosenMutant[]> {
  const found: ChosenMutant[] = [];
  for (const path of await listTests(root, [`src/${folder}`], /\.ts$/)) {
    const text = await Deno.readTextFile(join(root, path));
    found.push(...(await findCoreMutants(path, text)).map((one) => ({ ...one, text, folder })));
  }
  return found.filter((one) => !isEquivalent(one))
    .map((one) => ({ one, rank: toRank(one, seed) }))
    .sort((a, b) => a.rank < b.rank ? -1 : 1)
    .map(({ one }) => one);
}

/** Of the words of the change alone: where the line stands does not count. */
function toRank({ path, kind, before, after, text, start }: ChosenMutant, seed: string): string {
  const from = text.lastIndexOf("\n", start) + 1;
  const line = text.slice(from, text.indexOf("\n", start));
  const words = [seed, path, kind, line.trim(), start - from, before, after];
  return createHash("sha256").update(words.join("\0")).digest("hex");
}

/** Whether a mutant changes nothing that can be seen, by the table: no test can tell it apart, so it is not tried. */
function isEquivalent({ path, before, after, text, line }: ChosenMutant): boolean {
  const whole = text.split("\n")[line - 1]?.trim();
  return EQUIVALENT.some((one) =>
    one.path === path && one.before === before && one.after === after && one.line === whole
  );
}

/** One small change of a source file. */
export interface CoreMutant extends Omit<Mutant, "kind"> {
  readonly kind: string;
}

type Add = (kind: string, node: SyntaxNode, after: string) => void;

/** What each kind of node is replaced by. */
const RULES: Readonly<Record<string, (node: SyntaxNode, add: Add, names: Names) => void>> = {
  binary_expression(node, add) {
    const [left, sign, right] = node.children;
    if (!left || !right || !/^(?:&&|\|\|)$/.test(sign?.text ?? "")) return;
    add("side", node, left.text);
    add("side", node, right.text);
  },
  if_statement(node, add) {
    const condition = node.childForFieldName("condition");
    if (condition !== null) add("guard", condition, "(false)");
  },
  object(node, add) {
    for (const part of node.namedChildren) {
      if (part !== null && !/comment/.test(part.type)) add("part", part, "");
    }
  },
  expression_statement(node, add) {
    if (/assignment|update/.test(node.firstNamedChild?.type ?? "")) add("statement", node, ";");
  },
  member_expression(node, add, names) {
    const [object, property] = [
      node.childForFieldName("object"),
      node.childForFieldName("property"),
    ];
    if (object === null || property === null || node.parent?.type === "call_expression") return;
    const others = [...names.get(object.text) ?? []];
    const at = others.indexOf(property.text);
    const other = others[(at + 1) % others.length];
    if (at >= 0 && other !== undefined && others.length > 1) add("field", property, other);
  },
};

/** The fields that a file reads of each object, by the object's text. */
type Names = ReadonlyMap<string, ReadonlySet<string>>;

/** The mutants of a file, in the order of its lines. */
export async function findCoreMutants(path: string, text: string): Promise<readonly CoreMutant[]> {
  // The rules below leave out sides and guards in words of their own, which the table of equivalent ones knows.
  const found: CoreMutant[] = (await findMutants({ path, text, ranges: [{ start: 1, end: 1e6 }] }))
    .filter(({ kind }) => kind !== "logical" && kind !== "branch");
  using tree = await parseText(text, "TypeScript");
  if (tree === null) return found;
  const names = readNames(tree.root);
  visit(tree.root, false);
  return found.toSorted((a, b) => a.start - b.start || a.end - b.end);

  function visit(node: SyntaxNode, isInFunction: boolean): void {
    if (PASSED_OVER.test(node.type)) return;
    const isFunction = /function|method/.test(node.type);
    // The guards of what removes files or ends processes are left as they are.
    if (isFunction && !isInFunction && UNSAFE.test(node.text)) return;
    RULES[node.type]?.(node, add, names);
    node.namedChildren.forEach((child) => child && visit(child, isInFunction || isFunction));
  }

  function add(kind: string, node: SyntaxNode, after: string): void {
    const { startIndex: start } = node;
    // With a part of an object its comma goes.
    const end = node.endIndex + (kind === "part" && text[node.endIndex] === "," ? 1 : 0);
    const before = text.slice(start, end);
    found.push({ path, line: node.startPosition.row + 1, kind, start, end, before, after });
  }
}

function readNames(root: SyntaxNode): Names {
  const names = new Map<string, Set<string>>();
  for (const node of root.descendantsOfType("member_expression")) {
    const object = node?.childForFieldName("object")?.text;
    const property = node?.childForFieldName("property")?.text;
    if (object === undefined || property === undefined) continue;
    if (node?.parent?.type === "call_expression") continue;
    names.set(object, (names.get(object) ?? new Set()).add(property));
  }
  return names;
}
