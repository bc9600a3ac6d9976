/** What a lexer that is independent of our grammars says of each place: the judge between `rg` and us. */
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { runProcess } from "../../src/base/processes/process.ts";

/** What stands at a place. */
export type PlaceClass = "code" | "comment" | "string" | "keyword" | "directive";

/** Part of a line: begin and end in bytes from the begin of the line, and its class. */
export type Span = readonly [startByte: number, endByte: number, kind: PlaceClass];

/** Spans by line of one file. */
export type LexedFile = ReadonlyMap<number, readonly Span[]>;

const SCRIPT = join(fileURLToPath(new URL(".", import.meta.url)), "lex.py");

/** Lexes files; `languages` has the language of each path below `root`. Files without a lexer are left out. */
export async function lexFiles(
  root: string,
  languages: ReadonlyMap<string, string>,
): Promise<Map<string, LexedFile>> {
  const { code, stdout, stderr } = await runProcess("python3", [SCRIPT], {
    cwd: root,
    stdin: [...languages].map(([path, language]) => `${language}\t${path}\n`).join(""),
    timeoutMs: 600_000,
    maxOutputBytes: 1024 ** 3,
  });
  if (code !== 0) throw new Error(`lex.py ended with ${code}: ${stderr}`);
  return parseLexed(new TextDecoder().decode(stdout));
}

/** Version of Pygments; null when python or Pygments is missing. */
export async function findPygments(): Promise<string | null> {
  try {
    const { code, stdout } = await runProcess("python3", [SCRIPT, "--version"]);
    return code === 0 ? new TextDecoder().decode(stdout).trim() : null;
  } catch {
    return null;
  }
}

/** Reads the lines of `lex.py`. Pure. */
export function parseLexed(output: string): Map<string, LexedFile> {
  const files = new Map<string, LexedFile>();
  for (const row of output.split("\n")) {
    if (row === "") continue;
    const { path, spans, reason } = JSON.parse(row);
    if (reason !== undefined) continue;
    const lines = new Map<number, Span[]>();
    for (const [line, start, end, kind] of spans) {
      const known = lines.get(line);
      if (known === undefined) lines.set(line, [[start, end, kind]]);
      else known.push([start, end, kind]);
    }
    files.set(path, lines);
  }
  return files;
}

/** What stands at a byte of a line. Pure. */
export function classAt(file: LexedFile, line: number, byte: number): PlaceClass {
  const span = file.get(line)?.find(([start, end]) => byte >= start && byte < end);
  return span === undefined ? "code" : span[2];
}
