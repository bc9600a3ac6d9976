/**
 * Watches runs of Node: each of its processes loads the tracer by `NODE_OPTIONS`. The tracer tells offsets in the text that
 * V8 ran; here they become lines of the project's files, by source maps where that text was made of another one.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TraceMap } from "@jridgewell/trace-mapping";
import { traceSegment } from "@jridgewell/trace-mapping";
import { readRegularText } from "../../../base/files/regular_file.ts";
import { parseRepoPath } from "../../../base/repo_path.ts";
import { LIMITS } from "../../../base/settings/limits.ts";
import { parseJson } from "../../../base/text/json_record.ts";
import { readSourceMap } from "../lines/v8.ts";
import type { RanFunction, WatchContext } from "../record/recording.ts";
import { layOutFile, makeInsideWay } from "./inside.ts";

/** The way. Runners hide frames of folders called `node_modules` in what they print of errors. */
export const NODE_WAY = makeInsideWay({
  variable: "NODE_OPTIONS",
  layOut: async ({ folder }) => {
    const file = "node_modules/code_intel_runs.cjs";
    const path = await layOutFile(folder, file, "src/features/runs/tracers/node.cjs");
    return `--require ${JSON.stringify(path)}`;
  },
  join: (own, others) => `${others} ${own}`,
  why: "No test was watched: the command, or the script that it runs, may set NODE_OPTIONS itself.",
  options: (context, channel) => {
    const texts = new Texts(context, channel);
    return { place: (told) => texts.place(told) };
  },
});

/** The texts of scripts lie in the channel, and the path of a function names its text. */
const KEPT_TEXT = /^(.*?)(?:\?([\da-f]{40}))?(@)?$/s;
/** Of a sampled frame the tracer tells line and column, in one number, in place of an offset. */
const LINE_PLACES = 2 ** 20;

/** A text that ran. */
interface RanText {
  /** Offset of each line. */
  readonly starts: readonly number[];
  /** Null where the text is that of the file, line by line. */
  readonly map: TraceMap | null;
}

/** The texts that ran, each read once. */
class Texts {
  readonly #context: WatchContext;
  readonly #channel: string;
  readonly #read = new Map<string, RanText | null>();

  constructor(context: WatchContext, channel: string) {
    this.#context = context;
    this.#channel = channel;
  }

  /** The function at its line in the project; null for what is no code of the project. */
  place({ path: told, line: place, name }: RanFunction): RanFunction | null {
    const [, path = told, kept = "", isFrame] = KEPT_TEXT.exec(told) ?? [];
    const key = `${path}?${kept}`;
    const text = this.#read.has(key) ? this.#read.get(key) : this.#load(path, kept);
    this.#read.set(key, text ?? null);
    if (!text) return null;
    const isOffset = isFrame === undefined;
    const line = isOffset ? findLine(text.starts, place) : Math.floor(place / LINE_PLACES);
    const column = isOffset ? place - (text.starts[line] ?? 0) : place % LINE_PLACES;
    if (text.map === null) return this.#check(path, line, name);
    const [, source, sourceLine = 0] = traceSegment(text.map, line, column) ?? [];
    const url = source === undefined ? "" : text.map.resolvedSources[source] ?? "";
    return this.#check(this.#toPath(url), sourceLine, name);
  }

  #check(path: string, line: number, name: string): RanFunction | null {
    return this.#context.isSource(path) ? { path, line: line + 1, name } : null;
  }

  #load(path: string, kept: string): RanText | null {
    const text = kept === ""
      ? this.#readText(path)
      : readRegularText(join(this.#channel, `${kept}.txt`), {
        within: this.#channel,
        maxBytes: LIMITS.wholeFileBytes.value,
      });
    if (text === undefined) return null;
    const starts = [0];
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
    return { starts, map: this.#readMap(path, text) };
  }

  /** The map that a text names, inside or beside it; null where it names none that can be read. */
  #readMap(path: string, text: string): TraceMap | null {
    const url = [...text.matchAll(/^\s*\/\/[#@] sourceMappingURL=(\S+)/gm)].at(-1)?.[1] ?? "";
    const [, coding, data] = /^data:[^,]*?(;base64)?,(.*)$/s.exec(url) ?? [];
    const beside = join(dirname(path), url);
    if (data === undefined) {
      return url === "" ? null : readSourceMap(parseJson(this.#readText(beside) ?? ""), beside);
    }
    try {
      const bytes = coding === undefined ? decodeURIComponent(data) : decode(data);
      return readSourceMap(parseJson(bytes), path);
    } catch {
      return null;
    }
  }

  #readText(path: string): string | undefined {
    const { root } = this.#context;
    const bounds = { within: root, maxBytes: LIMITS.wholeFileBytes.value };
    return readRegularText(join(root, path), bounds);
  }

  /** A path or `file:` URL relative to the root; empty outside. */
  #toPath(url: string): string {
    const file = url.startsWith("file:") ? fileURLToPath(url) : url;
    const found = parseRepoPath(this.#context.root, file.replace(/[?#].*$/s, ""));
    return found.kind === "path" ? found.path : "";
  }
}

function decode(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
}

/** The line of an offset, from 0, by the offsets of all lines. */
function findLine(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
