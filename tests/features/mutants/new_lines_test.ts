/** Which changed lines say something new: no moved ones, and none that only follow a rename. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { listNewLines } from "../../../src/features/mutants/new_lines.ts";

/** The lines that are left, for a change of whole texts. */
function ask(before: readonly string[], after: readonly string[]): readonly number[] {
  const hunk = { oldStart: 1, oldCount: before.length, newStart: 1, newCount: after.length };
  const [found = []] = listNewLines([{
    before: before.join("\n"),
    after: after.join("\n"),
    ranges: [{ start: 1, end: after.length }],
    hunks: [hunk],
  }]);
  return found.map(({ start }) => start);
}

Deno.test("lines that moved, or that have the new name of what was renamed, say nothing new", () => {
  const old = ["function count(words) {", "  return words.length + 1;", "}", "show(count(list));"];
  const renamed = old.map((line) => line.replace("count", "tally"));
  deepEqual(ask(old, renamed), [3]);
  deepEqual(ask(old, ["if (list) show(count(list));", ...old]), [1, 4]);
  deepEqual(ask(old, ["", ...old, "  return words.length + 1;"]), [1, 4, 6]);
});

Deno.test("another call is no new name of what is still there, or of what nobody declares", () => {
  const old = ["function count(words) {", "  return words.toUpperCase();", "}"];
  deepEqual(ask(old, [old[0] ?? "", "  return words.toLowerCase();"]), [2]);
  const both = ["function count(a) {", "function tally(a) {", "show(count(list));"];
  deepEqual(ask(both, [...both.slice(0, 2), "show(tally(list));"]), [3]);
});
