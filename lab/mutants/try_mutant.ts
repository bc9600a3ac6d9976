/** Tries mutants in a copy of a checkout. */
import { dirname, join } from "node:path";
import { streamProcess } from "../../src/base/processes/process.ts";
import { withGroups } from "../../tools/quick_tests/run.ts";
import { toInMemory } from "../../tools/quick_tests/temp_of_run.ts";
import type { ChosenMutant } from "./core_mutants.ts";
import type { Stage, TestsOf } from "./tests_of.ts";

/** What became of a mutant; `no type` where the compiler noticed. */
export type Outcome = "killed" | "timed out" | "survived" | "no test" | "no type";

/** Kinds of which the compiler notices most. */
const OFTEN_WITHOUT_TYPES = new Set(["part", "field", "side"]);

type Ended = "passed" | "failed" | "timed out";

/** So many times its usual duration, and the pause beside it, a run may take. */
const SLOWER = 5;
const PAUSE_MS = 30_000;
const FIRST_MS = 15 * 60_000;

/** A copy of a checkout without its git folder, into which mutants are put. */
export class Trial {
  readonly #root: string;
  readonly #tests: TestsOf;
  readonly #env: Readonly<Record<string, string>>;
  /** How long tests take without a mutant. */
  readonly #usualMs = new Map<string, number>();

  constructor(root: string, tests: TestsOf, env: Readonly<Record<string, string>>) {
    this.#root = root;
    this.#tests = tests;
    this.#env = env;
  }

  /** Runs the tests, the nearest first, until one notices. */
  async try(mutant: ChosenMutant): Promise<Outcome> {
    const stages = this.#tests.stagesOf(mutant.path);
    if (stages.length === 0) return "no test";
    const limitMs = await this.#measure(stages.flat()) * SLOWER + PAUSE_MS;
    return await this.#with(mutant, async () => {
      const isOdd = OFTEN_WITHOUT_TYPES.has(mutant.kind);
      if (isOdd && !await this.#hasTypes(mutant)) return "no type";
      for (const stage of stages) {
        const ended = await this.#run(stage, limitMs);
        if (ended !== "passed") return ended === "failed" ? "killed" : ended;
      }
      return isOdd || await this.#hasTypes(mutant) ? "survived" : "no type";
    });
  }

  async #hasTypes(mutant: ChosenMutant): Promise<boolean> {
    return await this.#start(["check", mutant.path], FIRST_MS) === "passed";
  }

  /** @throws {Error} where the tests fail without a mutant: then they say nothing. */
  async #measure(stage: Stage): Promise<number> {
    const key = stage.toSorted().join("\n");
    const known = this.#usualMs.get(key);
    if (known !== undefined) return known;
    const startedAt = performance.now();
    const ended = await this.#run(stage, FIRST_MS);
    if (ended !== "passed") throw new Error(`These tests fail without a mutant:\n${key}`);
    const usualMs = performance.now() - startedAt;
    this.#usualMs.set(key, usualMs);
    return usualMs;
  }

  async #with<T>(mutant: ChosenMutant, action: () => Promise<T>): Promise<T> {
    const { text, start, end, after } = mutant;
    const file = join(this.#root, mutant.path);
    await Deno.writeTextFile(file, text.slice(0, start) + after + text.slice(end));
    try {
      return await action();
    } finally {
      await Deno.writeTextFile(file, text);
    }
  }

  async #run(files: Stage, timeoutMs: number): Promise<Ended> {
    const words = ["test", "--no-check", "-P=test", "--fail-fast", "--quiet"];
    return await withGroups(
      this.#root,
      [{ name: "mutant", files }],
      (modules) => this.#start([...words, ...modules], timeoutMs),
    );
  }

  async #start(args: readonly string[], timeoutMs: number): Promise<Ended> {
    const words = [...await toInMemory(this.#env.TMPDIR ?? ""), Deno.execPath(), ...args];
    const { kind, ...result } = await streamProcess(words[0] ?? "", words.slice(1), {
      cwd: this.#root,
      env: this.#env,
      timeoutMs,
      onPart: () => {},
    });
    if (kind === "timed_out") return "timed out";
    return "code" in result && result.code === 0 ? "passed" : "failed";
  }
}

/** Copies what git knows of a checkout, and what it would add; the copy is removed in the end. */
export async function copyCheckout(
  root: string,
): Promise<AsyncDisposable & { readonly root: string }> {
  const to = await Deno.realPath(await Deno.makeTempDir({ prefix: "code-intel-mutants-" }));
  const { stdout } = await new Deno.Command("git", {
    args: ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    cwd: root,
  }).output();
  for (const path of new TextDecoder().decode(stdout).split("\0").filter((one) => one !== "")) {
    await Deno.mkdir(dirname(join(to, path)), { recursive: true });
    await Deno.copyFile(join(root, path), join(to, path));
  }
  return { root: to, [Symbol.asyncDispose]: () => Deno.remove(to, { recursive: true }) };
}
