/** Every key of `config.json` and `context.yml`: its check, and what it means. A check is made when its key is met. */
import { STEP } from "../steps.ts";
import * as z from "zod";
import { LIMITS } from "./limits.ts";

function textValue() {
  return z.string().min(1).max(4096);
}

function listOfTexts() {
  return z.array(textValue()).max(1000);
}

function switchValue() {
  return z.union([z.enum(["on", "off"]), z.boolean().transform((isOn) => isOn ? "on" : "off")]);
}

function weightValue() {
  return z.number().min(0).max(10);
}

/** Most commands of `verify`. */
export const MAX_VERIFY_ROWS = 50;

/** The check of one command of `verify`. */
export function verifyRow() {
  return z.strictObject({
    name: textValue().describe("How the command is called in replies"),
    run: z.array(textValue()).min(1).max(200).describe("Program and arguments; no shell"),
    paths: listOfTexts().optional().describe("Globs: runs only when one of these changed"),
    writes: listOfTexts().optional().describe("Globs: what the command itself may write"),
    timeout_s: z.number().positive().max(86_400).default(1800).describe("Longest run, in seconds"),
  });
}

/** A result is distinguished by the name of its command. */
function checkNames(rows: readonly { readonly name: string }[], context: z.RefinementCtx): void {
  rows.forEach(({ name }, index) => {
    if (rows.findIndex((row) => row.name === name) === index) return;
    context.addIssue({ code: "custom", path: [index, "name"], message: `"${name}" comes twice` });
  });
}

/** Every key of `config.json` with its check, and what it means, for editors and `docs/configuration.md`. */
export const CONFIG_SHAPE = {
  source_dirs: () => listOfTexts().describe("Folders that are indexed; empty: the whole project"),
  exclude_patterns: () => listOfTexts().describe("Globs that are left out of the index"),
  scip_indexes: () =>
    listOfTexts().describe(
      "SCIP index files of the languages' own indexers, whose paths begin in their folder",
    ),
  share_remote: () =>
    z.string().max(4096)
      .describe(
        "Remote of the repository that analyses are pulled from at a start, such as origin; empty: none (docs/sharing.md)",
      ),
  sync_ttl_hours: () =>
    z.number().min(0).max(8760)
      .describe("After how many hours every file is read again, whatever its time and size say"),
  sync_on_start: () => z.boolean().describe("Bring the index up to date when the server starts"),
  chunk_max_tokens: () =>
    z.number().int().min(64).max(8192)
      .describe("Largest piece of code that is indexed as one"),
  embedding_model: () =>
    z.enum(["auto", "multilingual-e5-small", "none"])
      .describe(
        "When the embedding model is asked: auto, for questions in a language that no table puts into English; multilingual-e5-small, for every question in words (some 300 MB, and minutes of a processor for its vectors); none, never",
      ),
  max_chunks: () =>
    z.number().int().min(0).max(10_000_000)
      .describe(
        "Most pieces with a vector of their whole text, beside those of digests; 0: none; those beyond are found by digests and words",
      ),
  search_weights: () =>
    z.strictObject({
      vector: weightValue().default(1).describe("Nearness of meaning"),
      keyword: weightValue().default(1).describe("Words"),
      definition: weightValue().default(1).describe("Definitions of names in the question"),
      reference: weightValue().default(1).describe("Uses of these names"),
    }).describe("Factors of the ranking, each 0 to 10"),
  verify: () =>
    z.array(verifyRow()).max(MAX_VERIFY_ROWS).superRefine(checkNames)
      .describe(
        `Commands that the server runs at ${STEP.POST_IMPL_VERIFY}; a person allows them first`,
      ),
  verify_baseline: () =>
    z.enum(["auto", "off"])
      .describe("Run them once on the untouched tree: tests that fail there do not count"),
  verify_checkout: () =>
    z.enum(["auto", "off"])
      .describe(
        "Run them in a clean checkout of what is to be committed, where that works; off: in the worktree",
      ),
  verify_lend: () =>
    listOfTexts()
      .describe(
        "Ignored folders that are lent to that checkout, by name anywhere or by path: installed dependencies",
      ),
  attest: () =>
    z.enum(["auto", "signed", "off"])
      .describe(
        "Keep a statement about each commit of a session as a git note: signed where git has a key, only then, never",
      ),
  enforcement: () =>
    z.enum(["strict", "warn", "off"])
      .describe("What a change outside the rules does: block, tell, nothing"),
  snapshot_days: () =>
    z.number().int().min(0).max(3650)
      .describe("Days that the snapshots of an ended session are kept"),
  max_snapshot_mb: () =>
    z.number().positive().max(100_000)
      .describe("Untracked files above this size, in MiB, are recorded by hash only"),
} as const;

function summaryRow() {
  return z.looseObject({
    path: textValue().describe("The document"),
    summary: z.string().max(20_000).default("").describe("Its rules in short"),
    content_hash: z.string().max(64).nullable().default(null)
      .describe("What the document was when it was summed up"),
    extra_notes: z.string().max(20_000).nullable().default(null)
      .describe("Yours; no update touches it"),
  });
}

