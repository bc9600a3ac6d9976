/** Calls that evidence names: `src/base/text/claimed_call.ts`. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { isSameSubject, parseClaimedCall } from "../../../src/base/text/claimed_call.ts";

const OFFERED = ["find_references"];

Deno.test("parseClaimedCall() reads a call with or without the word before it, and no sentence", () => {
  const call = { tool: "find_references", subject: "login", claimed: 3 };
  for (
    const text of [
      "tool: find_references(login) → 3",
      "find_references(login) -> 3 uses",
      "tool: mcp__code-intel__find_references(login) = 3",
    ]
  ) deepEqual(parseClaimedCall(text, OFFERED), call, text);
  equal(parseClaimedCall("login(name) hashes the name", OFFERED), null);
  equal(parseClaimedCall("src/a.ts:3", OFFERED), null);
});

Deno.test("isSameSubject() knows the argument under its name, in quotes, and no part of it", () => {
  for (const sent of ["login", 'symbol: "login"', "login, path=src"]) {
    equal(isSameSubject(sent, "login"), true, sent);
  }
  equal(isSameSubject("log", "login"), false);
});
