/** Which tests may notice a change of a source file: the nearest first. */
import { dirname, join } from "node:path";
import { listTests, QUICK } from "../../tools/quick_tests/run.ts";

/** The folders of `src` whose mutants are tried, and whose tests are. */
export const CORE = ["phase", "ledger", "workflow", "evidence", "git"] as const;

/** The tests that walk sessions: what they cost is worth it for the rules that decide about each step. */
const SESSIONS = "tests/workflow";
const WALKED = "phase";
/** A row of the exceptions of the mirror: a file or folder and the test that covers it. */
const COVERED = /"(src\/[^"]+)":\s*"(tests\/[^"]+\.ts)/g;
const MIRROR = "tests/tidy/mirror_test.ts";

/** Test files that run together. */
export type Stage = readonly string[];

/** Knows the tests of a checkout. */
export class TestsOf {
  readonly #tests: Stage;
  readonly #covered: readonly (readonly [path: string, test: string])[];

  private constructor(tests: Stage, mirror: string) {
    this.#tests = tests;
    this.#covered = [...mirror.matchAll(COVERED)].map(([, from = "", test = ""]) => [from, test]);
  }

  /** @param root absolute path of the checkout. */
  static async read(root: string): Promise<TestsOf> {
    const mirror = await Deno.readTextFile(join(root, MIRROR)).catch(() => "");
    return new TestsOf(await listTests(root, ["tests"], QUICK), mirror);
  }

  /** The test of the file itself; those of its folder, then of the folder above all; then those that walk sessions. */
  stagesOf(path: string): readonly Stage[] {
    const [, top = ""] = /^src\/((?:features\/)?[^/]+)/.exec(path) ?? [];
    const folders = [dirname(path).replace(/^src\//, "tests/"), `tests/${top}`];
    const below = [...folders, ...(top === WALKED ? [SESSIONS] : [])]
      .map((folder) => this.#tests.filter((test) => test.startsWith(`${folder}/`)));
    const seen = new Set<string>();
    return [this.#nearestOf(path), ...below]
      .map((stage) => stage.filter((test) => !seen.has(test) && seen.add(test)))
      .filter((stage) => stage.length > 0);
  }

  #nearestOf(path: string): Stage {
    const base = path.replace(/^src\//, "tests/").replace(/\.ts$/, "");
    const covered = this.#covered.filter(([from]) =>
      from.endsWith("/") ? path.startsWith(from) : path === from
    );
    const named = [`${base}_test.ts`, ...covered.map(([, test]) => test)];
    return this.#tests.filter((test) => named.includes(test));
  }
}
