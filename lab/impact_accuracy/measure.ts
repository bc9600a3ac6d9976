/** Measures one checkout: what impact answers, what grep answers, and what the language's own tools say. */
import { join } from "node:path";
import { createBackends } from "../../src/backends/detect.ts";
import { languageOfPath } from "../../src/language/languages.ts";
import { toTestName } from "../../src/language/test_names.ts";
import { runProcess } from "../../src/base/processes/process.ts";
import { listProjectFiles, openRepository } from "../../src/git/repository.ts";
import { createImpactAnalyzer } from "../../src/impact/analyze.ts";
import { createCodeIndex } from "../../src/index/code_index.ts";
import type { CodeIndex } from "../../src/index/index_api.ts";
import { grepFiles } from "./grep.ts";
import type { Sample } from "./sample.ts";
import { drawSamples } from "./sample.ts";
import type { Truth } from "./truth.ts";
import { readTypescriptTruth } from "./truth_typescript.ts";

/** What one way of looking answers for one definition. */
export interface Answer {
  readonly must: ReadonlySet<string>;
  readonly should: ReadonlySet<string>;
  readonly tests: ReadonlySet<string>;
}

/** One definition with all answers. */
export interface Row {
  readonly sample: Sample;
  readonly impact: Answer;
  readonly byStem: Answer;
  readonly byName: Answer;
}

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

/** What is measured with. */
export interface MeasureOptions {
  readonly count: number;
  readonly seed: number;
  /** Folder for the index, which is thrown away. */
  readonly scratch: string;
  /** Folder where truths are kept by revision, so that a second run need not make them again. */
  readonly truths?: string;
}

const MAX_TRUTH_MS = 600_000;

/** Measures the checkout in a folder. */
export async function measureCheckout(folder: string, options: MeasureOptions): Promise<Measured> {
  const root = await Deno.realPath(folder);
  const repo = await openRepository(root);
  if (repo === null) throw new Error(`${folder} is no checkout of git`);
  const files = await listProjectFiles(repo);
  const revision = await repo.git.line(["rev-parse", "HEAD"]);
  const kept = options.truths === undefined ? null : join(options.truths, `${revision}.json`);
  const { truth, tool, language } = await loadTruth(root, files, kept);
  const samples = drawSamples(truth, options);
  const index = createCodeIndex({
    projectRoot: root,
    folder: options.scratch,
    listFiles: (list) => listProjectFiles(repo, list),
    loadSettings: () =>
      Promise.resolve({
        sourceDirs: [],
        excludePatterns: [],
        chunkMaxTokens: 512,
        syncTtlHours: 1,
        maxChunks: 1,
        meaningOf: "none",
      }),
  });
  try {
    await index.sync();
    const rows: Row[] = [];
    for (const sample of samples) rows.push(await measureSample(sample, { root, files, index }));
    return {
      name: folder.split("/").filter((part) => part !== "").at(-1) ?? folder,
      language,
      revision,
      files: files.length,
      definitions: truth.definitions.length,
      tool,
      rows,
    };
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
  const [byStem, byName] = await Promise.all(
    [[stem, toPascal(stem)], [definition.name]].map(async (words) => {
      const found = await grepFiles(bench.root, code, words);
      const tests = [...found].filter((path) => toTestName(path) !== null);
      return { must: found, should: new Set<string>(), tests: new Set(tests) };
    }),
  );
  const none = { must: new Set<string>(), should: new Set<string>(), tests: new Set<string>() };
  return {
    sample,
    impact: await askImpact(sample, bench),
    byStem: byStem ?? none,
    byName: byName ?? none,
  };
}

async function askImpact({ definition }: Sample, { root, files, index }: Bench): Promise<Answer> {
  const analyzer = createImpactAnalyzer({
    projectRoot: root,
    listFiles: () => Promise.resolve(files),
    backends: createBackends(),
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

async function loadTruth(
  root: string,
  files: readonly string[],
  kept: string | null,
): Promise<MadeTruth> {
  const text = kept === null ? null : await Deno.readTextFile(kept).catch(() => null);
  if (text !== null) return JSON.parse(text) as MadeTruth;
  const made = await readTruth(root, files);
  if (kept !== null) await Deno.writeTextFile(kept, JSON.stringify(made));
  return made;
}

async function readTruth(root: string, files: readonly string[]): Promise<MadeTruth> {
  if (files.includes("go.mod")) {
    const program = join(import.meta.dirname ?? ".", "truth.go");
    const truth = await runJson("go", ["run", program, root], { GO111MODULE: "off" });
    const version = await runText("go", ["version"]);
    return { truth, tool: `go/types (${version.split(" ")[2]})`, language: "Go" };
  }
  const python = files.filter((path) => path.endsWith(".py")).length;
  const scripts = files.filter((path) => /\.[mc]?tsx?$/.test(path)).length;
  if (python > scripts) {
    const program = join(import.meta.dirname ?? ".", "truth.py");
    const truth = await runJson("python3", [program, root]);
    const version = await runText("python3", ["--version"]);
    return { truth, tool: `ast (${version})`, language: "Python" };
  }
  const { version } = await import("typescript").then(({ default: ts }) => ts);
  return {
    truth: readTypescriptTruth(root, files),
    tool: `TypeScript compiler ${version}`,
    language: "TypeScript",
  };
}

async function runText(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const result = await runProcess(program, args, {
    timeoutMs: MAX_TRUTH_MS,
    env,
    maxOutputBytes: 256 * 1024 * 1024,
  });
  if (result.code !== 0) throw new Error(`${program} failed: ${result.stderr.slice(0, 2_000)}`);
  return new TextDecoder().decode(result.stdout).trim();
}

async function runJson(...call: Parameters<typeof runText>): Promise<Truth> {
  return JSON.parse(await runText(...call)) as Truth;
}
