/**
 * Where the program keeps its own files of a user, computed from the home folder alone: clients clear
 * the environment of servers but not of hooks, and all of them must find one place. Pure.
 */

/** The facts that the place depends on. */
export interface UserEnvironment {
  /** Name of the operating system as `Deno.build.os` gives it. */
  readonly os: string;
  /** Value of a variable, undefined where it is not set. */
  readonly get: (name: string) => string | undefined;
}

const FOLDERS: Readonly<Record<string, { readonly state: string; readonly cache: string }>> = {
  darwin: { state: "Library/Application Support/code-intel", cache: "Library/Caches/code-intel" },
  windows: { state: "AppData/Local/code-intel/state", cache: "AppData/Local/code-intel/cache" },
};
const UNIX = { state: ".local/state/code-intel", cache: ".cache/code-intel" };

/** The folder of keys and trust, or null without a home folder; `CODE_INTEL_STATE_DIR` moves it. */
export function toStateDir(environment: UserEnvironment): string | null {
  return toFolder(environment, "state");
}

/** The folder of what can be made again, or null without a home folder; `CODE_INTEL_CACHE_DIR` moves it. */
export function toCacheDir(environment: UserEnvironment): string | null {
  return toFolder(environment, "cache");
}

function toFolder({ os, get }: UserEnvironment, kind: "state" | "cache"): string | null {
  const own = get(`CODE_INTEL_${kind.toUpperCase()}_DIR`);
  if (own !== undefined && own !== "") return own;
  const home = get(os === "windows" ? "USERPROFILE" : "HOME");
  if (home === undefined || home === "") return null;
  return `${home.replace(/[\\/]+$/, "")}/${(FOLDERS[os] ?? UNIX)[kind]}`;
}
