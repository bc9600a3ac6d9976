/** Reads the patch of a changed file as the lines that it takes away and adds. Pure. */

/** A changed file with the lines of its diff. */
export interface DiffedFile {
  readonly path: string;
  readonly kind: "added" | "modified" | "deleted" | "renamed" | "type";
  /** Without the sign in front. */
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** The added lines in groups that stand together. */
  readonly runs: readonly (readonly string[])[];
  /** The whole text on both sides, where the patch has it: {@link toDiffedFiles}. */
  readonly before?: string;
  readonly after?: string;
}

/**
 * The lines of a patch by file, by the present names of the given changes, which stand in the order of the patch.
 *
 * @param sections The patch of each change, as git prints it; with all lines of the file around its changes it gives the
 * whole text of both sides, too.
 */
export function toDiffedFiles(
  sections: readonly {
    readonly change: Pick<DiffedFile, "path" | "kind">;
    readonly parts: readonly string[];
  }[],
): readonly DiffedFile[] {
  return sections.map(({ change: { path, kind }, parts }) => {
    const lines = parts.flatMap((part) =>
      part.slice(Math.max(0, part.search(/^@@ /m))).split("\n")
    );
    const take = (...signs: readonly string[]) =>
      lines.filter((line) => signs.includes(line.charAt(0))).map((line) => line.slice(1));
    const runs = lines.reduce<string[][]>((all, line, at) => {
      if (!line.startsWith("+")) return all;
      if (lines[at - 1]?.startsWith("+") !== true) all.push([]);
      all.at(-1)?.push(line.slice(1));
      return all;
    }, []);
    const [before, after] = [take(" ", "-").join("\n"), take(" ", "+").join("\n")];
    return { path, kind, removed: take("-"), added: runs.flat(), runs, before, after };
  });
}
