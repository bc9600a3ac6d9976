/** How the executable came to where it lies, as its path tells, and how clients should call it therefore. Pure. */
import { PROGRAM_NAME, VERSION } from "../base/version.ts";

/** How clients call an executable. */
export interface Installation {
  /** Words before the arguments of each call, in files that a team shares. */
  readonly shared: readonly string[];
  /** The same in files of this machine: they need no PATH, and stay right when another version is installed. */
  readonly own: readonly string[];
}

const VERSIONED = `${PROGRAM_NAME}@${VERSION}`;

/** Programs that run an executable out of their cache, from where it may be gone tomorrow. */
const FETCHERS: readonly { readonly cache: RegExp; readonly words: readonly string[] }[] = [
  { cache: /[\\/]_npx[\\/]/, words: ["npx", "-y", VERSIONED] },
  { cache: /[\\/]uv[\\/](?:cache[\\/])?archive-v\d+[\\/]/, words: ["uvx", VERSIONED] },
];

/** Installers that give each version a folder of its own, beside a link which always leads to the present one. */
const VERSION_FOLDERS: readonly { readonly folder: RegExp; readonly link: string }[] = [
  // Homebrew: Cellar/code-intel/0.1.0/bin; opt/code-intel is the link.
  { folder: /\/Cellar\/([^/]+)\/[^/]+\//, link: "/opt/$1/" },
  // Scoop: apps\code-intel\0.1.0; apps\code-intel\current is the link.
  { folder: /\\scoop\\apps\\([^\\]+)\\[^\\]+\\/i, link: "\\scoop\\apps\\$1\\current\\" },
];

/**
 * Tells from the path of the executable how it was installed.
 *
 * @param executable absolute path, links resolved.
 * @param projectRoot the project that is set up: an executable below its `node_modules` is called by `npx`, which finds
 * the version that the project's lock file names and fetches nothing (`--no`).
 *
 * @example
 * ```ts
 * import { deepStrictEqual as equal } from "node:assert/strict";
 * import { detectInstallation } from "./installation.ts";
 * const brew = "/opt/homebrew/Cellar/code-intel/0.1.0/bin/code-intel";
 * equal(detectInstallation(brew).own, ["/opt/homebrew/opt/code-intel/bin/code-intel"]);
 * ```
 */
export function detectInstallation(executable: string, projectRoot?: string): Installation {
  const fetcher = FETCHERS.find(({ cache }) => cache.test(executable));
  if (fetcher !== undefined) {
    // On Windows npx is a script, which clients cannot start themselves; a team's files serve other systems, too.
    const isScript = fetcher.words[0] === "npx" && /^[A-Za-z]:\\/.test(executable);
    const own = isScript ? ["cmd", "/c", ...fetcher.words] : fetcher.words;
    return { shared: fetcher.words, own };
  }
  const isOfProject = projectRoot !== undefined && executable.startsWith(projectRoot) &&
    /^[\\/]node_modules[\\/]/.test(executable.slice(projectRoot.length));
  if (isOfProject) {
    return { shared: ["npx", "--no", PROGRAM_NAME], own: [executable] };
  }
  const versioned = VERSION_FOLDERS.find(({ folder }) => folder.test(executable));
  const lasting = versioned === undefined
    ? executable
    : executable.replace(versioned.folder, versioned.link);
  return { shared: [PROGRAM_NAME], own: [lasting] };
}
