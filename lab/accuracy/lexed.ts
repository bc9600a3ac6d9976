/** What a lexer that is independent of our grammars says of each place: the judge between `rg` and us. */
import { fileURLToPath } from "node:url";
import { readOutput, requireOutput } from "../harness/run.ts";

/** What stands at a place. */
export type PlaceClass = "code" | "comment" | "string" | "keyword" | "directive";

/** Part of a line: begin and end in bytes from the begin of the line, and its class. */
export type Span = readonly [startByte: number, endByte: number, kind: PlaceClass];

type Lexed = readonly [line: number, ...Span];

/** Spans by line of one file. */
export type LexedFile = ReadonlyMap<number, readonly Span[]>;

const SCRIPT = fileURLToPath(new URL("lex.py", import.meta.url));

/** Lexes files; `languages` has the language of each path below `root`. Files without a lexer are left out. */
export async function lexFiles(
  root: string,
  languages: ReadonlyMap<string, string>,
): Promise<Map<string, LexedFile>> {
  const stdin = [...languages].map(([path, language]) => `${language}\t${path}\n`).join("");
  return parseLexed(await requireOutput("python3", [SCRIPT], { cwd: root, stdin }));
}

/** Version of Pygments; null when python or Pygments is missing. */
export function findPygments(): Promise<string | null> {
  return readOutput("python3", [SCRIPT, "--version"]);
}

/** Reads the lines of `lex.py`. Pure. */
export function parseLexed(output: string): Map<string, LexedFile> {
  const files = new Map<string, LexedFile>();
  for (const row of output.split("\n")) {
    if (row === "") continue;
    const { path, spans, reason } = JSON.parse(row);
    if (reason !== undefined) continue;
    const lines = Map.groupBy(spans as readonly Lexed[], ([line]) => line);
    files.set(
      path,
      new Map([...lines].map(([line, own]) => [line, own.map(([, ...span]): Span => span)])),
    );
  }
  return files;
}

/** What stands at a byte of a line. Pure. */
export function classAt(file: LexedFile, line: number, byte: number): PlaceClass {
  const span = file.get(line)?.find(([start, end]) => byte >= start && byte < end);
  return span === undefined ? "code" : span[2];
}