/** Every key of `context.yml` that is read, with its check and meaning. */
export const CONTEXT_SHAPE = {
  project_rules: () =>
    z.looseObject({
      source: textValue().nullable().default(null).describe("File with the rules for all work"),
      summary: z.string().max(20_000).nullable().default(null)
        .describe("Written by update_context, shown at each start"),
      content_hash: z.string().max(64).nullable().default(null)
        .describe("What the file was when it was summed up"),
      extra_notes: z.string().max(20_000).nullable().default(null)
        .describe("Yours; shown at each start, and no update touches it"),
    }),
  doc_research: () =>
    z.looseObject({
      enabled: z.boolean().default(true).describe(
        `false: ${STEP.DOCUMENT_RESEARCH} needs no documents`,
      ),
      docs_path: z.union([textValue().transform((path) => [path]), listOfTexts()]).default([])
        .describe("Where documents are"),
      default_prompts: listOfTexts().default(["default.md"])
        .describe(`Prompts of .code-intel/doc_research/ for ${STEP.DOCUMENT_RESEARCH}`),
      /** Summaries that `update_context` wrote, each with the hash of the document it was made of. */
      summaries: z.array(summaryRow()).max(200).default([]).describe("Written by update_context"),
    }),
  /** Of earlier programs: read, never written. */
  essential_docs: () =>
    z.looseObject({
      summaries: z.array(summaryRow()).max(200).default([])
        .describe("Of earlier programs: read, never written"),
    }),
  document_search: () =>
    z.looseObject({
      include_patterns: listOfTexts().default([]).describe("Globs of documents; empty: all"),
      exclude_patterns: listOfTexts().default([]).describe("Globs of files that are no documents"),
    }),
  interventions: () =>
    z.looseObject({
      enabled: z.boolean().default(true).describe(`false: ${STEP.VERIFY_INTERVENTION} is skipped`),
      prompts_dir: textValue().default("interventions").describe(
        `Folder of the prompts of ${STEP.VERIFY_INTERVENTION}`,
      ),
      threshold: z.number().int().min(1).max(100).default(LIMITS.verificationFailures.value)
        .describe(`Failures of a task before ${STEP.VERIFY_INTERVENTION}`),
      force_escalation_after: z.number().int().min(1).max(100).default(LIMITS.interventions.value)
        .describe(`Visits of ${STEP.VERIFY_INTERVENTION} before the person is asked`),
      suggest_new_prompts: z.boolean().default(false)
        .describe(
          `Ask for better prompts at ${STEP.VERIFY_INTERVENTION}; they go to logs/suggestions.md`,
        ),
      patterns: z.array(z.looseObject({
        pattern: textValue().describe("Regular expression over what failed"),
        prompts: listOfTexts().default([]).describe("Prompts for it"),
        threshold: z.number().int().min(1).max(100).default(1)
          .describe("From how many failures on"),
      })).max(100).default([]).describe("Which prompt for which failure"),
    }),
  mutants: () =>
    z.looseObject({
      when: z.enum(["high", "always", "never"]).default("high")
        .describe(
          `Try small wrong versions of the changed lines at ${STEP.POST_IMPL_VERIFY}, each of which a test should notice: where risk is HIGH, always, never`,
        ),
      seconds: z.number().int().min(1).max(86_400).default(LIMITS.mutantSeconds.value)
        .describe("Longest trial, in seconds"),
      gate: z.boolean().default(false)
        .describe("true: the work goes back for a test of each that none notices, or a reason"),
    }),
  verifiers: () =>
    z.looseObject({
      suggest_improvements: z.boolean().default(false)
        .describe(`Ask for better verifier prompts at ${STEP.POST_IMPL_VERIFY}`),
    }),
  coverage: () =>
    z.looseObject({
      changed_lines: z.number().min(0).max(1).nullable().default(null)
        .describe(
          `Least share of the changed lines that the commands of ${STEP.POST_IMPL_VERIFY} have to run; null: none`,
        ),
      files: listOfTexts().default([])
        .describe(
          "Coverage files that the commands write, or folders of them, beside the usual places",
        ),
      node: z.boolean().default(true)
        .describe("false: Node is not asked to count lines (NODE_V8_COVERAGE) in test commands"),
    }),
  prove: () =>
    z.looseObject({
      stop: switchValue().default("off").describe(
        "on: after each turn of an agent that changed files, and no session is active, its change is proven (docs/prove.md)",
      ),
      seconds: z.number().int().min(1).max(120).default(60)
        .describe("How long that may take; the rest runs on and is told after the next turn"),
    }),
  runs: () =>
    switchValue().default("off")
      .describe(
        "on: the run of the tests at the start of a session records which test runs which function; it takes up to 1.5 times as long",
      ),
} as const;

/** Checks of keys, each made when its key is met: most projects set few of them. */
type Shape = Readonly<Record<string, () => z.ZodType>>;
type Checks<S extends Shape> = { [Key in keyof S]: ReturnType<S[Key]> };
type Values<S extends Shape> = { readonly [Key in keyof S]: z.infer<ReturnType<S[Key]>> };

/** The check of all keys at once, for documents. */
export function buildObject<S extends Shape>(shape: S): z.ZodObject<Checks<S>> {
  const checks = Object.entries(shape).map(([key, build]) => [key, build()] as const);
  return z.object(Object.fromEntries(checks) as Checks<S>);
}

/** The values of `config.json`, by its own keys. */
export type ProjectConfig = Values<typeof CONFIG_SHAPE>;

/** The values of `context.yml`, by its own keys. */
export type ContextSettings = Values<typeof CONTEXT_SHAPE>;
