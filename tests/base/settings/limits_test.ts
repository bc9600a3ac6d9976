/** The bounds: each with a unit in its name and a reason. */
import { match, ok } from "node:assert/strict";
import { LIMITS } from "../../../src/base/settings/limits.ts";

Deno.test("each limit is a positive number with a sentence on its reason", () => {
  for (const [name, { value, why }] of Object.entries(LIMITS)) {
    ok(Number.isFinite(value) && value > 0, name);
    match(why, /^[A-Z].+\.$/, name);
  }
});

Deno.test("the limits of replies are in order, and a checkpoint may hold a whole argument", () => {
  const { argumentBytes, checkpointBytes, replyDefaultBytes, replyMaxBytes, replyMinBytes } =
    LIMITS;
  ok(replyMinBytes.value < replyDefaultBytes.value);
  ok(replyDefaultBytes.value < replyMaxBytes.value);
  ok(argumentBytes.value < checkpointBytes.value);
});
