/** What PostgreSQL's failures become. */
import { match, strictEqual as equal } from "node:assert/strict";
import { NO_AUTHORITIES } from "../../../../src/features/hub/postgres/link_protocol.ts";
import { isLostStore, makeStoreError } from "../../../../src/features/hub/postgres/store_error.ts";
import { parseStorePlace } from "../../../../src/features/hub/postgres/store_place.ts";

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

/** What Deno 2.6, newer ones and the client library say of TLS, and what is told of it. */
const TLS_ROWS: readonly (readonly [code: string, message: string, told: RegExp])[] = [
  ["", "The server does not support SSL connections", /speaks no TLS$/],
  ["", "invalid peer certificate: UnknownIssuer", /not known here$/],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "unable to verify the first certificate", /not known here$/],
  ["", 'invalid peer certificate: certificate not valid for name "db"', /of another host$/],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "Hostname/IP does not match certificate's altnames", /host$/],
  ["", "invalid peer certificate: Expired", /not valid at this time$/],
  ["CERT_HAS_EXPIRED", "certificate has expired", /not valid at this time$/],
  ["", "invalid peer certificate: Other(OtherError(CaUsedAsEndEntity))", /that of an authority$/],
  [NO_AUTHORITIES, "/etc/ca.crt", /no certificate in the file "\/etc\/ca\.crt"/],
];

Deno.test("makeStoreError() says what of TLS does not fit", () => {
  for (const [code, message, told] of TLS_ROWS) {
    const error = makeStoreError({ kind: "failed", code, isLost: true, message }, PLACE);
    equal(error.code, "store_untrusted", message);
    match(error.message, told);
    equal(error.hint === "", false, message);
    equal(isLostStore(error), false, "nobody tries that again and again");
  }
  const clear = parseStorePlace("postgres://127.0.0.1/x");
  const said = { kind: "failed", code: "", isLost: true, message: "certificate" } as const;
  equal(makeStoreError(said, clear).code, "store_unreachable");
});

Deno.test("makeStoreError() names the failure, its next step and never the password", () => {
  for (const [code, isLost, expected] of ROWS) {
    const error = makeStoreError({ kind: "failed", code, isLost, message: "said" }, PLACE);
    equal(error.code, expected, code);
    equal(error.hint === "", false, code);
    equal(`${error.message}${error.hint}`.includes("secret"), false);
    equal(isLostStore(error), expected === "store_unreachable" && isLost, code);
  }
});
