/**
 * Watches `deno test`: each test file is run alone, and V8 counts its functions. Their lines are asked of `deno coverage`,
 * which knows the text that ran: it gets a report in which each function is named by its place.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { listOwnFolder, makeOwnFolder, writeOwnFile } from "../../../base/files/own_folder.ts";
import { readRegularText } from "../../../base/files/regular_file.ts";
import { asRecord, parseJson } from "../../../base/text/json_record.ts";
import { narrowRun } from "../../../runners/narrow_run.ts";
import { readMembers } from "../../../runners/runner.ts";
import { eachLine } from "../lines/read_coverage.ts";
import type { ApartContext, ApartResult, ApartWay, Recording } from "../record/recording.ts";
import { SELECTED } from "../record/channel.ts";
import type { Counts } from "./parts.ts";
import { BUILD_MS, listGrown, MOST_PARTS, PART_MS, PartTally, readWritten } from "./parts.ts";
import { runAtOnce, takeWritten } from "./parts.ts";

/** Scripts of one run that are read (guessed). */
const MOST_SCRIPTS = 20_000;
const SETTINGS_BYTES = 1_048_576;
/** Words that change what is reported or in which order, not what runs. */
const DROPPED =
  /^--(?:coverage|doc|clean|parallel|fail-fast|shuffle|reporter|junit-path|filter)(?:[=-].*)?$/;
/** No test has this name, so that the modules are loaded alone. */
const NO_TEST = "--filter=/^(?!)/";

/** The words of `deno test`, itself or by a task; null where they are not plain. */
function readCommand({ run, cwd: root }: ApartContext): readonly string[] | null {
  let words = run;
  const [program = "", task = "", name = ""] = run;
  if (task === "task" && run.length === 3) {
    const texts = ["deno.json", "deno.jsonc"].map((file) =>
      readRegularText(join(root, file), { within: root, maxBytes: SETTINGS_BYTES })
    );
    const text = texts.map((one) => readMembers(one, "tasks")[name] ?? "").join("");
    if (!/^deno test [\w\s./=@:,+-]*$/.test(`${text} `)) return null;
    words = [program, ...text.trim().split(/\s+/).slice(1)];
  }
  const kept = words.filter((word, at) =>
    !DROPPED.test(word) && !/^--(?:filter|reporter|junit-path)$/.test(words[at - 1] ?? "")
  );
  return narrowRun(kept, ["a_test.ts"]) === kept ? null : kept;
}

/** The way. */
export const DENO_WAY: ApartWay = {
  kind: "apart",
  findHindrance: (context) => {
    const said = `\`${context.run.join(" ")}\` is no plain \`deno test\`.`;
    const problem = `${said} Declare \`deno test\` with its options and folders.`;
    return Promise.resolve(readCommand(context) === null ? problem : null);
  },
  record: (context) => new DenoRecord(context, readCommand(context) ?? []).record(),
};

class DenoRecord {
  readonly #context: ApartContext;
  readonly #words: readonly string[];
  readonly #tally: PartTally;
  #done = 0;

  constructor(context: ApartContext, words: readonly string[]) {
    this.#context = context;
    this.#words = words;
    this.#tally = new PartTally(context);
  }

