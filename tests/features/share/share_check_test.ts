/** What `doctor` says of analyses that are shared. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { formatTime } from "../../../src/base/text/plain_text.ts";
import type { ShareFacts } from "../../../src/features/share/share_check.ts";
import { checkShare } from "../../../src/features/share/share_check.ts";

const NOTHING_SHARED: ShareFacts = {
  configured: null,
  fault: null,
  packs: 0,
  sizeBytes: 0,
  records: 0,
  others: [],
  askedAtMs: null,
  problem: null,
  refused: {},
};

Deno.test("checkShare() tells what is shared, why the remote does not answer, and which packs are refused", () => {
  const tell = (facts: Partial<ShareFacts>) =>
    checkShare({ ...NOTHING_SHARED, ...facts })
      .map(({ status, detail }) => `${status}: ${detail}`);
  deepEqual(tell({}), ["ok: Turned off: share_remote in config.json names no remote"]);
  const pulled = { configured: "origin", packs: 2, records: 9, sizeBytes: 1048576, askedAtMs: 0 };
  const line = `ok: 9 analyses in 2 packs, 1.0 MB; the remote last answered at ${
    formatTime(new Date(0).toISOString())
  }`;
  deepEqual(tell(pulled), [line]);
  deepEqual(tell({ ...pulled, problem: "no network", refused: { "a.b": "wrong" } }), [
    line,
    "warn: no network",
    "warn: The pack a.b is not used: wrong",
  ]);
  const fault = { message: "no such remote", hint: "Name one." };
  deepEqual(tell({ configured: "nowhere", fault, others: [{ packs: 2 }] }), [
    "ok: 0 analyses in 0 packs, 0.0 MB, and 2 packs by other versions; the remote last answered never",
    "warn: no such remote",
  ]);
});
