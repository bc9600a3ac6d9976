/**
 * The files that the program brings along: beside its source, inside the executable, or beside that. The only place
 * that knows where they lie. A bundle has to lie two folders deep, as this file does.
 */
import { pathToFileURL } from "node:url";
import { FileRange, openPacked } from "./files/file_pack.ts";
import type { FilePack } from "./files/file_pack.ts";
import { loadOnce } from "./lazy.ts";
import { PROGRAM_NAME } from "./version.ts";

/** What the compile task wrote into the executable about itself. */
export interface BuildInfo {
  /** The commit that it was made from, with ` with changes` where files were changed. */
  readonly commit: string;
  /** The machine that it is for, as `x86_64-unknown-linux-gnu`. */
  readonly target: string;
  /** Null where the files are embedded by the runtime instead. */
  readonly pack: FilePack | null;
}

/** What the executable says about itself; null from source. Read once a process. */
export const readBuildInfo = loadOnce(async (): Promise<BuildInfo | null> =>
  Deno.build.standalone ? JSON.parse(await Deno.readTextFile(resolveUrl("build.json"))) : null
);

/**
 * Opens a file of the program.
 *
 * @param name path from the top of the repository, as `wasm/go.wasm.br`.
 * @throws when there is no such file, or it cannot be opened.
 */
export async function openProgramFile(name: string): Promise<FileRange> {
  const pack = (await readBuildInfo())?.pack ?? null;
  const packed = pack === null ? null : await openPacked(Deno.execPath(), pack, name);
  if (packed !== null) return packed;
  const beside = await findBeside(name);
  return await FileRange.open(beside ?? resolveUrl(name));
}

/** The bytes of a file of the program; `name` and errors as for {@link openProgramFile}. */
export async function readProgramFile(name: string): Promise<Uint8Array> {
  return (await openProgramFile(name)).readAndClose();
}

/** Whether there is such a file; its content is not looked at. */
export async function hasProgramFile(name: string): Promise<boolean> {
  const pack = (await readBuildInfo())?.pack ?? null;
  if (pack !== null && Object.hasOwn(pack.files, name)) return true;
  return await isFile(resolveUrl(name)) || await findBeside(name) !== null;
}

/**
 * Where a package of its own put a file that the executable lacks: below `share/code-intel/`, which lies beside the folder
 * of the executable. Null where there is none, and from source.
 */
async function findBeside(name: string): Promise<URL | null> {
  if (!Deno.build.standalone || await isFile(resolveUrl(name))) return null;
  const program = await Deno.realPath(Deno.execPath()).catch(() => Deno.execPath());
  const beside = new URL(`../share/${PROGRAM_NAME}/${name}`, pathToFileURL(program));
  return await isFile(beside) ? beside : null;
}

function isFile(url: URL): Promise<boolean> {
  return Deno.stat(url).then((info) => info.isFile, () => false);
}

function resolveUrl(name: string): URL {
  return new URL(`../../${name}`, import.meta.url);
}
