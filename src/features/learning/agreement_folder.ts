/**
 * The learned terms of a project: one Markdown file each. Those in `.code-intel/agreements/` are people's, for the team; what
 * sessions learn goes to `learned/` below it, which git ignores, so that no session leaves files behind that nobody asked for.
 */
import { join } from "node:path";
import { readControlFile, readControlText } from "../../base/files/control_file.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { listOwnFolder, makeOwnFolder, writeOwnFile } from "../../base/files/own_folder.ts";
import type { LearnedTerm, ParsedAgreement, StoredTerm } from "./agreement.ts";
import {
  formatLearnedTerm,
  isSamePair,
  isTooLarge,
  mergeAgreements,
  nameLearnedTerm,
  parseAgreement,
  updateAgreementText,
} from "./agreement.ts";

/** What the folder holds, and what of it could not be used. */
export interface LearnedTermList {
  /** By name. */
  readonly agreements: readonly StoredTerm[];
  /** Files that are no learned term, each with the reason. */
  readonly unreadable: readonly { readonly name: string; readonly reason: string }[];
  /** Files beyond the bound, which were not looked at. */
  readonly passedOver: number;
}

/** What became of a learned term that was to be kept. */
export type SaveResult =
  | { readonly kind: "saved"; readonly name: string }
  /** A person marked the same pair as wrong. */
  | { readonly kind: "rejected"; readonly name: string }
  /** People keep the pair in a file of their own, which no session changes. */
  | { readonly kind: "known"; readonly name: string }
  /** The folder holds as many as are read. */
  | { readonly kind: "full" };

/** Who says that words mean symbols: a session that proved it, or a person. */
export type AgreementMaker = "session" | "person";

/** What sessions learned, below the folder; it ignores itself, whatever the rules above say. */
const LEARNED = "learned";
const IGNORE_ALL = "*\n";

interface Cached {
  readonly stamp: string;
  readonly parsed: ParsedAgreement;
}

/** Reads and writes learned terms; a file is parsed again only when its time or size has changed. */
export class AgreementFolder {
  readonly #folder: string;
  readonly #cache = new Map<string, Cached>();

  /** @param folder Absolute path; it need not exist. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Every learned term, also those that a person rejected. */
  async list(): Promise<LearnedTermList> {
    const names = await this.#listNames();
    const looked = names.slice(0, LIMITS.agreementFiles.value);
    const agreements: StoredTerm[] = [];
    const unreadable: { name: string; reason: string }[] = [];
    for (const name of looked) {
      const parsed = await this.#read(name);
      if (parsed.kind === "agreement") agreements.push({ ...parsed.agreement, name });
      else unreadable.push({ name, reason: parsed.reason });
    }
    return { agreements, unreadable, passedOver: names.length - looked.length };
  }

  /** Forgets what was read: the next list reads every file. */
  forget(): void {
    this.#cache.clear();
  }

  async #listNames(): Promise<readonly string[]> {
    const list = async (folder: string, prefix: string) =>
      (await listOwnFolder(folder))
        .filter(({ name, isDirectory }) =>
          !isDirectory && name.endsWith(".md") && !/^readme\.md$/i.test(name)
        )
        .map(({ name }) => `${prefix}${name}`)
        .sort();
    const [own, learned] = await Promise.all([
      list(this.#folder, ""),
      list(join(this.#folder, LEARNED), `${LEARNED}/`),
    ]);
    // People's come first, so that the bound leaves out what was learned.
    return [...own, ...learned];
  }

  async #read(name: string): Promise<ParsedAgreement> {
    const path = join(this.#folder, name);
    try {
      const { mtime, size, ino } = await Deno.stat(path);
      if (isTooLarge(size)) return { kind: "none", reason: "it is too large" };
      const stamp = `${mtime?.getTime()}:${size}:${ino}`;
      const cached = this.#cache.get(name);
      if (cached?.stamp === stamp) return cached.parsed;
      const reading = readControlFile(path, "agreement");
      if (reading.kind !== "text") {
        const reason = reading.kind === "absent" ? "it is gone" : reading.reason;
        return { kind: "none", reason };
      }
      const parsed = await parseAgreement(reading.text);
      this.#cache.set(name, { stamp, parsed });
      return parsed;
    } catch (error) {
      return { kind: "none", reason: error instanceof Error ? error.message : String(error) };
    }
  }

  /**
   * The name of the file that {@link save} would write for this pair of a person.
   *
   * @returns The file that holds the pair already, whatever it is called, else a name made of the pair.
   */
  async toName(agreement: LearnedTerm): Promise<string> {
    const same = (await this.list()).agreements.find((known) => isSamePair(known, agreement));
    return same?.name ?? nameLearnedTerm(agreement);
  }

  /**
   * Keeps a learned term: a new file, or the one that holds the same pair already, which gains evidence
   * and keeps what a person wrote into it. A session changes no file of people. Call it under the lock of the logs.
   *
   * @throws {CodeIntelError} `io_failed`, `disk_full`.
   */
  async save(agreement: LearnedTerm, by: AgreementMaker): Promise<SaveResult> {
    const { agreements, passedOver, unreadable } = await this.list();
    const same = agreements.find((known) => isSamePair(known, agreement));
    if (same !== undefined) {
      if (same.isRejected) return { kind: "rejected", name: same.name };
      const isLearned = same.name.startsWith(`${LEARNED}/`);
      if (by === "session" && !isLearned) return { kind: "known", name: same.name };
      const path = join(this.#folder, same.name);
      const text = readControlText(path, "agreement") ?? "";
      const merged = await updateAgreementText(text, mergeAgreements(same, agreement));
      if (merged !== text) await writeOwnFile(path, merged);
      return { kind: "saved", name: same.name };
    }
    const total = agreements.length + unreadable.length + passedOver;
    if (total >= LIMITS.agreementFiles.value) return { kind: "full" };
    const name = by === "person"
      ? nameLearnedTerm(agreement)
      : `${LEARNED}/${nameLearnedTerm(agreement)}`;
    await makeOwnFolder(this.#folder);
    if (by === "session") await this.#makeLearned();
    await writeOwnFile(join(this.#folder, name), formatLearnedTerm(agreement));
    return { kind: "saved", name };
  }

  async #makeLearned(): Promise<void> {
    const folder = join(this.#folder, LEARNED);
    await makeOwnFolder(folder);
    const ignore = join(folder, ".gitignore");
    if (readControlText(ignore, "agreement") === undefined) await writeOwnFile(ignore, IGNORE_ALL);
  }
}
