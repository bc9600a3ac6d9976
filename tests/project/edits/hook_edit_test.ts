/** Groups of hooks among those of a person: ours is known, and theirs is never lost or run twice. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { PutResult } from "../../../src/project/edits/file_edit.ts";
import { putHookGroup, removeHookGroup } from "../../../src/project/edits/file_edit.ts";

const AT = ["hooks", "Stop"];
const MINE = { type: "command", command: "mine" };

Deno.test("a hook of a person's in our group once made init add a second group, and uninstall leave ours", () => {
  for (const [before, behind] of [[1, 0], [0, 1], [1, 2]].map(toMine)) {
    const first = put("", toGroup(15));
    const text = toText({ matcher: "Stop", hooks: [...before, ...toGroup(15).hooks, ...behind] });
    const again = put(text, toGroup(15), first.record);
    deepEqual([again.text, again.isKept], [text, false]);
    const later = put(text, toGroup(30), first.record);
    deepEqual(readGroups(later.text), [{
      matcher: "Stop",
      hooks: [...before, ...toGroup(30).hooks, ...behind],
    }]);
    for (const { text: now, record } of [again, later]) {
      ok(record !== undefined);
      const left = [{ matcher: "Stop", hooks: [...before, ...behind] }];
      deepEqual(readGroups(removeHookGroup(now, record, false) ?? ""), left);
    }
  }
});

Deno.test("our hook that a person edited is kept, beside one of theirs too, until a purge", () => {
  const { record } = put("", toGroup(15));
  ok(record !== undefined);
  for (const others of [[], [MINE]]) {
    const text = toText({ matcher: "Stop", hooks: [...others, ...toGroup(99).hooks] });
    const again = put(text, toGroup(15), record);
    deepEqual([again.text, again.isKept], [text, true]);
    equal(removeHookGroup(text, record, false), null);
    const purged = JSON.parse(removeHookGroup(text, record, true) ?? "");
    const left = { hooks: { Stop: [{ matcher: "Stop", hooks: others }] } };
    deepEqual(purged, others.length === 0 ? {} : left);
  }
});

Deno.test("two groups that an earlier init left are both taken out", () => {
  const { record } = put("", toGroup(15));
  ok(record !== undefined);
  const shared = { matcher: "Stop", hooks: [...toGroup(15).hooks, MINE] };
  const text = JSON.stringify({ hooks: { Stop: [shared, { matcher: "x" }, toGroup(15)] } });
  const left = readGroups(removeHookGroup(text, record, false) ?? "");
  deepEqual(left, [{ matcher: "Stop", hooks: [MINE] }, { matcher: "x" }]);
});

/** Hooks of the person before and behind ours. */
function toMine(counts: readonly number[]) {
  const [before = 0, behind = 0] = counts;
  return [Array(before).fill(MINE), Array(behind).fill(MINE)] as const;
}

function put(text: string, value: unknown, old?: Put["record"]): Put {
  const result = putHookGroup(text, { at: AT, value, isHookGroup: true }, old);
  if (result.kind === "refused") throw new Error(result.message);
  return result;
}

type Put = Extract<PutResult, { readonly kind: "put" }>;

function toGroup(timeout: number) {
  const args = ["hook", "stop", "--client", "claude"];
  return { matcher: "Stop", hooks: [{ type: "command", command: "code-intel", args, timeout }] };
}

function toText(group: unknown): string {
  return JSON.stringify({ hooks: { Stop: [group] } }, null, 2);
}

function readGroups(text: string): unknown {
  return JSON.parse(text).hooks.Stop;
}
