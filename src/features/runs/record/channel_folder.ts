/** Reads the folder into which the tracers of a run wrote, one file after the other. */
import { join } from "node:path";
import { listOwnFolder } from "../../../base/files/own_folder.ts";
import { readRegularFile } from "../../../base/files/regular_file.ts";
import { Channel } from "./channel.ts";
import type { ChannelOptions } from "./channel.ts";
import type { Recording } from "./recording.ts";

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
