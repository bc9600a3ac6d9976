/** What the coverage task makes of a report. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { toFileLines, toVerdict } from "../../tools/coverage/lines.ts";

const REPORT = `SF:src/a.ts
FN:3,run
DA:1,1
LH:8
LF:10
end_of_record
SF:src/b.ts
LH:1
LF:4
end_of_record
SF:src/types.ts
LH:0
LF:0
end_of_record
`;

Deno.test("toFileLines() reads the files that hold code", () => {
  deepEqual(toFileLines(REPORT), [
    { path: "src/a.ts", found: 10, hit: 8 },
    { path: "src/b.ts", found: 4, hit: 1 },
  ]);
});

Deno.test("toVerdict() wants a reason for each file under the mark, and for no other", () => {
  const files = toFileLines(REPORT);
  deepEqual(toVerdict(files, 0.8, { "src/a.ts": "it runs in a thread" }), {
    withoutReason: [{ path: "src/b.ts", found: 4, hit: 1 }],
    needless: ["src/a.ts"],
  });
  deepEqual(toVerdict(files, 0.8, { "src/b.ts": "so" }), { withoutReason: [], needless: [] });
});
