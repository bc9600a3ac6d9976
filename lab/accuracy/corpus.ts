/** Reads a folder of real code: its files of known languages. */
import { languageOfPath } from "../../src/language/languages.ts";

/** A file to analyse. */
export interface CorpusFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  /** Its language. */
  readonly language: string;
  /** Its text. */
  readonly text: string;
}

/** Larger files are left out of the index too. */
const MAX_FILE_BYTES = 1024 * 1024;

/** The files of a folder in the order of their paths. */
export async function* readCorpus(folder: string): AsyncGenerator<CorpusFile> {
  for (const path of (await listFiles(folder, "")).sort()) {
    const language = languageOfPath(path)?.name;
    if (language === undefined) continue;
    const bytes = await Deno.readFile(`${folder}/${path}`);
    if (bytes.length > MAX_FILE_BYTES || bytes.subarray(0, 8_000).includes(0)) continue;
    yield { path, language, text: new TextDecoder().decode(bytes) };
  }
}

/** Paths below `folder`, relative to it; `under` is empty or ends with `/`. */
export async function listFiles(folder: string, under: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(`${folder}/${under}`)) {
    if (entry.name === ".git" || entry.name === "node_modules") continue;
    if (entry.isDirectory) found.push(...await listFiles(folder, `${under}${entry.name}/`));
    else if (entry.isFile) found.push(`${under}${entry.name}`);
  }
  return found;
}
