/** Where the places of an analysis lie, and what is left of it without some of them. Pure. */
import type { AffectedFile } from "./affected.ts";
import type { Edge } from "./edges.ts";

/** The places of an analysis. */
interface Placed {
  readonly files: readonly AffectedFile[];
  readonly own: readonly Edge[];
}

/** Files whose lines an analysis shows. */
export function listPlaced({ files, own }: Placed): readonly string[] {
  const placed = files.filter(({ edges }) => edges.length > 0);
  return [...new Set([...placed, ...own].map(({ path }) => path))];
}

/** The files stay, since something led to them; where in them is not said. */
export function withoutPlaces<Found extends Placed>(
  found: Found,
  changed: ReadonlySet<string>,
): Found {
  return {
    ...found,
    files: found.files.map((file) => changed.has(file.path) ? { ...file, edges: [] } : file),
    own: found.own.filter(({ path }) => !changed.has(path)),
  };
}
