/**
 * The token of the server over HTTP. Every program of this machine can reach 127.0.0.1, but only
 * the user's own programs can read the token in the user's state folder.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { dirname, join } from "node:path";
import { readControlText } from "../../base/files/control_file.ts";
import { makeIoError } from "../../base/errors.ts";
import { checkOwnFile } from "../../base/files/own_folder.ts";
import { createSecretFile } from "../../base/files/seal.ts";

/** A token and the file that holds it; the file is null where there is no home folder. */
export interface HttpToken {
  readonly token: string;
  readonly path: string | null;
}

/**
 * The characters that a header takes, and at least 32 of them, so that a token cannot be guessed.
 */
const TOKEN = /^[\w.~+/-]{32,512}=*$/;
const OTHERS = 0o077;

/**
 * The token of the user, read from `<stateDir>/http_token` or made at the first use. It stays the
 * same, so that clients can keep it; a token that others of this machine could read is replaced.
 *
 * @throws {CodeIntelError} `io_failed`, `disk_full` when the file cannot be written.
 */
export async function loadHttpToken(stateDir: string | null): Promise<HttpToken> {
  const fresh = randomBytes(32).toString("base64url");
  if (stateDir === null) return { token: fresh, path: null };
  const path = join(stateDir, "http_token");
  try {
    return { token: await readToken(path) ?? await createToken(path, fresh), path };
  } catch (cause) {
    throw makeIoError(`keep the token in "${path}"`, cause);
  }
}

/**
 * Compares two tokens in constant time, so that the time tells neither where they differ nor how
 * long the right one is.
 */
export function isSameToken(given: string, token: string): boolean {
  const [one, other] = [given, token].map((text) => createHash("sha256").update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}

async function readToken(path: string): Promise<string | null> {
  try {
    checkOwnFile(path, { below: dirname(path) });
    const { mode } = await Deno.lstat(path);
    const token = (readControlText(path, "memory") ?? "").trim();
    // Systems without permission bits report no mode; there the home folder already belongs to the
    // user alone.
    const isOpen = Deno.build.os !== "windows" && mode !== null && (mode & OTHERS) !== 0;
    if (!isOpen && TOKEN.test(token)) return token;
    await Deno.remove(path);
    return null;
  } catch (failure) {
    if (failure instanceof Deno.errors.NotFound) return null;
    throw failure;
  }
}

async function createToken(path: string, token: string): Promise<string> {
  await createSecretFile(path, `${token}\n`);
  const kept = (readControlText(path, "memory") ?? "").trim();
  return TOKEN.test(kept) ? kept : token;
}
