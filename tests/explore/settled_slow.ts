/** Many edits and questions by chance: no answer shows a place whose line holds something else. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { Found } from "../../src/explore/explorer.ts";
import type { FreshOptions } from "../../src/index/index_api.ts";
import { createRandom, pick, readSeed } from "../support/random.ts";
import { between, createBranches, EDITS, Gate, toQuestions } from "./edited_project.ts";
import { findWrong, listShown } from "./shown_places.ts";

Deno.test("no answer shows a place of a content that is gone, whatever was done to the files just before", async () => {
  const gate = new Gate();
  await using project = await createBranches(gate);
  let waits: FreshOptions = {};
  const questions = toQuestions(project, between(project.index, () => waits));
  const random = createRandom(readSeed());
  for (let round = 0; round < 120; round++) {
    const at = Math.floor(random() * 6);
    const name = pick(random, Object.keys(EDITS));
    await EDITS[name]?.(project, `src/file${at}.ts`);
    const isHeld = random() < 0.5;
    using _held = isHeld ? gate.hold() : null;
    // A file that is never read while the answer waits: its places have to be missing.
    waits = isHeld ? { budgetMs: 0, askedMs: 0 } : {};
    const kinds = Object.keys(questions);
    for (const kind of [pick(random, kinds), pick(random, kinds)]) {
      const [answer, asked] = await questions[kind]?.(at) ?? [{}, ""];
      const wrong = findWrong(project.temp.dir, listShown(answer as Found, asked));
      deepEqual(wrong, [], `round ${round}: ${name}, then ${kind}${isHeld ? " (held)" : ""}`);
    }
  }
});
