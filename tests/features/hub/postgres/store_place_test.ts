/** URLs of stores, and what of them is shown. */
import { deepStrictEqual as deepEqual, strictEqual as equal, throws } from "node:assert/strict";
import {
  describeStore,
  parseStorePlace,
} from "../../../../src/features/hub/postgres/store_place.ts";

Deno.test("parseStorePlace() reads what a connection needs", () => {
  const place = parseStorePlace("postgres://hub:p%40ss@db.example.com/code\n");
  deepEqual(place, {
    host: "db.example.com",
    port: 5432,
    database: "code",
    user: "hub",
    password: "p@ss",
    tls: "verified",
    authorities: null,
  });
  equal(describeStore(place), "db.example.com:5432/code");
  equal(parseStorePlace("postgresql://127.0.0.1:5433").tls, "off", "this machine");
  equal(parseStorePlace("postgres://db/x?sslmode=require").tls, "unverified");
  const own = parseStorePlace("postgres://127.0.0.1/x?sslrootcert=/etc/own%20ca.crt");
  deepEqual([own.tls, own.authorities], ["verified", "/etc/own ca.crt"]);
  equal(describeStore(parseStorePlace("postgres://[::1]:1/x")), "[::1]:1/x");
});

Deno.test("parseStorePlace() refuses without showing a password", () => {
  const wrong = [
    "mysql://a:secret@b/c",
    "a:secret@b",
    "postgres://a:secret@b/c?sslmode=perhaps",
    "postgres://a:secret@b/c?options=x",
    "postgres://a:secret@b/c?sslrootcert=ca.crt",
    "postgres://a:secret@b/c?sslmode=require&sslrootcert=/ca.crt",
    "postgres://a:secret@b/c?sslmode=disable&sslrootcert=/ca.crt",
    "postgres://a:secret%zz@b/c",
  ];
  for (const url of wrong) {
    throws(() => parseStorePlace(url), (error: Error) => !`${error.message}`.includes("secret"));
  }
});
