/**
 * The command `index`: builds the code index or brings it up to date, and says which files it left
 * out.
 */
import { formatCount } from "../../base/text/plain_text.ts";
import { CodeIntelError } from "../../base/errors.ts";
import type { SyncProgress } from "../../index/index_api.ts";
import type { SkippedFile } from "../../index/read/view.ts";
import type { MeaningProgress } from "../../index/vectors/meaning_api.ts";
import type { Services } from "../../services/services_api.ts";
import { withServices } from "../answer.ts";
import type { Command, ExitCode, Invocation } from "../command.ts";
import type { Terminal } from "../terminal.ts";
import { findToolOption } from "../tool_command.ts";

/** Brings the index of the project up to date. */
export const INDEX: Command = {
  usage: "",
  positionals: [0, 0],
  example: "code-intel index --rebuild",
  options: [
    { name: "rebuild", kind: "flag", summary: "Throw the index away first, of all worktrees" },
    findToolOption("sync_index", "force"),
    {
      name: "vectors",
      kind: "flag",
      summary: "Also make the vectors that questions in other languages need",
    },
  ],
  run: (invocation) =>
    withServices(invocation, (services) => build(services, invocation), { isServing: true }),
};

async function build({ index, beforeSync }: Services, invocation: Invocation): Promise<ExitCode> {
  const { terminal, isJson, options, signal } = invocation;
  const bar = new ProgressBar(terminal);
  await beforeSync(signal);
  const report = await index.sync({
    signal,
    rebuild: options["rebuild"] === true,
    force: options["force"] === true,
    onProgress: (progress) => bar.show(progress),
  });
  const vectors = options["vectors"] === true ? await makeVectors(index, signal, bar) : null;
  await bar.end();
  const { skipped, path, sizeBytes } = await index.status();
  const { isComplete, read, parsed, taken, removed, pending, durationMs, counts, notices } = report;
  if (isJson) {
    const reply = {
      ok: true,
      complete: isComplete,
      read,
      parsed,
      ...(taken === 0 ? {} : { taken }),
      removed,
      pending: pending.length,
      duration_ms: durationMs,
      ...counts,
      ...(vectors === null ? {} : { vectors: vectors.digests, vectors_left: vectors.left }),
      path,
      size_bytes: sizeBytes,
      skipped_files: skipped,
      ...(notices.length === 0 ? {} : { notices }),
    };
    await terminal.data(`${JSON.stringify(reply)}\n`);
  } else {
    const lines = [
      `${formatCount(counts.files, "file")}, ${formatCount(counts.symbols, "symbol")}, ${
        formatCount(counts.chunks, "chunk")
      } in ${path}`,
      `${read} read, ${parsed} analysed, ${formatTaken(taken)}${removed} removed in ${
        formatSeconds(durationMs)
      } s`,
      ...formatReasons(skipped),
      ...notices,
      ...(vectors === null ? [] : [
        `${formatCount(vectors.digests, "vector")}, ${formatCount(vectors.left, "file")} without`,
      ]),
      ...(isComplete
        ? []
        : [`Still to be done: ${formatCount(pending.length, "file")}; run it again.`]),
    ];
    await terminal.out(...lines);
  }
  return isComplete ? 0 : 1;
}

const FILES_AT_ONCE = 32;

/** Makes the vectors that are missing, a few files at a time so that the progress can be seen. */
async function makeVectors(
  index: Services["index"],
  signal: AbortSignal,
  bar: ProgressBar,
): Promise<Pick<MeaningProgress, "digests" | "left">> {
  const meaning = await index.meaning();
  if (meaning === null || !await meaning.isAvailable()) {
    throw new CodeIntelError("backend_missing", "There is no model to make vectors with", {
      hint: "`code-intel doctor` says where it is looked for; searches go by words without it.",
    });
  }
  const startedAt = performance.now();
  const { left: first } = await meaning.progress();
  for (let left = first;;) {
    signal.throwIfAborted();
    await meaning.finish("digest", { signal, maxFiles: FILES_AT_ONCE });
    const now = await meaning.progress();
    const made = first - now.left;
    const filesPerSecond = Math.round(made * 1000 / Math.max(1, performance.now() - startedAt));
    const secondsLeft = Math.ceil(now.left / Math.max(1, filesPerSecond));
    bar.show({ done: made, total: first, filesPerSecond, secondsLeft });
    if (now.left === 0 || now.left >= left) return now;
    left = now.left;
  }
}

/** For each reason, how many files were left out; the most frequent first. */
function formatReasons(skipped: readonly SkippedFile[]): readonly string[] {
  const groups = Map.groupBy(skipped, ({ reason }) => reason);
  return [...groups].sort(([a, one], [b, other]) => other.length - one.length || (a < b ? -1 : 1))
    .map(([reason, files]) => {
      const names = files.slice(0, 3).map(({ path }) => path).join(", ");
      return `${files.length} left out, ${reason}: ${names}${files.length > 3 ? " …" : ""}`;
    });
}

function formatTaken(taken: number): string {
  return taken === 0 ? "" : `${taken} taken from the shared index, `;
}

function formatSeconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(1);
}

const BAR_CHARS = 24;
const MIN_PAUSE_MS = 100;

/**
 * One line on standard error that shows the progress to a person; where no person watches, it only
 * tells who else is at work.
 */
class ProgressBar {
  readonly #terminal: Terminal;
  #shownMs = -MIN_PAUSE_MS;
  #isShown = false;
  #hasNamed = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show({ done, total, filesPerSecond, secondsLeft, process }: SyncProgress): void {
    const nowMs = performance.now();
    if (process !== undefined && !this.#hasNamed && !this.#terminal.isInteractive) {
      this.#hasNamed = true;
      const state = `${done} of ${total} files are done`;
      void this.#terminal.err(
        `Process ${process} is building the index (${state}); waiting for it.`,
      );
    }
    if (!this.#terminal.isInteractive || nowMs - this.#shownMs < MIN_PAUSE_MS) return;
    this.#shownMs = nowMs;
    this.#isShown = true;
    const full = Math.round(BAR_CHARS * done / Math.max(1, total));
    const bar = `${"█".repeat(full)}${"░".repeat(BAR_CHARS - full)}`;
    const text = process === undefined
      ? `${done}/${total} files, ${filesPerSecond}/s, ${secondsLeft} s left`
      : `${done}/${total} files, by process ${process}`;
    void this.#terminal.progress(`${bar} ${text}`);
  }

  /** Removes the line. */
  async end(): Promise<void> {
    if (this.#isShown) await this.#terminal.progress("");
  }
}
