/** The questions of a benchmark, read from a folder of `queries.jsonl` files and checked. */
import { join } from "node:path";
import type { LineRange } from "../../src/git/trees/changed_lines.ts";

/** One question with the files that answer it. */
export interface BenchmarkQuery {
  readonly id: string;
  readonly repo: string;
  readonly language: string;
  readonly category: string;
  readonly query: string;
  /** Paths that count, each once. */
  readonly targets: readonly string[];
  /** Lines that answer it; null where none are known. */
  readonly lines: RightLines | null;
}

/** Lines that answer a question, as ranges from 1, by file. */
export type RightLines = Readonly<Record<string, readonly LineRange[]>>;

/** Reads `name` in `folder`; null when there is no such file. */
export async function readQueries(folder: string, name: string): Promise<BenchmarkQuery[] | null> {
  const path = join(folder, name);
  const text = await Deno.readTextFile(path).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  });
  if (text === null) return null;
  return text.split("\n").filter((line) => line.trim() !== "")
    .map((line, at) => toQuery(JSON.parse(line), `${path}:${at + 1}`));
}

function toQuery(value: Readonly<Record<string, unknown>>, place: string): BenchmarkQuery {
  const text = (key: string): string => {
    const field = value[key];
    if (typeof field !== "string" || field === "") throw new Error(`${place}: "${key}" is no text`);
    return field;
  };
  const paths = (key: string): string[] => {
    const field = value[key] ?? [];
    if (!Array.isArray(field)) throw new Error(`${place}: "${key}" is no list`);
    return field.map(String);
  };
  const lines = Object.entries((value["lines"] ?? {}) as RightLines);
  const isKnown = lines.some(([, ranges]) => ranges.length > 0);
  const targets = [...new Set([...paths("relevant"), ...paths("secondary")])];
  if (targets.length === 0) throw new Error(`${place}: no file answers it`);
  return {
    id: text("id"),
    repo: text("repo"),
    language: text("language"),
    category: text("category"),
    query: text("query"),
    targets,
    lines: isKnown ? Object.fromEntries(lines) : null,
  };
}
