/** How far an agreement can be relied on. */
import { strictEqual as equal } from "node:assert/strict";
import { countMisses, toTrust } from "../../../src/features/learning/recall.ts";
import { SAMPLE_ID, sampleAgreement, sampleOutcome } from "./samples.ts";

const LATER = { sessionId: "later", at: "2026-02-01T00:00:00.000Z", symbols: [] };

Deno.test("countMisses() counts later sessions on such a request that changed other files", () => {
  const elsewhere = { ...LATER, files: ["src/view.ts"] };
  const rows: readonly (readonly [why: string, Parameters<typeof sampleOutcome>[0], number])[] = [
    ["it changed another file", elsewhere, 1],
    ["it changed the file too", { ...LATER, files: ["src/view.ts", "src/auth.ts"] }, 0],
    ["the symbol moved", { ...elsewhere, symbols: ["login"] }, 0],
    ["it was about something else", { ...elsewhere, query: "Make the export faster" }, 0],
    ["it failed", { ...elsewhere, result: "failure" }, 0],
    ["it changed nothing", { ...LATER, files: [] }, 0],
    ["it taught the agreement", { ...elsewhere, sessionId: SAMPLE_ID }, 0],
    ["it came before", { ...elsewhere, at: "2026-01-01T00:00:00.000Z" }, 0],
  ];
  for (const [why, outcome, expected] of rows) {
    equal(countMisses(sampleAgreement(), [sampleOutcome(outcome)]), expected, why);
  }
  const unplaced = sampleAgreement({ files: [] });
  equal(countMisses(unplaced, [sampleOutcome(elsewhere)]), 0, "no file was learned");
});

Deno.test("toTrust() is whole without a miss", () => {
  equal(toTrust({ confirmed: 1 }, 0), 1);
  equal(toTrust({ confirmed: 1 }, 1), 0.5);
});