  async record(): Promise<Recording> {
    const { signal, onProgress } = this.#context;
    const after = this.#words.indexOf("test") + 1;
    const none = this.#words.toSpliced(after, 0, NO_TEST, "--reporter=tap");
    const { result, counts: loaded } = await this.#run(none, "none", BUILD_MS);
    const named = result.output.matchAll(/^# (?:\.\/)?(\S.*\.[cm]?[jt]sx?)$/gm);
    const files = [...new Set([...named].map(([, path = ""]) => path))];
    if (files.length === 0) this.#tally.leaveOut("deno test named no file with tests.");
    const parts: { path: string; result: ApartResult; keys: readonly string[] }[] = [];
    await runAtOnce(files.slice(0, MOST_PARTS), async (path) => {
      const words = narrowRun(this.#words, [path]);
      if (signal.aborted || words === null) return this.#tally.leaveOut(`${path} was not run.`);
      const at = String(this.#done++);
      const { result, counts } = await this.#run([...words, "--no-check"], at, PART_MS);
      onProgress(this.#done, files.length);
      if (/"only" option/.test(result.output)) this.#tally.leaveOut(SELECTED);
      parts.push({ path, result, keys: listGrown(counts, loaded) });
    });
    const atLoad = listGrown(loaded, new Map());
    const ids = await this.#place(new Set([...atLoad, ...parts.flatMap(({ keys }) => keys)]));
    const pick = (keys: readonly string[]) => keys.flatMap((key) => ids.get(key) ?? []);
    this.#tally.addLoaded(pick(atLoad));
    for (const { path, result: { exitCode, ms }, keys } of parts) {
      const outcome = exitCode === null ? "unknown" : exitCode === 0 ? "passed" : "failed";
      const file = this.#tally.toPath(join(this.#context.cwd, path));
      const test = { name: file, file, unit: "file", outcome, ms: Math.round(ms) } as const;
      this.#tally.add(test, pick(keys));
    }
    return this.#tally.toRecording("deno test");
  }

  async #run(run: readonly string[], name: string, timeoutMs: number) {
    const { execute, folder } = this.#context;
    const own = join(folder, name);
    await makeOwnFolder(own, { below: folder });
    const env = { DENO_COVERAGE_DIR: own, NO_COLOR: "1" };
    const result = await execute({ run, env, timeoutMs });
    return { result, counts: await this.#readCounts(own) };
  }

  /** How often each function ran, by the places where it begins and ends and by its script; the folder is emptied. */
  async #readCounts(folder: string): Promise<Counts<string>> {
    const counts = new Map<string, number>();
    const entries = await listOwnFolder(folder, { below: folder }).catch(() => []);
    if (entries.length > MOST_SCRIPTS) this.#tally.leaveOut("Deno counted more than is read.");
    for (const { name } of entries.slice(0, MOST_SCRIPTS)) {
      const { url, functions } = asRecord(
        parseJson(await takeWritten(folder, join(folder, name)) ?? ""),
      );
      if (!this.#context.isSource(this.#readUrl(url)) || !Array.isArray(functions)) continue;
      for (const one of functions) {
        const { ranges } = asRecord(one);
        const { startOffset: start, endOffset: end, count } = asRecord(
          Array.isArray(ranges) ? ranges[0] : null,
        );
        // The whole module is a function too.
        if (start === 0 || ![start, end, count].every(Number.isInteger)) continue;
        const key = `${start} ${end} ${url}`;
        counts.set(key, Math.max(Number(count), counts.get(key) ?? 0));
      }
    }
    return counts;
  }

  /** The path of a script; empty for one that is no file. */
  #readUrl(url: unknown): string {
    try {
      return this.#tally.toPath(fileURLToPath(String(url)));
    } catch {
      return "";
    }
  }

  /** The functions at these places, by `deno coverage`. */
  async #place(keys: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
    const { execute, folder } = this.#context;
    const own = join(folder, "places");
    await makeOwnFolder(own, { below: folder });
    const scripts = Map.groupBy(keys, (key) => key.split(" ").slice(2).join(" "));
    for (const [at, [url, found]] of [...scripts].entries()) {
      const functions = [`0 ${Number.MAX_SAFE_INTEGER}`, ...found].map((key) => {
        const [startOffset = 0, endOffset = 0] = key.split(" ", 2).map(Number);
        const ranges = [{ startOffset, endOffset, count: 1 }];
        return { functionName: `${startOffset} ${endOffset}`, ranges, isBlockCoverage: true };
      });
      const text = JSON.stringify({ scriptId: String(at), url, functions });
      await writeOwnFile(join(own, `${at}.json`), text, { below: folder });
    }
    const output = join(folder, "places.info");
    const words = ["coverage", "--lcov", `--output=${output}`, "--include=^file:", "--exclude=^$"];
    await execute({ run: [this.#words[0] ?? "", ...words, own], timeoutMs: BUILD_MS });
    const text = readWritten(folder, output);
    if (text === null) this.#tally.leaveOut("`deno coverage` gave no lines of functions.");
    const urls = new Map([...scripts.keys()].map((url) => [this.#readUrl(url), url]));
    const ids = new Map<string, number>();
    let path = "";
    for (const line of eachLine(text ?? "")) {
      if (line.startsWith("SF:")) path = this.#tally.toPath(line.slice(3));
      const [, at, place] = /^FN:(\d+),(\d+ \d+)$/.exec(line) ?? [];
      if (place === undefined) continue;
      ids.set(`${place} ${urls.get(path)}`, this.#tally.find(path, Number(at)));
    }
    return ids;
  }
}
