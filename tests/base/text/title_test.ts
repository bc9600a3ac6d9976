/** Rows of a request and its title, for `src/base/text/title.ts`. */
import { strictEqual as equal } from "node:assert/strict";
import { chooseTitle, TITLE_CHARS } from "../../../src/base/text/title.ts";

const CASES: readonly (readonly [query: string, title: string | null])[] = [
  ["Let members renew a loan.", "Let members renew a loan"],
  [
    "Keyword expressions (-k) must not change. Refuse unknown markers in -m.",
    "Refuse unknown markers in -m",
  ],
  ["Names stay unchanged. Don't touch the parser.", null],
  [
    'Accept weak tags in every header that carries one of them, as well as in `If-Range: W/"some tag"` of a request',
    "Accept weak tags in every header that carries one of them",
  ],
  [
    "Accept weak tags where the header of the request says so by `If-Range W/x y z` alone",
    "Accept weak tags",
  ],
];

for (const [query, title] of CASES) {
  Deno.test(`chooseTitle() of "${query}" is ${title}`, () => {
    const found = chooseTitle(query, []);
    equal(found, title);
    equal((found ?? "").length <= TITLE_CHARS, true);
    equal((found ?? "").split("`").length % 2, 1, "no code span is open");
  });
}
