/** What ways share that watch from inside: a variable loads the tracer into each process, and the channel has what it saw. */
import { dirname, join } from "node:path";
import { listOwnFolder, makeOwnFolder, writeOwnFile } from "../../../base/files/own_folder.ts";
import { lstatIfThere } from "../../../base/files/file_stamp.ts";
import { readRegularFile } from "../../../base/files/regular_file.ts";
import { readProgramFile } from "../../../base/program_files.ts";
import type { ChannelOptions } from "../record/channel.ts";
import { Channel, CHANNEL_VARIABLE, ROOT_VARIABLE } from "../record/channel.ts";
import type { InsideWay, Recording, WatchContext } from "../record/recording.ts";

/** What such a way says of itself. */
export interface InsideParts {
  /** The variable by which programs of the language load more. */
  readonly variable: string;
  /**
   * Lays the tracer out below the folder of the record, and gives its own part of the variable.
   *
   * @throws where it cannot; the message says why and what to do.
   */
  readonly layOut: (context: WatchContext) => Promise<string>;
  /** The value of the variable where the user has one too. */
  readonly join: (own: string, others: string) => string;
  /** Why no test may have been watched, as a sentence. */
  readonly why: string;
  /** How what the tracer tells is read; absent where it tells files and lines of the project. */
  readonly options?: (context: WatchContext, channel: string) => Partial<ChannelOptions>;
}

/** Writes a program file of the feature into a folder of the record. */
export async function layOutFile(folder: string, name: string, file: string): Promise<string> {
  const path = join(folder, name);
  await makeOwnFolder(dirname(path), { below: folder });
  await writeOwnFile(path, await readProgramFile(file), { below: folder });
  return path;
}

/** The way. A test that removes the channel must not keep programs from starting: the tracer lies beside it. */
export function makeInsideWay(parts: InsideParts): InsideWay {
  return {
    kind: "inside",
    prepare: async (context) => {
      const channel = join(context.folder, "channel");
      await makeOwnFolder(channel, { below: context.folder });
      const own = await parts.layOut(context);
      const others = Deno.env.get(parts.variable) ?? "";
      return {
        [CHANNEL_VARIABLE]: channel,
        [ROOT_VARIABLE]: context.root,
        [parts.variable]: others === "" ? own : parts.join(own, others),
      };
    },
    read: async (context) => {
      const { root, isSource } = context;
      const channel = join(context.folder, "channel");
      const recording = await readChannelFolder(channel, {
        root,
        place: (told) => isSource(told.path) ? told : null,
        ...parts.options?.(context, channel),
      });
      return recording.tests.length > 0 || recording.notes.includes(GONE)
        ? recording
        : { ...recording, isWhole: false, notes: [...recording.notes, parts.why] };
    },
  };
}

const GONE = "The folder in which tracers write was removed during the run.";
/** How the name of a process's file ends. */
const ENDING = ".ndjson";
/** Bounds of one file and of all (guessed: 50,000 tests with 500 functions each are 150 MB). */
const MOST_BYTES = 268_435_456;
const MOST_BYTES_OF_ALL = 1_073_741_824;
const LINE_END = 10;

/** What the processes of a run wrote into the folder; empty and not whole where the folder is gone. Never fails. */
export async function readChannelFolder(
  folder: string,
  options: ChannelOptions,
): Promise<Recording> {
  const channel = new Channel(options);
  const decoder = new TextDecoder();
  let bytesLeft = MOST_BYTES_OF_ALL;
  if (lstatIfThere(folder) === null) channel.lack(GONE);
  const entries = await listOwnFolder(folder, { below: folder }).catch(() => []);
  const names = entries.map(({ name }) => name).filter((name) => name.endsWith(ENDING)).sort();
  for (const name of names) {
    const maxBytes = Math.min(MOST_BYTES, bytesLeft);
    const file = readRegularFile(join(folder, name), { within: folder, maxBytes });
    if (file.kind !== "read") {
      channel.cut();
      continue;
    }
    bytesLeft -= file.bytes.length;
    channel.startProcess();
    for (let start = 0; start < file.bytes.length;) {
      const found = file.bytes.indexOf(LINE_END, start);
      // A last line without its end was torn: it is no JSON, or nothing follows it that ends the process.
      const end = found < 0 ? file.bytes.length : found;
      channel.addLine(decoder.decode(file.bytes.subarray(start, end)));
      start = end + 1;
    }
  }
  return channel.toRecording();
}
