/** The token of the server over HTTP: made once, for the user alone, compared as a whole. */
import { match, notStrictEqual as notEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { isSameToken, loadHttpToken } from "../../../src/mcp/transport/http_token.ts";
import { testNeeding } from "../../support/needs.ts";

async function readMode(path: string): Promise<number> {
  return ((await Deno.stat(path)).mode ?? 0) & 0o777;
}

Deno.test("loadHttpToken() makes a token that only the user can read, and keeps it", async () => {
  const stateDir = join(await Deno.makeTempDir(), "state");
  const [first, beside] = await Promise.all([loadHttpToken(stateDir), loadHttpToken(stateDir)]);
  match(first.token, /^[\w-]{43}$/);
  equal(beside.token, first.token);
  equal(first.path, join(stateDir, "http_token"));
  equal((await loadHttpToken(stateDir)).token, first.token);
  if (Deno.build.os !== "windows") {
    equal(await readMode(first.path ?? ""), 0o600);
    equal(await readMode(stateDir), 0o700);
  }
  equal((await Array.fromAsync(Deno.readDir(stateDir))).length, 1);
});

Deno.test("loadHttpToken() takes the person's own token and replaces one that is none", async () => {
  const stateDir = await Deno.makeTempDir();
  const path = join(stateDir, "http_token");
  const own = "a-token-of-the-person-with-40-characters";
  for (const [text, isKept] of [[`${own}\n`, true], ["short\n", false], ["", false]] as const) {
    await Deno.writeTextFile(path, text, { mode: 0o600 });
    const { token } = await loadHttpToken(stateDir);
    equal(token === own, isKept, JSON.stringify(text));
    await Deno.remove(path);
  }
});

testNeeding(
  ["posix"],
  "loadHttpToken() replaces a token that others of the machine could read",
  async () => {
    const stateDir = await Deno.makeTempDir();
    const { token, path } = await loadHttpToken(stateDir);
    await Deno.chmod(path ?? "", 0o640);
    notEqual((await loadHttpToken(stateDir)).token, token);
    equal(await readMode(path ?? ""), 0o600);
  },
);

Deno.test("loadHttpToken() makes one for this run alone where there is no home folder", async () => {
  const { token, path } = await loadHttpToken(null);
  match(token, /^[\w-]{43}$/);
  equal(path, null);
});

Deno.test("isSameToken() holds for the same text only", () => {
  const rows = [["abc", "abc", true], ["abc", "abd", false], ["ab", "abc", false], [
    "",
    "a",
    false,
  ]];
  for (const [given, token, expected] of rows) {
    equal(isSameToken(`${given}`, `${token}`), expected);
  }
});
