/** No answer shows a place whose line holds something else, whatever was done to the files just before or meanwhile. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { askUntilStable } from "../../src/explore/settled.ts";
import type { Found } from "../../src/explore/explorer.ts";
import { between, createBranches, EDITS, Gate, toQuestions } from "./edited_project.ts";
import { findWrong, listShown } from "./shown_places.ts";

/** A file that is never read while the answer waits: its places have to be missing. */
const NO_WAIT = { budgetMs: 0, askedMs: 0 };

Deno.test("no answer shows a place of a content that is gone while the new one is not read yet", async () => {
  const gate = new Gate();
  await using project = await createBranches(gate);
  const questions = toQuestions(project, between(project.index, () => NO_WAIT));
  using _held = gate.hold();
  const kinds = Object.keys(questions);
  for (const [at, name] of ["a line on top", "names swapped", "replaced whole"].entries()) {
    await EDITS[name]?.(project, `src/file${at + 1}.ts`);
    for (const kind of kinds) {
      const [answer, asked] = await questions[kind]?.(at + 1) ?? [{}, ""];
      const wrong = findWrong(project.temp.dir, listShown(answer as Found, asked));
      deepEqual(wrong, [], `${name}, then ${kind}`);
    }
  }
});

Deno.test("a file that changes while the answer is made is asked about again, or left out with a word", async () => {
  await using project = await createBranches(new Gate());
  let left = 0;
  let edits = 0;
  const index = between(project.index, () => ({}), async () => {
    if (left-- <= 0) return;
    edits++;
    await EDITS["a line on top"]?.(project, "src/file1.ts");
  });
  const questions = toQuestions(project, index);
  for (const [kind, ask] of Object.entries(questions)) {
    for (const times of [1, Infinity]) {
      [left, edits] = [times, 0];
      const [answer, asked] = await ask(1);
      left = 0;
      // Who never stops writing has the last line after the answer: what it shows is of the other files.
      const shown = listShown(answer as Found, asked);
      const own = times === 1 ? shown : shown.filter(({ path }) => path !== "src/file1.ts");
      if (times === Infinity && edits > 0 && kind !== "text") {
        deepEqual(shown.filter(({ path }) => path === "src/file1.ts"), [], kind);
        match(((answer as Found).notices ?? []).join(" "), /Left out: .*src\/file1\.ts/, kind);
      }
      deepEqual(findWrong(project.temp.dir, own), [], `${kind}, ${times}`);
      ok(times === Infinity || shown.length > 0, kind);
    }
  }
});

Deno.test("an answer names the changed files that it has nothing of", async () => {
  const gate = new Gate();
  await using project = await createBranches(gate);
  const index = between(project.index, () => NO_WAIT);
  const { references, meaning, impact } = toQuestions(project, index);
  await EDITS["a line on top"]?.(project, "src/file1.ts");
  using _held = gate.hold();
  for (const ask of [references, meaning, impact]) {
    const [answer] = await ask?.(0) ?? [];
    match(
      ((answer as Found).notices ?? []).join(" "),
      /Not in this answer: 1 changed file that is not read yet \(src\/file1\.ts\)\./,
    );
  }
});

Deno.test("askUntilStable() gives refusals back, and asks as often as files change, at most three times", async () => {
  const fresh = { pending: 0, revision: 1 } as unknown as Exclude<Found["freshness"], "live">;
  const rows = [[0, 1, undefined], [1, 2, undefined], [9, 3, "a.ts"]] as const;
  for (const [changes, times, gone] of rows) {
    let asked = 0;
    let left: number = changes;
    const answer = await askUntilStable(() => {
      asked++;
      return Promise.resolve({ freshness: fresh, notices: [] as readonly string[] });
    }, {
      index: { findChanged: () => Promise.resolve(left-- > 0 ? ["a.ts"] : []) },
      filesOf: () => ["a.ts"],
      without: (own) => ({ ...own, notices: ["without"] }),
    });
    equal(asked, times);
    equal(answer.notices.length > 0, gone !== undefined);
  }
  const refused = { kind: "refused" };
  const options = {
    index: { findChanged: () => Promise.reject(new Error("not asked")) },
    filesOf: () => [],
    without: <T>(own: T) => own,
  };
  equal(await askUntilStable(() => Promise.resolve(refused), options), refused);
});
