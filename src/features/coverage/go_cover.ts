/** Reads cover profiles of `go test -coverprofile`. Pure. */
import type { CoverageFormat } from "./hits.ts";
import { eachLine, HitTally } from "./hits.ts";

/** `import/path/file.go:<line>.<column>,<line>.<column> <statements> <count>`. */
const BLOCK = /^(.+):(\d{1,9})\.\d{1,9},(\d{1,9})\.\d{1,9} (\d{1,9}) (\d{1,18})$/;

/** Files are named by the path of their module; a block is a run of statements, given by its lines. */
export const readGoCover: CoverageFormat = (text, isWanted) => {
  if (!/^mode: (?:set|count|atomic)\r?$/m.test(text.slice(0, 1_000))) return null;
  const tally = new HitTally();
  for (const line of eachLine(text)) {
    const [, name = "", start, end, statements, count] = BLOCK.exec(line) ?? [];
    if (name === "" || statements === "0" || !isWanted(name)) continue;
    tally.addRange(name, { start: Number(start), end: Number(end) }, Number(count) > 0);
  }
  return tally.toReport("Go cover profile");
};
