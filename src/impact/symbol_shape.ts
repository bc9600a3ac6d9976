/** Questions about the shape of definitions that the graph asks everywhere. Pure. */
import type { SymbolHit } from "../index/read/view.ts";
import { isCallable as runs, isOpenSpace, isType as hasMembers } from "../language/kinds.ts";

/** Names under which languages call what makes an object: who makes one names the type. */
const MAKERS = new Set(["constructor", "__init__", "__construct", "__new__"]);
/** Names that are plain words in other languages. */
const OWN_MAKERS: Readonly<Record<string, string>> = { Ruby: "initialize", Swift: "init" };

/** Whether a definition is a type that others can be made from. */
export function isType({ kind }: SymbolHit): boolean {
  return hasMembers(kind);
}

/** Whether a definition is a type that only says which members another one has. */
export function isInterface({ kind, bases }: SymbolHit): boolean {
  return /^(?:interface|protocol|trait)$/.test(kind) ||
    bases?.some((base) => /(?:^|\.)Protocol$/.test(base)) === true;
}

/** Whether a definition has a body that runs. */
export function isCallable({ kind }: SymbolHit): boolean {
  return runs(kind);
}

/** Whether a definition is what makes objects of the type that holds it. */
export function makesObjects({ name, kind, language }: SymbolHit): boolean {
  return kind === "constructor" ||
    (MAKERS.has(name) || OWN_MAKERS[language ?? ""] === name) && runs(kind);
}

/** One definition of one state of the index. */
export function symbolKey({ path, position, qualifiedName }: SymbolHit): string {
  return `${path}\0${position}\0${qualifiedName}`;
}

/** The definition that holds another one; null at the top, and for what only a namespace holds. */
export function holderOf(hit: SymbolHit, own: readonly SymbolHit[]): SymbolHit | null {
  const holder = hit.parent === null ? undefined : own[hit.parent];
  return holder === undefined || isOpenSpace(holder.kind) ? null : holder;
}

/** Whether other code than the function round it can name the definition. */
export function isVisible(hit: SymbolHit, own: readonly SymbolHit[]): boolean {
  if (isOpenSpace(hit.kind)) return false;
  for (let at = holderOf(hit, own); at !== null; at = holderOf(at, own)) {
    if (isCallable(at)) return false;
  }
  return true;
}

/** The innermost definition round a line that other code can name. */
export function findEnclosing(own: readonly SymbolHit[], line: number): SymbolHit | null {
  let best: SymbolHit | null = null;
  for (const hit of own) {
    if (line < hit.startLine || hit.endLine < line || !isVisible(hit, own)) continue;
    const isInner = best === null || hit.endLine - hit.startLine <= best.endLine - best.startLine;
    if (isInner) best = hit;
  }
  return best;
}
