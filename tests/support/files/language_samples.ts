/** The samples of languages in `tests/fixtures/languages/`: a folder each, with what is expected of it in `expected.txt`. */
import { languageOfPath } from "../../../src/language/languages.ts";

/** A sample of one language. */
export interface LanguageSample {
  /** Name of its folder. */
  readonly folder: string;
  /** Name of the file; samples of our own languages end in `.txt` on disk, so that no tool takes them for ours. */
  readonly path: string;
  /** Name of the language that the path stands for. */
  readonly language: string;
  readonly text: string;
}

/** Where the folders lie. */
export const SAMPLE_FOLDER: URL = new URL("../../fixtures/languages/", import.meta.url);

/** Every sample, in the order of the folders. */
export async function readLanguageSamples(): Promise<readonly LanguageSample[]> {
  const samples: LanguageSample[] = [];
  for await (const { name: folder } of Deno.readDir(SAMPLE_FOLDER)) {
    for await (const { name } of Deno.readDir(new URL(`${folder}/`, SAMPLE_FOLDER))) {
      if (name === "expected.txt") continue;
      const text = await Deno.readTextFile(new URL(`${folder}/${name}`, SAMPLE_FOLDER));
      const path = name.replace(/\.txt$/, "");
      samples.push({ folder, path, language: languageOfPath(path)?.name ?? "", text });
    }
  }
  return samples.sort((a, b) => a.folder < b.folder ? -1 : 1);
}
