/** Messages and requests meet in the same terms. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { parseMessageTerms } from "../../src/ranking/request_features.ts";

Deno.test("parseMessageTerms() reads words and parts of names alike, and no trailers, numbers and empty words", () => {
  deepEqual(parseMessageTerms("Fix the cookies of getSession (#12)"), [
    "fix",
    "cooki",
    "get",
    "session",
  ]);
  deepEqual(parseMessageTerms("Sign it\n\nSigned-off-by: A Person <a@example.org>\n"), ["sign"]);
  deepEqual(parseMessageTerms("cookie COOKIE"), ["cooki", "cooki"]);
  deepEqual(parseMessageTerms(""), []);
});
