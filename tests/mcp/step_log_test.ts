/** One line in the client's log at each step, for clients that asked for it. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { Reply } from "../../src/base/reply.ts";
import type { Listener } from "../../src/mcp/tool_result.ts";
import { logStep } from "../../src/mcp/tool_result.ts";

const ENVELOPE_KEY = "io.modelcontextprotocol/logLevel";
const PLACE = { phase: "Q1", step: 6, of: 19 };
const REFUSED: Reply = { ok: false, error: "payload_mismatch", message: "no reason", ...PLACE };

async function listen(
  reply: Reply,
  listener: Partial<Listener>,
): Promise<readonly unknown[]> {
  const heard: unknown[] = [];
  await logStep(reply, {
    level: null,
    envelope: undefined,
    notify: ({ params }) => (heard.push([params.level, params.data]), Promise.resolve()),
    ...listener,
  });
  return heard;
}

Deno.test("logStep() tells the step to those who named a level, and nobody else", async () => {
  const step = [["info", "Step 6/19: Q1"]];
  const refused = [["notice", "Step 6/19: Q1, refused: no reason"]];
  const rows: readonly (readonly [Reply, Partial<Listener>, readonly unknown[]])[] = [
    [{ ok: true, ...PLACE }, {}, []],
    [{ ok: true, ...PLACE }, { level: "info" }, step],
    [{ ok: true, ...PLACE }, { level: "debug" }, step],
    [{ ok: true, ...PLACE }, { level: "notice" }, []],
    [REFUSED, { level: "notice" }, refused],
    [REFUSED, { level: "warning" }, []],
    [{ ok: true, ...PLACE }, { envelope: { [ENVELOPE_KEY]: "info" } }, step],
    [{ ok: true, ...PLACE }, { envelope: { [ENVELOPE_KEY]: "nonsense" } }, []],
    [{ ok: true, total: 0 }, { level: "debug" }, []],
  ];
  for (const [reply, listener, heard] of rows) deepEqual(await listen(reply, listener), heard);
});

Deno.test("logStep() does not fail where the client is gone", async () => {
  const notify = () => Promise.reject(new Error("closed"));
  deepEqual(await listen({ ok: true, ...PLACE }, { level: "info", notify }), []);
});
