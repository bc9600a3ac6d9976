/** Reads what commits claim of themselves: the trailers of this program, with what tells whether a note fits them. */
import { decode, makeGitError } from "../../git/git.ts";
import type { Repository } from "../../git/repository.ts";

/** A commit with its claims. */
export interface Claim {
  readonly commit: string;
  readonly tree: string;
  readonly parents: readonly string[];
  /** First line of the message. */
  readonly subject: string;
  /** Values of `Code-Intel-Session`; one at most in commits of this program. */
  readonly sessions: readonly string[];
  /** Values of `Code-Intel-Verified`. */
  readonly verified: readonly string[];
  /** Values of `Code-Intel-Run`, in their order. */
  readonly ran: readonly string[];
  /** Values of `Code-Intel-Forced`: the completion was forced, with which issues open. */
  readonly forced: readonly string[];
}

/** Commits, or why there are none. */
export type ClaimList =
  | { readonly kind: "claims"; readonly claims: readonly Claim[]; readonly isCut: boolean }
  | { readonly kind: "unknown_range"; readonly said: string };

/** The history behind a shallow clone, or names that git does not know. */
const UNKNOWN = /bad revision|unknown revision|ambiguous argument|bad object|no commits yet/i;

/**
 * The commits of a range such as `main..HEAD`, newest first; of a single name that commit alone.
 *
 * @throws {CodeIntelError} `git_failed` where git fails for another reason than the range.
 */
export async function listClaims(
  repo: Repository,
  range: string,
  maxCount: number,
): Promise<ClaimList> {
  if (range.startsWith("-") || range.includes("\0")) {
    return { kind: "unknown_range", said: `"${range}" is no range of commits` };
  }
  const fields = ["%H", "%T", "%P", "%B"];
  const args = [
    "log",
    `--max-count=${maxCount + 1}`,
    // Behind the count, which would set the walk going again.
    ...(range.includes("..") ? [] : ["--no-walk=unsorted"]),
    "--no-show-signature",
    `--format=tformat:${fields.map((field) => `${field}%x00`).join("")}`,
    "--end-of-options",
    range,
    "--",
  ];
  const result = await repo.git.run(args);
  if (result.code !== 0) {
    if (!UNKNOWN.test(result.stderr)) throw makeGitError(args, result);
    return { kind: "unknown_range", said: result.stderr.replace(/^fatal: /, "").trim() };
  }
  const claims = parseClaims(decode(result.stdout).split("\0"), fields.length);
  return { kind: "claims", claims: claims.slice(0, maxCount), isCut: claims.length > maxCount };
}

function parseClaims(fields: readonly string[], width: number): readonly Claim[] {
  const claims: Claim[] = [];
  for (let at = 0; at + width <= fields.length; at += width) {
    const [commit = "", tree = "", parents = "", message = ""] = fields.slice(at, at + width);
    claims.push({
      commit: commit.trim(),
      tree,
      parents: parents.split(" ").filter((parent) => parent !== ""),
      subject: message.split("\n", 1)[0]?.trim() ?? "",
      sessions: readTrailer(message, "session"),
      verified: readTrailer(message, "verified"),
      ran: readTrailer(message, "run"),
      forced: readTrailer(message, "forced"),
    });
  }
  return claims;
}

/**
 * The values of a trailer, wherever it stands. Only the program writes such lines. A squashed
 * commit has one in the middle of its message, and a reader takes it for a claim too.
 */
function readTrailer(message: string, key: string): readonly string[] {
  const lines = new RegExp(`^[ \\t]*code-intel-${key}[ \\t]*:(.*(?:\\n[ \\t]+\\S.*)*)`, "gim");
  return [...message.matchAll(lines)].map((line) => (line[1] ?? "").replaceAll(/\s+/g, " ").trim())
    .filter((value) => value !== "");
}
