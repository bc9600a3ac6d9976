/** Holds `src/git/branches/branch_name.ts` to its promises, on real repositories. */
import {
  deepStrictEqual as deepEqual,
  notStrictEqual as notEqual,
  strictEqual as equal,
} from "node:assert/strict";
import { formatTaskBranchName, parseTaskBranchName } from "../../../src/git/branches/branches.ts";
import { runGit } from "../../support/temp_repo.ts";
import { createRandom, readSeed } from "../../support/random.ts";

const SESSION = "session_20261121_101500_3fa9";

const NAMES: readonly (readonly [base: string, encoded: string])[] = [
  ["main", "main"],
  ["feature/login", "feature__login"],
  ["feature_login", "feature_login"],
  ["feature__login", "feature_=_login"],
  ["a_/b", "a_=__b"],
  ["a/_b", "a___b"],
  ["a_=b", "a_==b"],
  ["_", "_"],
  ["x_from_y", "x_from_y"],
];

for (const [base, encoded] of NAMES) {
  Deno.test(`formatTaskBranchName() writes the base "${base}" as "${encoded}"`, () => {
    const name = formatTaskBranchName(SESSION, base);
    equal(name, `llm_task_${SESSION}_from_${encoded}`);
    deepEqual(parseTaskBranchName(name), { sessionId: SESSION, base });
  });
}

Deno.test("R12: parseTaskBranchName() reads the session id format with and without the suffix", () => {
  deepEqual(parseTaskBranchName("llm_task_session_20260120_114303_from_feature__login"), {
    sessionId: "session_20260120_114303",
    base: "feature/login",
  });
  equal(parseTaskBranchName("llm_task_x_from_main"), null);
  equal(parseTaskBranchName(`llm_task_${SESSION}_from_`), null);
  equal(parseTaskBranchName("main"), null);
});

/** Any name that the grammar of refs allows; mostly the characters that the encoding uses. */
function toRandomBranch(random: () => number): string {
  const alphabet = [..."___///===abcZ09-.+@%,!ü語'\"#;&|()<>{}$"];
  const length = 1 + Math.floor(random() * 24);
  let name = "";
  while (name.length < length) name += alphabet[Math.floor(random() * alphabet.length)];
  return name.replaceAll(/\/+/g, "/").replaceAll(/\.+/g, ".").replaceAll(/@\{+/g, "@")
    .replaceAll(/(^|\/)\./g, "$1x").replaceAll(/\.(?=\/|$)/g, "x").replace(/^\/|\/$/g, "x")
    .replace(/^@$/, "x").replace(/^-/, "x").replaceAll(/\.lock(?=\/|$)/g, "x");
}

Deno.test("parseTaskBranchName() gives back what toTaskBranchName() was given, for arbitrary names", async () => {
  const seed = readSeed();
  const random = createRandom(seed);
  const seen = new Map<string, string>();
  for (let round = 0; round < 5_000; round++) {
    const base = toRandomBranch(random);
    const name = formatTaskBranchName(SESSION, base);
    deepEqual(parseTaskBranchName(name), { sessionId: SESSION, base }, `TEST_SEED=${seed}`);
    const other = seen.get(name);
    if (other !== undefined) equal(other, base, `TEST_SEED=${seed}`);
    seen.set(name, base);
    if (round < 40) await runGit(".", ["check-ref-format", `refs/heads/${base}`]);
    if (round < 40) await runGit(".", ["check-ref-format", `refs/heads/${name}`]);
  }
  notEqual(seen.size, 0);
});
