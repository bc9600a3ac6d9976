/** Questions about the past itself, loaded when one is asked. */
import { Late, later } from "../base/later.ts";
import type { PastReader, PastReaderOptions } from "./past_reader.ts";

/** Makes the reader; nothing is opened before the first question. */
export function createPastReader(options: PastReaderOptions): PastReader {
  const late = new Late(async () => (await import("./past_reader.ts")).createPastReader(options));
  return later<PastReader>(late, { readFile: true, rank: true });
}
