/** What PostgreSQL says when it fails, as failures of this program with their next step. Pure. */
import type { ErrorCodeName } from "../../../base/errors.ts";
import { CodeIntelError } from "../../../base/errors.ts";
import { NO_AUTHORITIES } from "./link_protocol.ts";
import type { LinkAnswer } from "./link_protocol.ts";
import { describeStore } from "./store_place.ts";
import type { StorePlace } from "./store_place.ts";

interface Failing {
  readonly code: ErrorCodeName;
  readonly what: string;
  readonly hint: string;
}

const REFUSED: Failing = {
  code: "store_refused",
  what: "it refuses the user, the password or the database",
  hint:
    "Check user, password and database of CODE_INTEL_STORE, and that pg_hba.conf lets this machine in with this sslmode; " +
    "the user needs the right to create a schema once.",
};
const UNTRUSTED = "store_untrusted";
const UNREACHABLE: Failing = {
  code: "store_unreachable",
  what: "no connection can be made",
  hint:
    "Check that PostgreSQL runs there and may be reached from here, then try again; nothing was lost.",
};

/** By SQLSTATE, or the code of the system; the longest beginning counts. */
const FAILINGS: readonly (readonly [begin: string, failing: Failing])[] = [
  ["DENIED", {
    code: "network_denied",
    what: "this executable has no permission to connect to other machines",
    hint:
      "Run the executable code-intel-hub, which has it, or lead the store to a port of 127.0.0.1 (ssh -L).",
  }],
  ["28", REFUSED],
  ["3D", REFUSED],
  ["42501", REFUSED],
  ["53100", {
    code: "disk_full",
    what: "its disk is full",
    hint: "Free some space on the machine of PostgreSQL and try again; nothing was lost.",
  }],
  ["53", {
    code: "store_unreachable",
    what: "it has no room for another connection",
    hint: "Run fewer servers and indexers, or raise max_connections of PostgreSQL.",
  }],
  ["57014", {
    code: "timed_out",
    what: "a statement took longer than its limit",
    hint:
      "Ask for less (a path, one repository), or give PostgreSQL more memory; nothing was lost.",
  }],
];

/** How TLS fails, as the runtimes and the client library say it; such failures have other codes, or none. */
const TLS_FAILINGS: readonly (readonly [said: RegExp, failing: Failing])[] = [
  [/does not support SSL/, {
    code: UNTRUSTED,
    what: "it speaks no TLS",
    hint: "Set ssl = on in its postgresql.conf; where the way to it is yours alone, " +
      "sslmode=disable in its URL does without.",
  }],
  [/not valid for name|does not match certificate/, {
    code: UNTRUSTED,
    what: "its certificate is that of another host",
    hint: "Name it in its URL by the host that its certificate has, " +
      "or give it a certificate whose subjectAltName has this one.",
  }],
  [/Expired|expired|NotValidYet|not yet valid/, {
    code: UNTRUSTED,
    what: "its certificate is not valid at this time",
    hint: "Give PostgreSQL a new certificate, and check the clocks of both machines.",
  }],
  [/CaUsedAsEndEntity/, {
    code: UNTRUSTED,
    what: "its certificate is that of an authority",
    hint: "Give PostgreSQL a certificate of its own that the authority signed (CA:FALSE), " +
      "and name the authority's by sslrootcert.",
  }],
  [/peer certificate|certificate|tlsv1 alert|SSL connection/i, {
    code: UNTRUSTED,
    what: "its certificate is of an authority that is not known here",
    hint: "Name the file of the authority's certificate in its URL: " +
      "?sslmode=verify-full&sslrootcert=/path/ca.crt.",
  }],
];

/** What a failure without an SQLSTATE is; null for one that says nothing of certificates. */
function findTlsFailing(code: string, message: string, place: StorePlace): Failing | null {
  if (code === NO_AUTHORITIES) {
    return {
      code: UNTRUSTED,
      what: `there is no certificate in the file "${message}" that sslrootcert names`,
      hint: "Name a file with certificates in PEM form that this user may read.",
    };
  }
  if (place.tls === "off" || /^[0-9A-Z]{5}$/.test(code)) return null;
  return TLS_FAILINGS.find(([said]) => said.test(`${code} ${message}`))?.[1] ?? null;
}

/** The failure of a statement. Its details have the state, and whether the connection is gone. */
export function makeStoreError(
  { code, message, isLost }: Extract<LinkAnswer, { readonly kind: "failed" }>,
  place: StorePlace,
): CodeIntelError {
  const found = findTlsFailing(code, message, place) ??
    FAILINGS.find(([begin]) => code.startsWith(begin))?.[1] ?? (isLost ? UNREACHABLE : null);
  const said = found?.what ?? `PostgreSQL says "${message}"`;
  return new CodeIntelError(
    found?.code ?? "store_failed",
    `Cannot use the store ${describeStore(place)}: ${said}`,
    {
      hint: found?.hint ??
        "Look into the log of PostgreSQL; `code-intel hub list` says what the store holds.",
      details: { sqlState: code, isLost },
    },
  );
}

/** Whether a failure ended the connection, so that the work may begin again on another one. */
export function isLostStore(error: unknown): boolean {
  return error instanceof CodeIntelError && error.details["isLost"] === true &&
    error.code === "store_unreachable";
}
