/** Every place of a word by `rg -w`, which knows nothing of languages. */
import { runProcess } from "../../src/base/processes/process.ts";

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
