/** Which past messages are near to a request, and which files they vote for. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { CommitHistory } from "../../src/history/past.ts";
import { MessageIndex, weighVotes } from "../../src/history/near_messages.ts";

const PAST: CommitHistory = {
  commits: [
    ["Fix the cookie of the session", ["session.ts", "cookie.ts"]],
    ["Fix typo", ["README.md"]],
    ["Sign the cookie", ["cookie.ts"]],
    ["", ["empty.ts"]],
  ].map(([message, paths], at) => ({
    id: `${at}`,
    atSeconds: at,
    message: String(message),
    changed: paths?.length ?? 0,
    paths: Array.isArray(paths) ? paths : [],
  })),
  byPath: new Map(),
  isCut: false,
};

const toTerms = (text: string) => text.toLowerCase().match(/[a-z]+/g) ?? [];

Deno.test("findNear() prefers rare words that are met, and answers nothing to unknown ones", () => {
  const index = new MessageIndex(PAST, toTerms);
  while (index.addNext(1));
  deepEqual(index.findNear("sign cookies and the cookie").map(({ place }) => place), [2, 0]);
  deepEqual(index.findNear("fix").map(({ place }) => place), [1, 0]);
  deepEqual(index.findNear("fix", 1).length, 1);
  deepEqual(index.findNear("router"), []);
  // A question reads what was not read in turns before it.
  deepEqual(new MessageIndex(PAST, toTerms).findNear("cookie").map(({ place }) => place), [2, 0]);
});

Deno.test("weighVotes() shares the vote of a commit among its files", () => {
  const index = new MessageIndex(PAST, toTerms);
  equal(index.addNext(100), false);
  deepEqual(weighVotes(index.findNear("cookie")).map(({ path, places }) => [path, places]), [
    ["cookie.ts", [2, 0]],
    ["session.ts", [0]],
  ]);
});
