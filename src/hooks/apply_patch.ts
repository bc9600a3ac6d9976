/** Reads which files a patch of Codex names. Pure. */
import type { ShellPlace } from "./shell_commands.ts";
import { listCommands, toPathRules } from "./shell_commands.ts";

const HEADER = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)\r?$/gm;

/** Every path of a patch, each once, and both paths of a move. Relative paths stay relative. */
export function listPatchPaths(patch: string): readonly string[] {
  return [...new Set([...patch.matchAll(HEADER)].map(([, path = ""]) => path.trim()))];
}

/**
 * Every path, absolute, of the patches that a command line applies. A patch is the text that
 * `apply_patch` reads, or its argument; one that reaches it another way, such as a pipe, is looked
 * for in the whole line.
 */
export function listShellPatches(line: string, place: ShellPlace): readonly string[] {
  const { resolve } = toPathRules(place.root);
  const paths = listCommands(line, place)
    .filter(({ name }) => /^apply_?patch(?:\.bat|\.cmd)?$/.test(name))
    .flatMap(({ args, input, folder }) => {
      const own = listPatchPaths([input, ...args].join("\n"));
      const named = own.length > 0 ? own : listPatchPaths(line);
      return named.map((path) => resolve(folder, path));
    });
  return [...new Set(paths)];
}
