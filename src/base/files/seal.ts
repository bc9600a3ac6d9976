/**
 * The seal of files that the agent must not edit unnoticed: an HMAC whose key lies in the user's state
 * folder. It marks a change by a confused agent; it does not stop someone who reads the key.
 */
import { dirname, join } from "node:path";
import { checkOwnFile, makeOwnFolder } from "./own_folder.ts";
import { buildTemporaryPath } from "./atomic_write.ts";
import { Buffer } from "node:buffer";
import { createHash, createHmac, randomBytes } from "node:crypto";
import type { Clock } from "../clock.ts";
import { SYSTEM_CLOCK } from "../clock.ts";
import { readControlText } from "./control_file.ts";

/**
 * Makes a file that only its user may read, unless there is one. Of two processes that do so at once one wins, and its
 * text is there whole from the first moment: it is written beside and linked. File systems without hard links let the
 * exclusive creation decide instead.
 *
 * @throws what the system says when the file cannot be written.
 */
export async function createSecretFile(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  await makeOwnFolder(folder, { below: folder, mode: 0o700 });
  checkOwnFile(path, { below: folder });
  const temporary = buildTemporaryPath(path);
  try {
    await Deno.writeTextFile(temporary, text, { createNew: true, mode: 0o600 });
    await Deno.link(temporary, path);
  } catch (failure) {
    if (!(failure instanceof Deno.errors.AlreadyExists)) await createExclusively(path, text);
  } finally {
    await Deno.remove(temporary).catch(() => {});
  }
}

async function createExclusively(path: string, text: string): Promise<void> {
  try {
    await Deno.writeTextFile(path, text, { createNew: true, mode: 0o600 });
  } catch (failure) {
    if (!(failure instanceof Deno.errors.AlreadyExists)) throw failure;
  }
}

/** What a check of a seal found. */
export type SealVerdict =
  | "fits"
  /** Made with the key of this home, for another text. */
  | "wrong"
  /** Made with another key. */
  | "foreign"
  /** There is none. */
  | "absent"
  /** There is a seal, and this home has no key to compare it with. */
  | "off";

/** Seals texts and checks seals. */
export interface Seal {
  /** The seal of a text, or null while sealing is off. */
  sign(text: string): Promise<string | null>;
  /** Compares a text with its seal, null where it has none. What that means its owner has to know. */
  check(text: string, seal: string | null): Promise<SealVerdict>;
  /** Why sealing is off; null while it is on. */
  readNotice(): Promise<string | null>;
}

interface Key {
  readonly id: string;
  readonly secret: Uint8Array;
}

type KeyResult =
  | { readonly kind: "key"; readonly key: Key }
  | { readonly kind: "off"; readonly notice: string };

const KEY_PATTERN = /^code-intel-seal-1 (\S+) ([0-9a-f]{64})\n$/;
const PARTIAL_READS = 5;
const PARTIAL_READ_PAUSE_MS = 20;

/** Makes the seal whose key is `<stateDir>/seal.key`; the key is made at the first use. */
export function createSeal(stateDir: string | null, clock: Clock = SYSTEM_CLOCK): Seal {
  return new FileSeal(stateDir, clock);
}

class FileSeal implements Seal {
  readonly #stateDir: string | null;
  readonly #clock: Clock;
  #key: Key | null = null;
  #loading: Promise<KeyResult> | null = null;

  constructor(stateDir: string | null, clock: Clock) {
    this.#stateDir = stateDir;
    this.#clock = clock;
  }

  async sign(text: string): Promise<string | null> {
    const result = await this.#readKey();
    return result.kind === "key" ? signText(result.key, text) : null;
  }

  async check(text: string, seal: string | null): Promise<SealVerdict> {
    if (seal === null || seal === "") return "absent";
    const result = await this.#readKey();
    if (result.kind === "off") return "off";
    if (seal === signText(result.key, text)) return "fits";
    if (seal.startsWith(`${result.key.id}:`)) return "wrong";
    // Another key: perhaps the file was replaced since this process read it.
    this.#key = null;
    const fresh = await this.#readKey();
    if (fresh.kind === "off") return "off";
    if (seal === signText(fresh.key, text)) return "fits";
    return seal.startsWith(`${fresh.key.id}:`) ? "wrong" : "foreign";
  }

  async readNotice(): Promise<string | null> {
    const result = await this.#readKey();
    return result.kind === "off" ? result.notice : null;
  }

  #readKey(): Promise<KeyResult> {
    if (this.#key !== null) return Promise.resolve({ kind: "key", key: this.#key });
    this.#loading ??= loadKey(this.#stateDir, this.#clock).then((result) => {
      if (result.kind === "key") this.#key = result.key;
      return result;
    }).finally(() => this.#loading = null);
    return this.#loading;
  }
}

// Compared as plain text: who can time this process can read the key as well.
function signText(key: Key, text: string): string {
  return `${key.id}:${createHmac("sha256", key.secret).update(text).digest("hex")}`;
}

async function loadKey(stateDir: string | null, clock: Clock): Promise<KeyResult> {
  if (stateDir === null) {
    return { kind: "off", notice: "Session files are not sealed: there is no home folder" };
  }
  const path = join(stateDir, "seal.key");
  try {
    const text = await readKeyFile(path) ?? await createKeyFile(path, clock);
    const [, created = "", hex = ""] = KEY_PATTERN.exec(text) ?? [];
    if (hex === "" || Number.isNaN(Date.parse(created))) {
      return { kind: "off", notice: `Session files are not sealed: "${path}" holds no key` };
    }
    const secret = Buffer.from(hex, "hex");
    const id = createHash("sha256").update(secret).digest("hex").slice(0, 8);
    return { kind: "key", key: { id, secret } };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: "off", notice: `Session files are not sealed: ${reason}` };
  }
}

/** Waits a little for a whole line, because another process may be writing the file just now. */
async function readKeyFile(path: string): Promise<string | undefined> {
  for (let attempt = 1;; attempt++) {
    const text = readControlText(path, "memory");
    if (text === undefined || text.endsWith("\n") || attempt >= PARTIAL_READS) return text;
    await new Promise((resolve) => setTimeout(resolve, PARTIAL_READ_PAUSE_MS));
  }
}

async function createKeyFile(path: string, clock: Clock): Promise<string> {
  const created = clock.now().toISOString();
  const text = `code-intel-seal-1 ${created} ${randomBytes(32).toString("hex")}\n`;
  await createSecretFile(path, text);
  return await readKeyFile(path) ?? text;
}
