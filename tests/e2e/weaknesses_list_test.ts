/** Every weakness of the reference has a test that cites it, or a reason why it comes later. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { L2, L3 } from "./weaknesses.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

for (const [section, list] of Object.entries({ L2, L3 })) {
  Deno.test(`each weakness of ${section} from 1 to 29 is held by a test or belongs to a later part`, async () => {
    const numbers = Object.keys(list).map(Number);
    deepEqual(numbers, Array.from({ length: 29 }, (_, index) => index + 1));
    for (const [number, entry] of Object.entries(list)) {
      if ("later" in entry) {
        ok(entry.later.length > 10, `${section}.${number} says why it comes later`);
        continue;
      }
      const text = await Deno.readTextFile(`${ROOT}${entry.test}`);
      const cited = new RegExp(`["'\`(]${section}\\.${number}[:)]`);
      ok(cited.test(text), `${entry.test} names a test ${section}.${number}`);
    }
  });
}
