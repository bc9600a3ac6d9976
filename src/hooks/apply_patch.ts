/** Reads which files a patch of Codex names. Pure. */

const HEADER = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)\r?$/gm;

/** Every path of a patch, each once, and both paths of a move. Relative paths stay relative. */
export function listPatchPaths(patch: string): readonly string[] {
  return [...new Set([...patch.matchAll(HEADER)].map(([, path = ""]) => path.trim()))];
}
