/** What the past says of files for one question, and which questions are requests. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { QuestionHistory } from "../../src/history/question_past.ts";
import { MessageIndex } from "../../src/history/near_messages.ts";
import { buildHistory } from "../../src/history/past.ts";
import { askHistory } from "../../src/history/question_past.ts";

const toTerms = (text: string) => text.toLowerCase().match(/[a-z]+/g) ?? [];

/** A past, newest first, of rows such as `Fix the cookie: a.ts b.ts`, with 30 older commits unless told otherwise. */
function ask(question: string, rows: readonly string[], more = 30): QuestionHistory | null {
  const all = [...rows, ...Array.from({ length: more }, (_, at) => `Other: z${at}.ts`)];
  const commits = new Map(all.map((row, at) => {
    const [message = "", files = ""] = row.split(": ");
    const paths = files.split(" ");
    const parents = at + 1 < all.length ? [`${at + 1}`] : [];
    const commit = { id: `${at}`, parents, atSeconds: 1000 - at, message, changed: paths.length };
    return [`${at}`, { ...commit, files: paths.map((path) => ({ path })) }];
  }));
  const past = buildHistory({ head: "0", commits, maxCommits: 1000 });
  const messages = new MessageIndex(past, toTerms);
  while (messages.addNext(100));
  return askHistory({ past, messages, isShallow: false }, question);
}

const ROWS = ["Sign cookies: cookie.ts sign.ts", "Fix typo: a.ts", "Fix the router: router.ts"];

Deno.test("askHistory() names the files of near messages and of the last commits, and rates each", () => {
  const past = ask("sign the cookies again", ROWS);
  deepEqual(past?.first.slice(0, 3), ["cookie.ts", "sign.ts", "router.ts"]);
  equal(past?.rate("unknown.ts"), null);
  const [cookie, typo] = [past?.rate("cookie.ts"), past?.rate("a.ts")];
  equal(cookie?.lately, 1);
  ok((typo?.lately ?? 1) < 1 && (cookie?.vote ?? 0) > 0);
  deepEqual([typo?.vote, typo?.times], [0, 1]);
});

Deno.test("spread() leads from a file to what commits like the question changed with it", () => {
  const rows = ["Sign cookies: app.ts sign.ts", "Fix the router: app.ts router.ts"];
  const spread = ask("route better, fix the router", rows)?.spread(new Map([["app.ts", 1]]));
  ok((spread?.get("router.ts") ?? 0) > 4 * (spread?.get("sign.ts") ?? 0), String(spread));
  equal(spread?.has("app.ts"), false);
});

Deno.test("askHistory() takes for a request what begins as past messages do, and never a question", () => {
  const isRequest = (text: string) => ask(text, ROWS)?.isRequest;
  equal(isRequest("Fix the parser"), true);
  equal(isRequest("feat(router): trailing slashes"), true);
  equal(isRequest("Raise the required compiler"), true);
  equal(isRequest("Do not use the router"), true);
  equal(isRequest("raise errors"), false);
  equal(isRequest("allowed hosts of the session"), false);
  equal(isRequest("configuring the session cookies"), false);
  equal(isRequest("session cookies"), false);
  equal(isRequest("Fix"), false);
  equal(isRequest("where do we fix the parser"), false);
  equal(isRequest("Fix the parser?"), false);
});

Deno.test("askHistory() is silent about a young past, and about none", () => {
  equal(ask("fix", ROWS, 3), null);
  equal(askHistory(null, "fix"), null);
});
