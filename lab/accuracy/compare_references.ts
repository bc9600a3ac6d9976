/** Compares, line by line, where we find a name with where `rg` and an independent lexer do. Pure. */
import { runProcess } from "../../src/base/processes/process.ts";
import type { LexedFile, PlaceClass } from "./lexed.ts";
import { classAt } from "./lexed.ts";

/** One place of a word. */
export interface WordHit {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** Bytes from the begin of the line. */
  readonly byte: number;
}

/** Places of `word` below `root`, in whatever files. */
export async function findWord(root: string, word: string): Promise<WordHit[]> {
  const { code, stdout, stderr } = await runProcess("rg", [
    "--no-config",
    "--json",
    "--no-ignore",
    "--hidden",
    "--word-regexp",
    "--fixed-strings",
    "-e",
    word,
    "./",
  ], { cwd: root, timeoutMs: 60_000 });
  if (code > 1) throw new Error(`rg ended with ${code}: ${stderr}`);
  return parseHits(new TextDecoder().decode(stdout));
}

/** Reads the JSON lines of `rg`; a line that is no UTF-8 is left out. Pure. */
export function parseHits(output: string): WordHit[] {
  return output.split("\n").flatMap((row): WordHit[] => {
    if (!row.startsWith('{"type":"match"')) return [];
    const { data } = JSON.parse(row);
    if (data.path.text === undefined || data.lines.text === undefined) return [];
    const path = data.path.text.replace(/^\.\//, "");
    return data.submatches.map(({ start }: { readonly start: number }) => ({
      path,
      line: data.line_number,
      byte: start,
    }));
  });
}

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
