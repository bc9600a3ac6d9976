/** What every task does alike. A wrong use is told by one sentence, the line that is right, and exit code 64; never a stack. */
import type { ParseArgsConfig } from "node:util";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const BAD_USAGE = 64;

/** Absolute path of the repository. */
export const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));

/** Prints a line. */
export function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

/** Ends the task with a sentence on standard error, and with how it is called. */
export function endWrongUse(sentence: string, usage: string): never {
  const text = `${sentence.replace(/[.]?$/, ".")}\nUse: ${usage}\n`;
  Deno.stderr.writeSync(new TextEncoder().encode(text));
  Deno.exit(BAD_USAGE);
}

/** `parseArgs` of Node, which ends the task where a word is not expected. */
export function parseWords<Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (failure) {
    const isWrongUse = failure instanceof TypeError && "code" in failure &&
      String(failure.code).startsWith("ERR_PARSE_ARGS");
    if (!isWrongUse) throw failure;
    // The rest of the runtime's message is about words that begin with a dash.
    return endWrongUse(failure.message.replace(/\. [\s\S]*$/, ""), usage);
  }
}

/** Ends the task where a path that was named is not there. */
export async function expectPaths(usage: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const isThere = await Deno.stat(path).then(() => true, () => false);
    if (!isThere) endWrongUse(`There is no ${path}`, usage);
  }
}
