/** Suggestions of agents, for people to read. */
import { match, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { LIMITS } from "../../../src/base/settings/limits.ts";
import { appendSuggestion } from "../../../src/features/learning/suggestions.ts";

Deno.test("appendSuggestion() adds one line each and turns a full file over", async () => {
  const folder = join(await Deno.makeTempDir(), "logs");
  const at = "2026-01-31T15:00:00.000Z";
  const row = { sessionId: "session_1", stage: "VERIFY_INTERVENTION" } as const;
  await appendSuggestion(folder, { ...row, text: "Say how to\nreset the tree." }, at);
  await appendSuggestion(folder, { ...row, text: "Name the log." }, at);
  const path = join(folder, "suggestions.md");
  const text = await Deno.readTextFile(path);
  equal(text.split("\n").length, 5);
  match(text, /\n- 2026-01-31 VERIFY_INTERVENTION \(session_1\): Say how to reset the tree\.\n/);
  await Deno.writeTextFile(path, "x".repeat(LIMITS.learningLogBytes.value));
  await appendSuggestion(folder, { ...row, text: "Last." }, at);
  ok((await Deno.readTextFile(path)).endsWith("Last.\n"));
  equal((await Deno.stat(join(folder, "suggestions.1.md"))).size, LIMITS.learningLogBytes.value);
  await Deno.remove(join(folder, ".."), { recursive: true });
});
