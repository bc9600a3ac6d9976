/** What PostgreSQL's failures become. */
import { strictEqual as equal } from "node:assert/strict";
import { isLostStore, toStoreError } from "../../../src/index/postgres/store_error.ts";
import { parseStorePlace } from "../../../src/index/postgres/store_place.ts";

const PLACE = parseStorePlace("postgres://hub:secret@db.example.com/code");

const ROWS: readonly (readonly [code: string, isLost: boolean, expected: string])[] = [
  ["28P01", true, "store_refused"],
  ["3D000", true, "store_refused"],
  ["42501", false, "store_refused"],
  ["53100", false, "disk_full"],
  ["53300", true, "store_unreachable"],
  ["57014", false, "timed_out"],
  ["57P01", true, "store_unreachable"],
  ["ECONNREFUSED", true, "store_unreachable"],
  ["DENIED", true, "network_denied"],
  ["42P01", false, "store_failed"],
];

Deno.test("toStoreError() names the failure, its next step and never the password", () => {
  for (const [code, isLost, expected] of ROWS) {
    const error = toStoreError({ kind: "failed", code, isLost, message: "said" }, PLACE);
    equal(error.code, expected, code);
    equal(error.hint === "", false, code);
    equal(`${error.message}${error.hint}`.includes("secret"), false);
    equal(isLostStore(error), expected === "store_unreachable" && isLost, code);
  }
});
