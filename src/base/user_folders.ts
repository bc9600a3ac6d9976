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

const FOLDERS: Readonly<Record<string, string>> = {
  darwin: "Library/Application Support/code-intel",
  windows: "AppData/Local/code-intel/state",
};
const UNIX = ".local/state/code-intel";

/** The folder of keys and trust, or null without a home folder; `CODE_INTEL_STATE_DIR` moves it. */
export function toStateDir({ os, get }: UserEnvironment): string | null {
  const own = get("CODE_INTEL_STATE_DIR");
  if (own !== undefined && own !== "") return own;
  const home = get(os === "windows" ? "USERPROFILE" : "HOME");
  if (home === undefined || home === "") return null;
  return `${home.replace(/[\\/]+$/, "")}/${FOLDERS[os] ?? UNIX}`;
}
