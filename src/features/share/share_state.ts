/** What this machine knows of what is shared: the file beside the packs, written in one piece. */
import { join } from "node:path";
import { writeOwnFile } from "../../base/files/own_folder.ts";
import { readRegularText } from "../../base/files/regular_file.ts";
import { asRecord, parseJson } from "../../base/text/json_record.ts";

/** Name of the file. */
export const STATE_FILE = "share.json";

const FORM = 1;
const MAX_BYTES = 1024 * 1024;
/** More refused packs are forgotten, the oldest first; they are refused again where they are met. */
const MOST_REFUSED = 500;

/** What is known. */
export interface ShareState {
  /** The remote that answered last, as it was named then; null before. What is here came from it. */
  readonly remote: string | null;
  /** The commit whose packs are used; null where there is none. */
  readonly tip: string | null;
  /** When the remote was last asked with success, in milliseconds since 1970; null before. */
  readonly askedAtMs: number | null;
  /** Why the last try did not succeed; null where it did. */
  readonly problem: string | null;
  /** When a pull was last tried, in milliseconds since 1970; null before. */
  readonly triedAtMs: number | null;
  /** Packs that said something wrong, with the reason: their names are those of their bytes, so that it holds for good. */
  readonly refused: Readonly<Record<string, string>>;
  /**
   * Packs of the commit in {@link ShareState.tip} that are in no form, with the reason. It ends with that commit: whoever
   * may push could have put anything in the place of a good pack.
   */
  readonly unfit: Readonly<Record<string, string>>;
}

/** Nothing is known. */
export const NOTHING_SHARED: ShareState = {
  remote: null,
  tip: null,
  askedAtMs: null,
  problem: null,
  triedAtMs: null,
  refused: {},
  unfit: {},
};

/** Reads the file; one that cannot be used says nothing. */
export function readShareState(folder: string): ShareState {
  const text = readRegularText(join(folder, STATE_FILE), { within: folder, maxBytes: MAX_BYTES });
  const value = asRecord(parseJson(text ?? ""));
  if (value["form"] !== FORM) return NOTHING_SHARED;
  return {
    remote: readText(value["remote"]),
    tip: readText(value["tip"]),
    askedAtMs: readNumber(value["askedAtMs"]),
    problem: readText(value["problem"]),
    triedAtMs: readNumber(value["triedAtMs"]),
    refused: readReasons(value["refused"]),
    unfit: readReasons(value["unfit"]),
  };
}

/** Writes the file; call it under the lock. */
export async function writeShareState(folder: string, state: ShareState): Promise<void> {
  const [refused, unfit] = [keepLast(state.refused), keepLast(state.unfit)];
  const text = JSON.stringify({ form: FORM, ...state, refused, unfit }, null, 2);
  await writeOwnFile(join(folder, STATE_FILE), `${text}\n`);
}

/** All packs that are not used at the commit of the state, with the reasons. */
export function joinRefused({ refused, unfit }: ShareState): Readonly<Record<string, string>> {
  return { ...refused, ...unfit };
}

function keepLast(reasons: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(reasons).slice(-MOST_REFUSED));
}

function readReasons(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(asRecord(value));
  return Object.fromEntries(entries.map(([name, why]) => [name, String(why)]));
}

function readText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function readNumber(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
