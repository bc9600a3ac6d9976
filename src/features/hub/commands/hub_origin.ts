/** Reads what a person gives as the origin of a repository of a hub: a URL or a folder, a branch, a name. */
import { basename, isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CodeIntelError } from "../../../base/errors.ts";
import { clip } from "../../../base/text/clip.ts";

/** A branch of an origin, as it is added to a hub. */
export interface HubOrigin {
  readonly name: string;
  /** URL or absolute path. */
  readonly url: string;
  /** Null for what the remote's HEAD names. */
  readonly branch: string | null;
  /** What may go wrong with it, in sentences. */
  readonly warnings: readonly string[];
}

/** How an origin was given. */
export interface GivenOrigin {
  readonly given: string;
  readonly branch: string | null;
  readonly name: string | null;
  /** Absolute folder that relative paths begin in. */
  readonly base: string;
}

/** Longest name of a repository; a folder's name may have as many. */
const MOST_NAME_CHARS = 255;
/** A name is an argument of tools and commands, and a line of lists; `shop@feature/x` and `team/shop` are names. */
const NO_NAME = /^[@/-]|[\s\p{Cc}\p{Cf}]|\/\/|\/$|(?:^|\/)\.{1,2}(?:\/|$)/u;
/** Refusals show so much of a word. */
const SHOWN_CHARS = 80;

/** What the git of an indexer is allowed to connect by. */
const PROTOCOLS: readonly string[] = ["https:", "http:", "ssh:", "git:", "file:"];

/**
 * Reads an origin. Nothing is connected to: whether a URL answers is found out by the indexer.
 *
 * @throws {CodeIntelError} `bad_usage`.
 */
export function readOrigin({ given, branch, name, base }: GivenOrigin): HubOrigin {
  if (branch !== null) checkBranch(branch);
  const { url, warnings } = parseOrigin(given, base);
  const own = name ?? chooseName(url, branch);
  const isName = own !== "" && own.length <= MOST_NAME_CHARS && !NO_NAME.test(own);
  if (isName) return { name: own, url, branch, warnings };
  const what = name !== null
    ? `"${shorten(name)}" is no name`
    : own === ""
    ? `"${shorten(given)}" gives no name to the repository`
    : `"${shorten(own)}", which would be its name, is none`;
  throw new CodeIntelError("bad_usage", `Cannot add the repository: ${what}`, {
    hint:
      `Give one by --name NAME: up to ${MOST_NAME_CHARS} characters without spaces, that begins with no sign of / @ -, ends with no /, and has no part that is empty, "." or "..".`,
  });
}

function parseOrigin(given: string, base: string): Pick<HubOrigin, "url" | "warnings"> {
  // An empty word would be the folder of the project.
  if (given.trim() === "") throw makeOriginError(given, "it is empty");
  const url = URL.parse(given);
  // `C:\shop` is no URL, and `host:shop.git` is an address of SSH.
  const isDrive = /^[A-Za-z]:[/\\]/.test(given);
  if (url === null || isDrive) {
    const isSsh = !isDrive && /^[^/\\:]{2,}:[^:]/.test(given);
    return isSsh ? { url: given, warnings: [] } : checkFolder(given, resolve(base, given));
  }
  if (url.protocol !== "ssh:" && (url.username !== "" || url.password !== "")) {
    // It would be kept in the store and shown by lists.
    throw new CodeIntelError("bad_usage", "Cannot add a URL that holds a user or a password", {
      hint: "Leave them out: git asks a credential helper or an SSH key of the indexer.",
    });
  }
  // `URL` takes `host:shop.git` for one of its own kind.
  const isHost = !given.includes("//") && !given.includes("::") &&
    !PROTOCOLS.includes(url.protocol);
  if (isHost) return { url: given, warnings: [] };
  if (!PROTOCOLS.includes(url.protocol) || !given.includes("://")) {
    throw new CodeIntelError(
      "bad_usage",
      `Cannot add "${shorten(given)}": indexers do not connect by it`,
      {
        hint: "Name a URL that begins with https, http, ssh, git or file, or host:path for SSH.",
      },
    );
  }
  if (url.protocol !== "file:") return { url: given, warnings: [] };
  return { ...checkFolder(given, parseFileUrl(given, url)), url: given };
}

/** A URL may name another machine, or a path with signs that no path has. */
function parseFileUrl(given: string, url: URL): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw makeOriginError(given, "its URL names no folder that this machine could have");
  }
}

/** A folder need not be on this machine where it was given whole: an indexer on another one may have it. */
function checkFolder(given: string, path: string): Pick<HubOrigin, "url" | "warnings"> {
  const found = look(path);
  if (found === "repository") return { url: path, warnings: [] };
  if (found === "gone" && (isAbsolute(given) || given.startsWith("file:"))) {
    return {
      url: path,
      warnings: [
        `This machine has no folder ${path}: the indexer that does the job needs one there.`,
      ],
    };
  }
  const why = found === "gone"
    ? "it is neither a URL nor a folder"
    : "it is no git repository, and no bundle file of one";
  throw makeOriginError(given, why);
}

function makeOriginError(given: string, why: string): CodeIntelError {
  return new CodeIntelError("bad_usage", `Cannot add "${shorten(given)}": ${why}`, {
    hint:
      "Name a URL (https://git.example.com/shop.git), host:path for SSH, or the folder of a git repository.",
  });
}

function look(path: string): "repository" | "gone" | "other" {
  const stat = (...parts: readonly string[]) => {
    try {
      return Deno.statSync(resolve(path, ...parts));
    } catch {
      return null;
    }
  };
  const found = stat();
  if (found === null) return "gone";
  if (found.isFile) return path.endsWith(".bundle") ? "repository" : "other";
  const isRepository = stat(".git") !== null ||
    stat("HEAD") !== null && stat("objects") !== null && stat("refs") !== null;
  return isRepository ? "repository" : "other";
}

/** The rules of `git check-ref-format`, as far as people break them. */
function checkBranch(branch: string): void {
  const isRef = branch.startsWith("refs/");
  const isOdd = branch === "" || branch === "@" || branch === "HEAD" ||
    /^[-/]|[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|[/.]$|(?:^|\/)\.|\.lock(?:\/|$)/.test(branch);
  if (!isRef && !isOdd) return;
  throw new CodeIntelError("bad_usage", `There can be no branch "${shorten(branch)}"`, {
    hint: isRef
      ? "Name it as `git branch` shows it, without refs/heads/."
      : "Name one by --branch NAME as `git branch` shows it, or leave it out for the remote's HEAD.",
  });
}

function shorten(word: string): string {
  return clip(word, SHOWN_CHARS);
}

function chooseName(url: string, branch: string | null): string {
  const last = url.replace(/[/\\]+$/, "").split(/[/\\:]/).at(-1) ?? "";
  const own = basename(last).replace(/\.(?:git|bundle)$/, "");
  return branch === null ? own : `${own}@${branch}`;
}
