/** Checks what every list of chunks must hold: in order, disjoint, bounded, covering. Pure. */
import type { Analysis } from "../../src/analysis/analysis.ts";

/** What is wrong with the chunks of a text, one sentence a fault. */
export function findChunkFaults(
  text: string,
  { chunks, symbols, lineCount }: Analysis,
  maxChars: number,
): string[] {
  const lines = text.split("\n");
  const faults: string[] = [];
  let last = 0;
  const missed = (from: number, to: number) => {
    for (let line = from; line <= to; line++) {
      if ((lines[line - 1] ?? "").trim() !== "") faults.push(`Line ${line} is in no chunk.`);
    }
  };
  for (const { startLine, endLine } of chunks) {
    if (startLine <= last) faults.push(`Chunk ${startLine}-${endLine} begins before line ${last}.`);
    if (endLine < startLine) faults.push(`Chunk ${startLine}-${endLine} ends before its begin.`);
    missed(last + 1, startLine - 1);
    const chars = lines.slice(startLine - 1, endLine).join("\n").length + 1;
    if (endLine > startLine && chars > maxChars) {
      faults.push(`Chunk ${startLine}-${endLine} has ${chars} characters.`);
    }
    last = endLine;
  }
  missed(last + 1, lines.length);
  if (last > lineCount) faults.push(`The last chunk ends after line ${lineCount}.`);
  symbols.forEach(({ parent, line, startLine, endLine, name }, index) => {
    if (parent !== null && parent >= index) faults.push(`${name} comes before what holds it.`);
    if (line < startLine || line > endLine) faults.push(`${name} is not on its own lines.`);
  });
  return faults;
}
