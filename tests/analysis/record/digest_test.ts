/** Digests: the words that tell what lines are about. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { buildDigests, WINDOW_LINES } from "../../../src/index/vectors/embed_file.ts";

Deno.test("buildDigests() names the place, the definitions, the comments and what stands out", () => {
  const text = `// Copyright 2026 somebody
// Renews loans of books until somebody else waits for them.
import { clock } from "../clock.ts";
export class LoanDesk {
  renewLoan(bookCopy) { return this.waitingList.isEmpty(bookCopy) && this.waitingList.size; }
}
`;
  const names = [{ name: "LoanDesk", line: 4 }, { name: "renewLoan", line: 5 }];
  const [digest, ...more] = buildDigests({ path: "src/library/loan_desk.ts", text, names });
  deepEqual(more, []);
  deepEqual([digest?.startLine, digest?.endLine], [1, 7]);
  match(
    digest?.text ?? "",
    /^src library loan desk\. loan desk, renew loan\. Renews loans of books/,
  );
  match(digest?.text ?? "", /book copy/);
  match(digest?.text ?? "", /waiting list/);
  ok(!/copyright|export|return/i.test(digest?.text ?? ""));
});

Deno.test("buildDigests() has one for each window with anything in it, and only its own names", () => {
  const filled = new Array(WINDOW_LINES).fill("let counter = counter + step;");
  const blank = new Array(WINDOW_LINES).fill("  ");
  const text = [...filled, ...blank, "function lastOne() {}"].join("\n");
  const names = [{ name: "lastOne", line: 2 * WINDOW_LINES + 1 }];
  const digests = buildDigests({ path: "a.js", text, names });
  deepEqual(digests.map(({ startLine, endLine }) => [startLine, endLine]), [[1, 150], [301, 301]]);
  ok(!digests[0]?.text.includes("last one"));
  match(digests[1]?.text ?? "", /last one/);
});

Deno.test("buildDigests() is bounded, and the same for the same file", () => {
  const text = Array.from(
    { length: 150 },
    (_, at) => `const someVeryLongName${at} = otherName${at};`,
  )
    .join("\n");
  const names = Array.from({ length: 150 }, (_, at) => ({
    name: `someVeryLongName${at}`,
    line: at + 1,
  }));
  const [first] = buildDigests({ path: "a.ts", text, names });
  ok((first?.text.length ?? 0) <= 300);
  deepEqual(buildDigests({ path: "a.ts", text, names }), [first]);
  equal(buildDigests({ path: "a.ts", text: "\n \n", names: [] }).length, 0);
});
