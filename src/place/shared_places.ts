/** The folders of a machine that belong to no single project: its top, the home folders, the folders for temporary files. */
import { dirname, join } from "node:path";
import type { SharedPlace } from "./place_rule.ts";

/** Absolute paths without links. */
export interface SharedPlaces {
  readonly homes: ReadonlySet<string>;
  readonly temporary: ReadonlySet<string>;
}

const HOME_VARIABLES = ["HOME", "USERPROFILE"];
const TEMP_VARIABLES = ["TMPDIR", "TMP", "TEMP"];
/** Where systems put the home folders of their users. */
const ABOVE_HOMES = ["/home", "/Users", "C:\\Users"];
const HOMES = ["/root", "/var/root"];
const TEMPORARY = ["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev/shm"];

/** Reads the places of this machine and this user. */
export function readSharedPlaces(): SharedPlaces {
  return {
    homes: toPaths(HOMES, HOME_VARIABLES),
    temporary: toPaths(TEMPORARY, TEMP_VARIABLES),
  };
}

function toPaths(fixed: readonly string[], variables: readonly string[]): ReadonlySet<string> {
  const named = variables.map((name) => Deno.env.get(name) ?? "").filter((path) => path !== "");
  return new Set([...fixed, ...named].map(toReal));
}

function toReal(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return join(path, ".");
  }
}

/** What kind of shared folder a path is; null for an ordinary one. */
export function toSharedPlace(path: string, places: SharedPlaces): SharedPlace | null {
  const above = dirname(path);
  if (above === path) return "top";
  if (ABOVE_HOMES.includes(path)) return "homes";
  if (places.homes.has(path) || ABOVE_HOMES.includes(above)) return "home";
  return places.temporary.has(path) ? "temporary" : null;
}
