/**
 * Watches runs of Node: each of its processes loads the tracer by `NODE_OPTIONS`. The tracer tells offsets in the text that
 * V8 ran; here they become lines of the project's files, by source maps where that text was made of another one.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeOwnFolder, writeOwnFile } from "../../../base/files/own_folder.ts";
import { readRegularText } from "../../../base/files/regular_file.ts";
import { readProgramFile } from "../../../base/program_files.ts";
import { parseRepoPath } from "../../../base/repo_path.ts";
import { LIMITS } from "../../../base/settings/limits.ts";
import { isRecord, parseJson } from "../../../base/text/json_record.ts";
import type { Mapping } from "../lines/v8.ts";
import { readMappings, resolveSource } from "../lines/v8.ts";
import { CHANNEL_VARIABLE, ROOT_VARIABLE } from "../record/channel.ts";
import { readChannelFolder } from "../record/channel_folder.ts";
import type { InsideWay, RanFunction, Recording, WatchContext } from "../record/recording.ts";

/** The tracer, for the `files` of the feature. */
export const NODE_TRACER = "src/features/runs/tracers/node.cjs";

/** Runners hide frames of such folders in what they print of errors. */
const TRACER_FOLDER = "node_modules";
/** The texts of scripts lie in the channel, and the path of a function names its text. */
const KEPT_TEXT = /^(.*?)(?:\?([\da-f]{40}))?(@)?$/s;
/** Of a sampled frame the tracer tells line and column, in one number, in place of an offset. */
const LINE_PLACES = 2 ** 20;

/** The way. */
export const NODE_WAY: InsideWay = {
  kind: "inside",
  async prepare({ root, folder }) {
    // A test that removes the channel must not keep Node from starting.
    const own = join(folder, TRACER_FOLDER);
    const channel = join(folder, "channel");
    for (const one of [own, channel]) await makeOwnFolder(one, { below: folder });
    const tracer = join(own, "code_intel_runs.cjs");
    await writeOwnFile(tracer, await readProgramFile(NODE_TRACER), { below: folder });
    const others = Deno.env.get("NODE_OPTIONS") ?? "";
    const option = `--require ${JSON.stringify(tracer)}`;
    return {
      [CHANNEL_VARIABLE]: channel,
      [ROOT_VARIABLE]: root,
      NODE_OPTIONS: others === "" ? option : `${others} ${option}`,
    };
  },
  async read(context) {
    const { folder, root } = context;
    const told = await readChannelFolder(join(folder, "channel"), { root, isSource: () => true });
    const recording = placeFunctions(told, new Texts(context));
    const why =
      "No test was watched: the command, or the script that it runs, may set NODE_OPTIONS itself.";
    return told.runner === "" && told.tests.length === 0
      ? { ...recording, isWhole: false, notes: [...recording.notes, why] }
      : recording;
  },
};

/** The recording with lines in place of offsets; functions that no file of the project has are left out. */
function placeFunctions(told: Recording, texts: Texts): Recording {
  const functions: RanFunction[] = [];
  const known = new Map<string, number>();
  const positions = told.functions.map((one) => {
    const place = texts.find(one);
    if (place === null) return -1;
    const key = `${place.path}\0${place.line}\0${one.name}`;
    const at = known.get(key) ?? functions.push({ ...place, name: one.name }) - 1;
    known.set(key, at);
    return at;
  });
  const move = (ran: readonly number[]) => [
    ...new Set(ran.map((at) => positions[at] ?? -1).filter((at) => at >= 0)),
  ];
  return {
    ...told,
    functions,
    tests: told.tests.map((test) => ({ ...test, ran: move(test.ran) })),
    loaded: move(told.loaded),
    calls: told.calls.flatMap(([from, to, line]) => {
      const [caller, callee] = move([from, to]);
      return caller === undefined || callee === undefined ? [] : [[caller, callee, line] as const];
    }),
  };
}

