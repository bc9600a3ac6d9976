/**
 * A manifest lists every file of a project without git, with the hash of its content. Reads,
 * writes, compares and combines manifests, as git does with trees. Pure.
 */
import type { TreePath } from "../base/paths.ts";

/** One file. */
export interface ManifestEntry {
  /** `large` is a file over the limit, whose content is not read. */
  readonly kind: "file" | "executable" | "link" | "large";
  readonly sizeBytes: number;
  /** SHA-256 of the content; for a link its target, for a large file its size, times and number. */
  readonly content: string;
}

/** Entries by path relative to the project. */
export type Manifest = ReadonlyMap<string, ManifestEntry>;

/** A path that differs between two manifests; null where one of them lacks it. */
export interface ManifestChange {
  readonly path: TreePath;
  readonly before: ManifestEntry | null;
  readonly now: ManifestEntry | null;
}

const HEADER = "code-intel-manifest 1";
const KINDS: readonly string[] = ["file", "executable", "link", "large"];

/**
 * The text of a manifest: a header, then one JSON array for each file, sorted, so that equal
 * manifests have equal texts.
 */
export function toManifestText(manifest: Manifest): string {
  const lines = [...manifest].sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, { kind, sizeBytes, content }]) =>
      JSON.stringify([path, kind, sizeBytes, content])
    );
  return `${[HEADER, ...lines].join("\n")}\n`;
}

/** Reads the text of a manifest; null when the text is none. */
export function parseManifest(text: string): Manifest | null {
  const [header, ...lines] = text.trimEnd().split("\n");
  if (header !== HEADER) return null;
  const manifest = new Map<string, ManifestEntry>();
  for (const line of lines) {
    const entry = parseEntry(line);
    if (entry === null) return null;
    manifest.set(...entry);
  }
  return manifest;
}

function parseEntry(line: string): [string, ManifestEntry] | null {
  try {
    const [path, kind, sizeBytes, content] = JSON.parse(line) as readonly unknown[];
    const isEntry = typeof path === "string" && KINDS.includes(String(kind)) &&
      typeof sizeBytes === "number" && typeof content === "string";
    return isEntry ? [path, { kind: kind as ManifestEntry["kind"], sizeBytes, content }] : null;
  } catch {
    return null;
  }
}

/** All differences, sorted by path; a rename is a deletion and an addition. */
export function diffManifests(before: Manifest, now: Manifest): readonly ManifestChange[] {
  const changes: ManifestChange[] = [];
  for (const [path, entry] of now) {
    const known = before.get(path) ?? null;
    if (!isSame(known, entry)) changes.push({ path, before: known, now: entry });
  }
  for (const [path, entry] of before) {
    if (!now.has(path)) changes.push({ path, before: entry, now: null });
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** `onto` with the given files as they are in `from`; a file that `from` lacks is removed. */
export function adoptEntries(
  onto: Manifest,
  from: Manifest,
  paths: readonly TreePath[],
): Manifest {
  const result = new Map(onto);
  for (const path of paths) put(result, path, from.get(path) ?? null);
  return result;
}

/**
 * `onto` with the changes from `from` to `to`. A file that differs between `onto` and `from` stays
 * as it is in `onto`: contents are not merged.
 */
export function carryEntries(
  onto: Manifest,
  change: { readonly from: Manifest; readonly to: Manifest },
): Manifest {
  const result = new Map(onto);
  for (const { path, before, now } of diffManifests(change.from, change.to)) {
    if (isSame(onto.get(path) ?? null, before)) put(result, path, now);
  }
  return result;
}

function put(manifest: Map<string, ManifestEntry>, path: TreePath, entry: ManifestEntry | null) {
  if (entry === null) manifest.delete(path);
  else manifest.set(path, entry);
}

function isSame(a: ManifestEntry | null, b: ManifestEntry | null): boolean {
  return a?.kind === b?.kind && a?.sizeBytes === b?.sizeBytes && a?.content === b?.content;
}
