/** A changed file by the lines that its diff takes away and adds. Pure. */

/** A line of a diff, without the sign in front. */
export interface DiffLine {
  readonly text: string;
  /** Its number in the version that has it, from 1. */
  readonly line: number;
}

/** A changed file with the lines of its diff. */
export interface DiffedFile {
  readonly path: string;
  readonly kind: "added" | "modified" | "deleted" | "renamed" | "type";
  readonly removed: readonly DiffLine[];
  readonly added: readonly DiffLine[];
  /** The text of both sides, as far as the patch has it. */
  readonly before: string;
  readonly after: string;
}

/**
 * The lines of a patch by file, by the present names of the given changes.
 *
 * @param sections The patch of each change, as git prints it; with all lines of the file around its changes it gives the
 * whole text of both sides, too.
 */
export function parseDiffedFiles(
  sections: readonly {
    readonly change: Pick<DiffedFile, "path" | "kind">;
    readonly parts: readonly string[];
  }[],
): readonly DiffedFile[] {
  return sections.map(({ change: { path, kind }, parts }) => {
    const lines = parts.flatMap((part) =>
      part.slice(Math.max(0, part.search(/^@@ /m))).split("\n")
    );
    const take = (sign: string): readonly DiffLine[] => {
      const side = lines.filter((line) => line.startsWith(" ") || line.startsWith(sign));
      return side.map((text, at) => ({ text, line: at + 1 }));
    };
    const [old, now] = [take("-"), take("+")];
    const own = (side: readonly DiffLine[], sign: string) =>
      side.filter(({ text }) => text.startsWith(sign))
        .map(({ text, line }) => ({ text: text.slice(1), line }));
    const toText = (side: readonly DiffLine[]) => side.map(({ text }) => text.slice(1)).join("\n");
    return {
      path,
      kind,
      removed: own(old, "-"),
      added: own(now, "+"),
      before: toText(old),
      after: toText(now),
    };
  });
}
