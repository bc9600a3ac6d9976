/**
 * Which contents of the worktree are committed: a push gives no word of a file that only its writer has seen. A content
 * counts by its bytes and not by git's notes of what changed, which a person may have told git not to look at.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { splitNul } from "../../git/git.ts";
import type { Repository } from "../../git/repository.ts";
import type { HeldContent } from "../../index/read/record_queries.ts";
import { hashContent, readStableFile } from "../../index/scan/file_reader.ts";

/** Where it is looked. */
export interface CommittedOptions {
  /** Null: nothing is committed. */
  readonly repo: Repository | null;
  /** Absolute path that the paths of contents begin at. */
  readonly projectRoot: string;
  readonly nowMs: () => number;
}

/** Remembers what it found, for one push. */
export class Committed {
  readonly #options: CommittedOptions;
  readonly #known = new Map<number, boolean>();
  #blobs: Promise<ReadonlySet<string>> | null = null;

  constructor(options: CommittedOptions) {
    this.#options = options;
  }

  /**
   * The numbers of those contents that the commit of HEAD has, under whatever path.
   *
   * @throws {CodeIntelError} `git_failed`, `timed_out`.
   */
  async find(contents: readonly HeldContent[]): Promise<ReadonlySet<number>> {
    this.#blobs ??= readBlobs(this.#options.repo);
    const blobs = await this.#blobs;
    for (const content of contents) {
      if (this.#known.has(content.blob)) continue;
      this.#known.set(content.blob, blobs.size > 0 && this.#isCommitted(content, blobs));
    }
    return new Set(contents.map(({ blob }) => blob).filter((blob) => this.#known.get(blob)));
  }

  #isCommitted({ hash, paths }: HeldContent, blobs: ReadonlySet<string>): boolean {
    const { repo, projectRoot: within, nowMs } = this.#options;
    const algorithm = repo?.objectFormat ?? "sha1";
    for (const path of paths) {
      const read = readStableFile(join(within, path), { within, nowMs });
      // What changed since the index read it says nothing of what the index has.
      if (read.kind !== "read" || hashContent(read.bytes).toHex() !== hash.toHex()) continue;
      const forms = [read.bytes, withoutReturns(read.bytes)];
      return forms.some((bytes) => blobs.has(hashBlob(bytes, algorithm)));
    }
    return false;
  }
}

/** The ids of all files of HEAD's commit; none before the first one. */
async function readBlobs(repo: Repository | null): Promise<ReadonlySet<string>> {
  const tree = await repo?.git.lineOrNull(["rev-parse", "--verify", "--quiet", "HEAD^{tree}"]);
  if (repo === null || tree === null || tree === undefined) return new Set();
  const rows = splitNul(await repo.git.bytes(["ls-tree", "-r", "-z", "--full-tree", tree]));
  return new Set(rows.flatMap((row) => /^100\d+ blob ([0-9a-f]+)\t/.exec(row)?.[1] ?? []));
}

function hashBlob(bytes: Uint8Array, algorithm: Repository["objectFormat"]): string {
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

const [RETURN, NEWLINE] = [13, 10];

/** As git commits a file whose lines it wrote with CRLF, by `core.autocrlf` or `eol=crlf`. */
function withoutReturns(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, at) => byte !== RETURN || bytes[at + 1] !== NEWLINE);
}
