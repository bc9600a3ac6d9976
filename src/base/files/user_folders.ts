/**
 * Where the program keeps its own files of a user. Keys and trust are looked for below the home
 * folder alone: clients clear the environment of servers but not of hooks, and all of them must
 * find one place. So `XDG_STATE_HOME` is not read. What can be unpacked again may lie in two places,
 * so that `XDG_CACHE_HOME` is. Pure.
 */

/** The facts that the place depends on. */
export interface UserEnvironment {
  /** Name of the operating system as `Deno.build.os` gives it. */
  readonly os: string;
  /** Value of a variable, undefined where it is not set. */
  readonly get: (name: string) => string | undefined;
}

interface FolderSpec {
  /** Moves the folder. */
  readonly variable: string;
  /** Below the home folder, by operating system. */
  readonly folders: Readonly<Record<string, string>>;
  readonly unix: string;
  /** Names the folder above, on systems that have no folder of their own for it. */
  readonly xdg?: string;
}

const STATE: FolderSpec = {
  variable: "CODE_INTEL_STATE_DIR",
  folders: {
    darwin: "Library/Application Support/code-intel",
    windows: "AppData/Local/code-intel/state",
  },
  unix: ".local/state/code-intel",
};
const CACHE: FolderSpec = {
  variable: "CODE_INTEL_CACHE_DIR",
  folders: {
    darwin: "Library/Caches/code-intel",
    windows: "AppData/Local/code-intel/cache",
  },
  unix: ".cache/code-intel",
  xdg: "XDG_CACHE_HOME",
};

/** The folder of keys and trust, or null without a home folder; `CODE_INTEL_STATE_DIR` moves it. */
export function findStateDir(environment: UserEnvironment): string | null {
  return findUserFolder(STATE, environment);
}

/**
 * The folder of files that the program unpacks, or null without a home folder; `CODE_INTEL_CACHE_DIR`
 * moves it. It may be removed at any time.
 */
export function findCacheDir(environment: UserEnvironment): string | null {
  return findUserFolder(CACHE, environment);
}

function findUserFolder(place: FolderSpec, { os, get }: UserEnvironment): string | null {
  const own = get(place.variable);
  if (own !== undefined && own !== "") return own;
  const above = place.xdg === undefined || place.folders[os] !== undefined
    ? ""
    : get(place.xdg) ?? "";
  // By its specification a relative path counts as none.
  if (above.startsWith("/")) return `${above.replace(/\/+$/, "")}/code-intel`;
  const home = get(os === "windows" ? "USERPROFILE" : "HOME");
  if (home === undefined || home === "") return null;
  return `${home.replace(/[\\/]+$/, "")}/${place.folders[os] ?? place.unix}`;
}
