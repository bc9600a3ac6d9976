/** Chooses the names whose references are compared: always the same ones, spread over the kinds. Pure. */

/** A name that is defined, with the kind of its first definition. */
export interface DefinedName {
  readonly name: string;
  readonly kind: string;
}

const PLAIN = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** Names that stand alone, and names that stand everywhere, say little. */
const MENTIONS = { least: 2, most: 200 } as const;

/** How often each word stands in the texts, whatever it means there. */
export function countWords(texts: Iterable<readonly string[]>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const lines of texts) {
    for (const line of lines) {
      for (const [word] of line.matchAll(WORD)) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return counts;
}

/**
 * Up to `count` names that are mentioned 2 to 200 times: one kind after the other gives one, in an order
 * that a hash of the name decides.
 */
export function pickNames(
  defined: readonly DefinedName[],
  mentions: ReadonlyMap<string, number>,
  count: number,
): DefinedName[] {
  const seen = new Set<string>();
  const fit = defined.filter(({ name }) => {
    const times = mentions.get(name) ?? 0;
    const isNew = !seen.has(name);
    seen.add(name);
    return isNew && PLAIN.test(name) && times >= MENTIONS.least && times <= MENTIONS.most;
  });
  const byKind = [...Map.groupBy(fit, ({ kind }) => kind)]
    .sort(([a], [b]) => a < b ? -1 : 1)
    .map(([, names]) =>
      names.sort((a, b) => hash(a.name) - hash(b.name) || (a.name < b.name ? -1 : 1))
    );
  const picked: DefinedName[] = [];
  for (let turn = 0; picked.length < count; turn++) {
    const before = picked.length;
    for (const names of byKind) {
      const next = names[turn];
      if (next !== undefined && picked.length < count) picked.push(next);
    }
    if (picked.length === before) break;
  }
  return picked;
}

/** FNV-1a over UTF-16 units. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  return value;
}
