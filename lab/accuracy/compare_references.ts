/** Compares, line by line, where we find a name with where `rg` and an independent lexer do. Pure. */
import type { LexedFile, PlaceClass } from "./lexed.ts";
import { classAt } from "./lexed.ts";
import type { WordHit } from "./ripgrep_hits.ts";

/** A line that names something; `byte` is that of its first mention. */
export interface NamedLine {
  readonly path: string;
  readonly line: number;
  readonly byte: number;
  /** What the lexer says of the place. */
  readonly place: PlaceClass;
}

/** Lines that both name, and lines that only one does. */
export interface ComparedLines {
  readonly both: number;
  readonly onlyRipgrep: readonly NamedLine[];
  readonly onlyOurs: readonly NamedLine[];
}

/** A hit counts unless every mention on its line stands in a comment or a string. */
export function compareLines(
  ours: readonly WordHit[],
  theirs: readonly WordHit[],
  lexed: ReadonlyMap<string, LexedFile>,
): ComparedLines {
  const known = ours.filter(({ path }) => lexed.has(path));
  const all = Map.groupBy(
    theirs.flatMap((hit): NamedLine[] => {
      const file = lexed.get(hit.path);
      return file === undefined ? [] : [{ ...hit, place: classAt(file, hit.line, hit.byte) }];
    }),
    ({ path, line }) => `${path}\0${line}`,
  );
  const found = new Map(known.map((hit) => [`${hit.path}\0${hit.line}`, hit]));
  let both = 0;
  const onlyRipgrep: NamedLine[] = [];
  const counted = new Set<string>();
  for (const [key, mentions] of all) {
    const code = mentions.find(({ place }) => place !== "comment" && place !== "string");
    if (code === undefined) continue;
    counted.add(key);
    if (found.has(key)) both++;
    else onlyRipgrep.push(code);
  }
  const onlyOurs = [...found].filter(([key]) => !counted.has(key)).map(([key, hit]): NamedLine => ({
    ...hit,
    place: all.get(key)?.[0]?.place ?? "code",
  }));
  return { both, onlyRipgrep, onlyOurs };
}
