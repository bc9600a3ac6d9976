/** Measures one checkout: what impact answers, what grep answers, and what the language's own tools say. */
import { basename, join } from "node:path";
import { listProjectFiles } from "../../src/git/trees/file_lists.ts";
import { createBackends } from "../../src/backends/detect.ts";
import { listFilesWithRipgrep } from "../../src/backends/ripgrep.ts";
import { listFilesByScan } from "../../src/backends/text_scan.ts";
import { languageOfPath } from "../../src/language/languages.ts";
import { parseTestName } from "../../src/language/test_names.ts";
import { openRepository } from "../../src/git/repository.ts";
import { createImpactAnalyzer } from "../../src/impact/analyze.ts";
import type { CodeIndex } from "../../src/index/index_api.ts";
import { openIndex } from "../harness/open_index.ts";
import { keep, requireOutput } from "../harness/run.ts";
import type { Sample, Truth } from "./sample.ts";
import { drawSamples } from "./sample.ts";
import { readTypescriptTruth } from "./truth_typescript.ts";

/** What one way of looking answers for one definition. */
export interface Answer {
  readonly must: ReadonlySet<string>;
  readonly should: ReadonlySet<string>;
  readonly tests: ReadonlySet<string>;
}

/** By the program, and by two greps. */
export type Way = "impact" | "byStem" | "byName";

/** One definition with all answers. */
export type Row = Readonly<Record<Way, Answer>> & { readonly sample: Sample };

/** One checkout. */
export interface Measured {
  readonly name: string;
  readonly language: string;
  readonly revision: string;
  readonly files: number;
  readonly definitions: number;
  /** What made the truth. */
  readonly tool: string;
  readonly rows: readonly Row[];
}

/**
 * Measures the checkout in a folder.
 *
 * @param scratch folder for the index, which is thrown away.
 * @param truths folder where truths are kept by revision, so that a second run need not make them again.
 */
export async function measureCheckout(
  folder: string,
  { count, seed, scratch, truths }: {
    readonly count: number;
    readonly seed: number;
    readonly scratch: string;
    readonly truths: string | undefined;
  },
): Promise<Measured> {
  const root = await Deno.realPath(folder);
  const repo = await openRepository(root);
  if (repo === null) throw new Error(`${folder} is no checkout of git`);
  const files = await listProjectFiles(repo);
  const revision = await repo.git.line(["rev-parse", "HEAD"]);
  const kept = truths && join(truths, `${revision}.json`);
  const { truth, tool, language } = await keep(kept, () => readTruth(root, files));
  const index = openIndex({
    projectRoot: root,
    folder: scratch,
    listFiles: (list) => listProjectFiles(repo, list),
  });
  try {
    await index.sync();
    const rows: Row[] = [];
    for (const sample of drawSamples(truth, { count, seed })) {
      rows.push(await measureSample(sample, { root, files, index }));
    }
    const definitions = truth.definitions.length;
    const name = basename(folder);
    return { name, language, revision, files: files.length, definitions, tool, rows };
  } finally {
    await index.close();
  }
}

interface Bench {
  readonly root: string;
  readonly files: readonly string[];
  readonly index: CodeIndex;
}

async function measureSample(sample: Sample, bench: Bench): Promise<Row> {
  const { definition } = sample;
  const code = bench.files.filter((path) => isCode(path) && path !== definition.path);
  const stem = definition.path.slice(definition.path.lastIndexOf("/") + 1).replace(/\..*$/, "");
  const grep = async (...words: readonly string[]): Promise<Answer> => {
    const must = await grepFiles(bench.root, code, words);
    const tests = [...must].filter((path) => parseTestName(path) !== null);
    return { must, should: new Set(), tests: new Set(tests) };
  };
  const [byStem, byName] = await Promise.all([grep(stem, toPascal(stem)), grep(definition.name)]);
  return { sample, impact: await askImpact(sample, bench), byStem, byName };
}

/** Files of the list with one of the words as a whole word: the comparison that needs no index. */
async function grepFiles(
  root: string,
  files: readonly string[],
  words: readonly string[],
): Promise<ReadonlySet<string>> {
  const query = {
    patterns: [...new Set(words)],
    fixed: true,
    caseSensitive: true,
    wholeWord: true,
    contextLines: 0,
  };
  const scope = { root, files, offset: 0, maxResults: 0 };
  const { path } = await backends.rg();
  const found = path === undefined
    ? await listFilesByScan(query, scope)
    : await listFilesWithRipgrep(path, query, scope);
  return new Set(found);
}

const backends = createBackends();

async function askImpact({ definition }: Sample, { root, files, index }: Bench): Promise<Answer> {
  const analyzer = createImpactAnalyzer({
    projectRoot: root,
    listFiles: () => Promise.resolve(files),
    backends,
    logger: { note: () => {} },
    index,
    openRepo: () => Promise.resolve(null),
    loadPatterns: () => Promise.resolve({ include_patterns: [], exclude_patterns: [] }),
    loadCommands: () => Promise.resolve([]),
  });
  const symbol = await index.read((view) => {
    const hit = view.listSymbols(definition.path)
      .find(({ name, line }) => name === definition.name && line === definition.line);
    return hit?.qualifiedName.split(".").slice(-2).join(".");
  });
  const answer = await analyzer.analyze({
    targetFiles: [definition.path],
    symbols: [symbol ?? definition.name],
    isDiff: false,
    changeDescription: "",
    depth: 2,
  });
  if (answer.kind === "refused") {
    return { must: new Set(), should: new Set(), tests: new Set() };
  }
  const code = answer.files.filter(({ path }) => isCode(path));
  return {
    must: new Set(code.filter(({ isMust }) => isMust).map(({ path }) => path)),
    should: new Set(code.filter(({ isMust }) => !isMust).map(({ path }) => path)),
    tests: new Set(answer.tests),
  };
}

const CODE = /^(?:Python|Go|TypeScript|TSX|JavaScript)$/;

function isCode(path: string): boolean {
  return CODE.test(languageOfPath(path)?.name ?? "");
}

function toPascal(stem: string): string {
  return stem.replace(/(?:^|[_-])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

interface MadeTruth {
  readonly truth: Truth;
  readonly tool: string;
  readonly language: string;
}

async function readTruth(root: string, files: readonly string[]): Promise<MadeTruth> {
  if (files.includes("go.mod")) {
    const program = join(import.meta.dirname ?? ".", "truth.go");
    const env = { GO111MODULE: "off" };
    const truth = JSON.parse(await requireOutput("go", ["run", program, root], { env }));
    const version = await requireOutput("go", ["version"]);
    return { truth, tool: `go/types (${version.split(" ")[2]})`, language: "Go" };
  }
  const python = files.filter((path) => path.endsWith(".py")).length;
  const scripts = files.filter((path) => /\.[mc]?tsx?$/.test(path)).length;
  if (python > scripts) {
    const program = join(import.meta.dirname ?? ".", "truth.py");
    const truth = JSON.parse(await requireOutput("python3", [program, root]));
    const version = await requireOutput("python3", ["--version"]);
    return { truth, tool: `ast (${version})`, language: "Python" };
  }
  const { version } = await import("typescript").then(({ default: ts }) => ts);
  return {
    truth: readTypescriptTruth(root, files),
    tool: `TypeScript compiler ${version}`,
    language: "TypeScript",
  };
}
