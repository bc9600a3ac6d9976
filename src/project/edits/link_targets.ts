/**
 * Finds where a path of a set-up really leads. A link to a file of the same project is followed, so
 * that a project with `CLAUDE.md -> AGENTS.md` has one text under both names; nothing is written
 * through any other link.
 */
import { basename, dirname, join, relative } from "node:path";
import type { Places } from "../setup/places.ts";
import { toAbsolute } from "../setup/places.ts";

/** Where a path leads. */
export type LinkTarget =
  /** There is no link on the way. */
  | { readonly kind: "plain" }
  /** A link leads to this path of the project. */
  | { readonly kind: "inside"; readonly path: string }
  | { readonly kind: "odd"; readonly message: string; readonly hint: string };

/** Folders in which nothing is written through a link. */
const CLOSED = /^(?:\.git|\.code-intel)(?:\/|$)/;

/** Follows the links of a path of the project or the home folder. */
export async function findLinkTarget(places: Places, path: string): Promise<LinkTarget> {
  const link = await findFirstLink(places, path);
  if (link === null) return { kind: "plain" };
  const said = link === path ? "it is a symbolic link" : `its folder ${link} is a symbolic link`;
  const own = link === path ? "a file" : "a folder";
  const replace = `Replace ${link} by ${own} of its own`;
  if (link.startsWith("~/") || CLOSED.test(link)) {
    return { kind: "odd", message: said, hint: `${replace}, then run init again.` };
  }
  const found = await resolve(places, path);
  if (found === null) {
    const hint = `Make the file that ${link} leads to, or remove the link, then run init again.`;
    return { kind: "odd", message: `${said} that leads nowhere`, hint };
  }
  if (!isInside(found) || CLOSED.test(found)) {
    const where = isInside(found) ? found : "out of the project";
    const hint = `${replace} or by a link to one in this project, then run init again.`;
    return {
      kind: "odd",
      message: `${said} that leads to ${where}`.replace("to out", "out"),
      hint,
    };
  }
  return { kind: "inside", path: found };
}

/** The first link on the way to a path, which may be the path itself; null where there is none. */
async function findFirstLink(places: Places, path: string): Promise<string | null> {
  const home = path.startsWith("~/") ? "~/" : "";
  const parts = path.slice(home.length).split("/");
  for (let length = 1; length <= parts.length; length++) {
    const part = home + parts.slice(0, length).join("/");
    const info = await Deno.lstat(toAbsolute(places, part)).catch(() => null);
    if (info === null) return null;
    if (info.isSymlink) return part;
  }
  return null;
}

/**
 * The real path of a file, relative to the project; the file need not exist. Null for a link to
 * nothing.
 */
async function resolve(places: Places, path: string): Promise<string | null> {
  const root = await Deno.realPath(places.root);
  const absolute = toAbsolute(places, path);
  const info = await Deno.lstat(absolute).catch(() => null);
  const real = info === null ? await resolveMissing(absolute) : await tryRealPath(absolute);
  return real === null ? null : relative(root, real).replaceAll("\\", "/");
}

/** A folder above is a link, and the file is still to be made. */
async function resolveMissing(absolute: string): Promise<string | null> {
  const names: string[] = [];
  for (let folder = absolute; dirname(folder) !== folder; folder = dirname(folder)) {
    names.unshift(basename(folder));
    const parent = await Deno.lstat(dirname(folder)).catch(() => null);
    if (parent === null) continue;
    const real = await tryRealPath(dirname(folder));
    return real === null ? null : join(real, ...names);
  }
  return null;
}

async function tryRealPath(path: string): Promise<string | null> {
  return await Deno.realPath(path).catch(() => null);
}

function isInside(path: string): boolean {
  return path !== "" && path !== ".." && !path.startsWith("../") && !/^[A-Za-z]:/.test(path) &&
    !path.startsWith("/");
}