/** A text that ran. */
interface RanText {
  /** Offset of each line. */
  readonly starts: readonly number[];
  /** Null where the text is that of the file, line by line. */
  readonly map: {
    readonly mappings: readonly Mapping[];
    readonly sources: readonly (string | null)[];
  } | null;
}

/** The texts that ran, each read once. */
class Texts {
  readonly #context: WatchContext;
  readonly #read = new Map<string, RanText | null>();

  constructor(context: WatchContext) {
    this.#context = context;
  }

  /** The line that an offset in a script comes from; null for what is no code of the project. */
  find({ path: told, line: place }: RanFunction): Omit<RanFunction, "name"> | null {
    const [, path = told, kept = "", isFrame] = KEPT_TEXT.exec(told) ?? [];
    const key = `${path}?${kept}`;
    let text = this.#read.get(key);
    if (text === undefined) this.#read.set(key, text = this.#load(path, kept));
    if (text === null) return null;
    const [line, column] = [Math.floor(place / LINE_PLACES), place % LINE_PLACES];
    const offset = isFrame === undefined ? place : (text.starts[line] ?? 0) + column;
    const at = findLast(text.starts, (start) => start <= offset);
    if (text.map === null) return this.#toPlace(path, at + 1);
    const { mappings, sources } = text.map;
    const within = offset - (text.starts[at] ?? 0);
    const mapping = mappings[
      findLast(mappings, (one) => one.line < at || one.line === at && one.column <= within)
    ];
    if (mapping === undefined || mapping.line !== at) return null;
    return this.#toPlace(sources[mapping.source] ?? null, mapping.sourceLine + 1);
  }

  #toPlace(path: string | null, line: number): Omit<RanFunction, "name"> | null {
    return path !== null && this.#context.isSource(path) ? { path, line } : null;
  }

  #load(path: string, kept: string): RanText | null {
    const { root, folder } = this.#context;
    const maxBytes = LIMITS.wholeFileBytes.value;
    const text = kept === ""
      ? readRegularText(join(root, path), { within: root, maxBytes })
      : readRegularText(join(folder, "channel", `${kept}.txt`), { within: folder, maxBytes });
    if (text === undefined) return null;
    const starts = [0];
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
    return { starts, map: this.#readMap(path, text) };
  }

  /** The map that a text names, inside or beside it; null where it names none that can be read. */
  #readMap(path: string, text: string): RanText["map"] {
    const url = [...text.matchAll(/^\s*\/\/[#@] sourceMappingURL=(\S+)/gm)].at(-1)?.[1];
    const map = url === undefined ? null : parseJson(this.#readUrl(path, url));
    if (!isRecord(map) || !Array.isArray(map.sources) || typeof map.mappings !== "string") {
      return null;
    }
    const mappings = readMappings(map.mappings);
    const sourceRoot = typeof map.sourceRoot === "string" ? map.sourceRoot : "";
    const base = url?.startsWith("data:") ? path : join(dirname(path), url ?? "");
    const sources = map.sources.map((source) =>
      typeof source === "string" ? this.#toPath(resolveSource(base, sourceRoot, source)) : null
    );
    return mappings === null ? null : { mappings, sources };
  }

  #readUrl(path: string, url: string): string {
    const data = /^data:[^,]*?(;base64)?,(.*)$/s.exec(url);
    const { root } = this.#context;
    const bounds = { within: root, maxBytes: LIMITS.wholeFileBytes.value };
    if (data === null) return readRegularText(join(root, dirname(path), url), bounds) ?? "";
    try {
      return data[1] === undefined ? decodeURIComponent(data[2] ?? "") : decode(data[2] ?? "");
    } catch {
      return "";
    }
  }

  /** A path or `file:` URL relative to the root; null outside. */
  #toPath(url: string): string | null {
    const file = url.startsWith("file:") ? fileURLToPath(url) : url;
    const found = parseRepoPath(this.#context.root, file.replace(/[?#].*$/s, ""));
    return found.kind === "path" ? found.path : null;
  }
}

function decode(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
}

/** The position of the last item of a sorted list that fits; -1 for none. */
function findLast<Item>(items: readonly Item[], fits: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && fits(item)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
