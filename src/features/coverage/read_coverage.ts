/** Finds out which format a coverage file has, and reads it. Pure. */
import { readCobertura } from "./cobertura.ts";
import { readGoCover } from "./go_cover.ts";
import type { CoverageFormat } from "./hits.ts";
import { readLcov } from "./lcov.ts";

/** Every known format of a file by itself; what V8 writes needs the sources beside it (`v8.ts`). */
const FORMATS: readonly CoverageFormat[] = [readLcov, readGoCover, readCobertura];

/**
 * What a coverage file says of the wanted files; null where it has no known format.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { readCoverage } from "./read_coverage.ts";
 * const report = readCoverage("SF:src/a.js\nDA:1,1\nDA:2,0\nend_of_record\n", () => true);
 * equal(report?.format, "LCOV");
 * equal(report?.files.get("src/a.js")?.get(2), false);
 * ```
 */
export const readCoverage: CoverageFormat = (text, isWanted) => {
  for (const read of FORMATS) {
    const report = read(text, isWanted);
    if (report !== null) return report;
  }
  return null;
};
