/** `tailwind.config.*`: its theme, the files that it reads, its plugins. */
import { findEndByIndent } from "../regex_tags.ts";
import type { ChunkUnit } from "./chunker.ts";
import type { SpecialText } from "./special_chunker.ts";

const KEY = /^(?<indent>\s*)(?<key>content|theme|plugins|presets|safelist|darkMode)\s*:/;

/** One unit for each outermost key, kind `tailwind`. */
export function chunkTailwind({ path, lines }: SpecialText): ChunkUnit[] {
  if (!/(?:^|\/)tailwind\.config\.[cm]?[jt]s$/.test(path)) return [];
  const units: ChunkUnit[] = [];
  let outer: number | null = null;
  lines.forEach((line, index) => {
    const match = KEY.exec(line);
    const indent = match?.groups?.["indent"]?.length;
    const name = match?.groups?.["key"];
    if (indent === undefined || name === undefined) return;
    // Keys of a deeper object may have the same names.
    outer ??= indent;
    if (indent !== outer) return;
    const startLine = index + 1;
    const endLine = findEndByIndent(lines, startLine);
    units.push({ startLine, endLine, kind: "tailwind", name });
  });
  return units;
}
