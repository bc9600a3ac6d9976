/** The settings of a project as they are now: both configuration files, read again when they change. */
import { join } from "node:path";
import type { ContextSettings, LoadedConfig } from "../base/settings/config.ts";
import type { Checked } from "../base/settings/config_check.ts";
import { checkContext, DEFAULT_CONTEXT, loadConfig } from "../base/settings/config.ts";
import { readStampText } from "../base/files/file_stamp.ts";
import { readControlFile } from "../base/files/control_file.ts";
import { toProblem } from "../base/problem.ts";
import { loadYaml } from "./load_yaml.ts";

/** Everything that a project sets. */
export interface Settings {
  readonly config: LoadedConfig;
  readonly context: Checked<ContextSettings>;
}

/** Gives the settings as the disk has them. */
export interface SettingsReader {
  read(): Promise<Settings>;
}

/** Where settings come from. */
export interface SettingsOptions {
  /** Absolute path of the project's `.code-intel` folder. */
  readonly codeIntelDir: string;
  /** Value of a variable of the environment. */
  readonly get: (name: string) => string | undefined;
}

/** Makes a reader that parses a file only when its time or size has changed. */
export function createSettingsReader(options: SettingsOptions): SettingsReader {
  const { codeIntelDir, get } = options;
  const config = cacheByStamp(
    join(codeIntelDir, "config.json"),
    () => Promise.resolve(loadConfig(codeIntelDir, { get })),
  );
  const context = cacheByStamp(
    join(codeIntelDir, "context.yml"),
    () => loadContext(codeIntelDir),
  );
  return {
    read: async () => ({ config: await config(), context: await context() }),
  };
}

/** Reads `context.yml`; the built-in values hold for what is missing or wrong. */
export async function loadContext(codeIntelDir: string): Promise<Checked<ContextSettings>> {
  const reading = readControlFile(join(codeIntelDir, "context.yml"), "context");
  if (reading.kind === "absent") return { values: DEFAULT_CONTEXT, warnings: [] };
  if (reading.kind === "unusable") return { values: DEFAULT_CONTEXT, warnings: [reading.problem] };
  const { LineCounter, parseBounded } = await loadYaml();
  const lines = new LineCounter();
  const document = parseBounded(reading.text, { lineCounter: lines, prettyErrors: false });
  const where = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `line ${line}, column ${col}`;
  };
  const file = ".code-intel/context.yml";
  const fault = (message: string) => ({
    values: DEFAULT_CONTEXT,
    warnings: [
      toProblem("config_invalid", message, {
        path: file,
        hint: "Correct the file; until then the built-in values hold.",
      }),
    ],
  });
  const error = document.errors[0];
  if (error !== undefined) return fault(`${error.message} (${file}, ${where(error.pos[0])})`);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    return fault(`${cause instanceof Error ? cause.message : String(cause)} (${file})`);
  }
  return checkContext(value, (path) => where(findOffset(document, path)));
}

/** The nearest node at or above a path that has a place in the text. */
function findOffset(
  document: { getIn(path: Iterable<unknown>, keepScalar: boolean): unknown },
  path: readonly PropertyKey[],
): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    const range = typeof node === "object" && node !== null && "range" in node ? node.range : null;
    if (Array.isArray(range) && typeof range[0] === "number") return range[0];
  }
  return 0;
}

function cacheByStamp<T>(path: string, load: () => Promise<T>): () => Promise<T> {
  let cached: { readonly stamp: string | null; readonly value: T } | null = null;
  return async () => {
    // What is wrong with the file is said by the reading, each time.
    const stamp = readStampText(path);
    if (cached === null || cached.stamp !== stamp) cached = { stamp, value: await load() };
    return cached.value;
  };
}
