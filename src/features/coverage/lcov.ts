/** Reads LCOV trace files, as gcov, c8, nyc, jest, vitest, coverage.py, cargo llvm-cov, Dart and many others write them. Pure. */
import type { CoverageFormat } from "./hits.ts";
import { eachLine, HitTally } from "./hits.ts";

/** A record is `SF:<file>`, then `DA:<line>,<count>` for each line, then `end_of_record`. */
export const readLcov: CoverageFormat = (text, isWanted) => {
  if (!/^(?:TN:|SF:)/m.test(text.slice(0, 10_000))) return null;
  const tally = new HitTally();
  let name: string | null = null;
  for (const line of eachLine(text)) {
    if (line.startsWith("SF:")) {
      const file = line.slice(3).trim();
      name = isWanted(file) ? file : null;
    } else if (line.startsWith("end_of_record")) name = null;
    else if (name !== null && line.startsWith("DA:")) {
      const [number = "", count = ""] = line.slice(3).split(",", 2);
      if (/^-?\d/.test(count)) tally.add(name, Number(number), Number.parseFloat(count) > 0);
    }
  }
  return tally.toReport("LCOV");
};
