/** Messages and requests meet in the same terms. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { toMessageTerms } from "../../src/ranking/request_features.ts";

Deno.test("toMessageTerms() reads words and parts of names alike, and no trailers, numbers and empty words", () => {
  deepEqual(toMessageTerms("Fix the cookies of getSession (#12)"), [
    "fix",
    "cooki",
    "get",
    "session",
  ]);
  deepEqual(toMessageTerms("Sign it\n\nSigned-off-by: A Person <a@example.org>\n"), ["sign"]);
  deepEqual(toMessageTerms("cookie COOKIE"), ["cooki", "cooki"]);
  deepEqual(toMessageTerms(""), []);
});
