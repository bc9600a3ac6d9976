/** The index of a folder, as the program builds it, with settings that a measurement names. */
import { createCodeIndex } from "../../src/index/code_index.ts";
import type { CodeIndex } from "../../src/index/index_api.ts";

type Options = Parameters<typeof createCodeIndex>[0];
type Settings = Awaited<ReturnType<Options["loadSettings"]>>;

const SETTINGS: Settings = {
  sourceDirs: [],
  excludePatterns: [],
  chunkMaxTokens: 512,
  maxChunks: 1,
  meaningOf: "none",
  syncTtlHours: 1,
};

/** Opens the index. Its database lies in `folder`; nothing is written into the project. */
export function openIndex(
  options: Omit<Options, "loadSettings">,
  settings: Partial<Settings> = {},
): CodeIndex {
  const loadSettings = () => Promise.resolve({ ...SETTINGS, ...settings });
  return createCodeIndex({ ...options, loadSettings });
}
