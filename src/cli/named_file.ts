/** Reads a file that a person names on the command line: a regular file, up to the bound that standard input has. */
import { parse, resolve } from "node:path";
import { CodeIntelError } from "../base/errors.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { readRegularFile, toText } from "../base/files/regular_file.ts";

/**
 * The text of the file.
 *
 * @throws {CodeIntelError} `io_failed` when it is absent, no regular file, or too large.
 */
export function readNamedFile(name: string): string {
  const path = resolve(name);
  const maxBytes = LIMITS.inputBytes.value;
  const reading = readRegularFile(path, { within: parse(path).root, maxBytes });
  if (reading.kind === "read") return toText(reading.bytes);
  const reason = reading.kind === "absent" ? "there is no such file" : reading.reason;
  throw new CodeIntelError("io_failed", `Cannot read "${name}": ${reason}`, {
    hint: "Name a regular file. What another program writes is read from standard input, as `-`.",
  });
}
