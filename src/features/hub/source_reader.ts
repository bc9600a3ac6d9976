/** Reads the texts of a store, and which of them have some words. */
import { gunzipSync } from "node:zlib";
import type { PackedText } from "../../base/files/source_text.ts";
import type { PostgresLink } from "./postgres/link.ts";
import { keepStemmable } from "./postgres/word_query.ts";

/** Whose texts are read. */
export interface SourceOwner {
  /** Number of the repository. */
  readonly id: number;
  readonly origin: number;
}

/** The texts of a repository as far as they matter to a search. */
export interface ListedTexts {
  /** Bytes of those that may have a line, by path. */
  readonly sizes: ReadonlyMap<string, number>;
  /** Paths of texts that the store does not keep, binary files excepted. */
  readonly unkept: ReadonlySet<string>;
}

const BINARY = "binary";
/** The query of full text for any of some lists of words; null where all is meant. */
const ASKED = `asked AS MATERIALIZED (
  SELECT string_agg('(' || plainto_tsquery('words', value)::text || ')', ' | ')::tsquery AS query
    FROM jsonb_array_elements_text(?::jsonb) AS value)`;
/** Reads texts. */
export class SourceReader {
  readonly #link: PostgresLink;

  constructor(link: PostgresLink) {
    this.#link = link;
  }

  /**
   * The texts of a repository.
   *
   * @param ways lists of words, of which a text has to have one in a chunk; null for all texts.
   */
  listTexts({ id, origin }: SourceOwner, ways: readonly string[] | null): ListedTexts {
    const columns = "path.path, blob.size, file.skipped";
    const from = `files AS file JOIN paths AS path ON path.id = file.path
      LEFT JOIN blobs AS blob ON blob.id = file.blob WHERE file.worktree = ?`;
    const rows = ways === null
      ? this.#link.all(`SELECT ${columns} FROM ${from}`, id)
      : this.#link.all(
        `WITH ${ASKED}, fitting AS MATERIALIZED (
          SELECT DISTINCT texts.blob FROM asked, texts
            WHERE texts.vector @@ (asked.query && ('''@' || ?::text || '''')::tsquery))
        SELECT ${columns} FROM ${from}
          AND (file.blob IS NULL OR file.blob IN (SELECT blob FROM fitting))`,
        formatWays(ways),
        String(origin),
        id,
      );
    const sizes = new Map<string, number>();
    const unkept = new Set<string>();
    for (const { path, size, skipped } of rows) {
      if (size !== null && size !== undefined) sizes.set(String(path), Number(size));
      else if (skipped !== BINARY) unkept.add(String(path));
    }
    return { sizes, unkept };
  }

  /** Names of the repositories with a text that has one of the lists of words in a chunk, in order. */
  listFitting(ways: readonly string[]): readonly string[] {
    return this.#link.all(
      `WITH ${ASKED}
        SELECT repository.name FROM asked, repositories AS repository
          WHERE EXISTS (SELECT 1 FROM texts JOIN files AS file ON file.blob = texts.blob
              AND file.worktree = repository.id
            WHERE texts.vector @@ (asked.query && ('''@' || repository.origin || '''')::tsquery))
          ORDER BY repository.name`,
      formatWays(ways),
    ).map((row) => String(row["name"]));
  }

  /** Files as the store has them; one that the repository does not have is not there. */
  readPacked({ id }: Pick<SourceOwner, "id">, paths: readonly string[]): readonly PackedText[] {
    return this.#link.all(
      `SELECT path.path, source.bytes FROM paths AS path
        JOIN files AS file ON file.path = path.id AND file.worktree = ?
        JOIN blobs AS blob ON blob.id = file.blob
        JOIN sources AS source ON source.origin = blob.origin AND source.hash = blob.hash
        WHERE path.path IN (SELECT value FROM jsonb_array_elements_text(?::jsonb) AS value)`,
      id,
      JSON.stringify(paths),
    ).map((row) => ({ path: String(row["path"]), bytes: row["bytes"] as Uint8Array }));
  }

  /** The bytes of files. */
  read(owner: Pick<SourceOwner, "id">, paths: readonly string[]): ReadonlyMap<string, Uint8Array> {
    const packed = this.readPacked(owner, paths);
    return new Map(packed.map(({ path, bytes }) => [path, new Uint8Array(gunzipSync(bytes))]));
  }
}

/** The words as full text has them. */
function formatWays(ways: readonly string[]): string {
  return JSON.stringify(ways.map(keepStemmable));
}
