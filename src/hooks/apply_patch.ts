/** The files that a patch of Codex names. Pure. */

const HEADER = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)\r?$/gm;

/** Every path of a patch, both of a move, each once; relative ones as they stand. */
export function listPatchPaths(patch: string): readonly string[] {
  return [...new Set([...patch.matchAll(HEADER)].map(([, path = ""]) => path.trim()))];
}
