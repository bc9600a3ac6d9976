/**
 * Where a store in PostgreSQL is, read from a URL that may hold a password. Where the URL must not
 * stand in the list of processes, it comes from a file or the environment. Texts show no more of it
 * than the host, the port and the name of the database. Pure.
 */
import { isAbsolute } from "node:path";
import { CodeIntelError } from "../../../base/errors.ts";

/** A store, as the client library takes it. */
export interface StorePlace {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** Empty where the server asks for none. */
  readonly password: string;
  /** Whether the connection is encrypted, and whether the server has to prove its name. */
  readonly tls: "off" | "unverified" | "verified";
  /** File with certificates of authorities that may vouch for the server besides the public ones; null for none. */
  readonly authorities: string | null;
}

const DEFAULT_PORT = 5432;
const TLS: Readonly<Record<string, StorePlace["tls"]>> = {
  disable: "off",
  require: "unverified",
  "verify-full": "verified",
};
const PARAMETERS = new Set(["sslmode", "sslrootcert"]);
const THIS_MACHINE = new Set(["127.0.0.1", "localhost", "::1"]);

/**
 * Reads `postgres://user:password@host:port/database?sslmode=verify-full`. Without `sslmode`, a store of another machine
 * has to prove its name, and one of this machine is asked without encryption; with `sslrootcert=/path/ca.crt` each has to.
 *
 * @throws {CodeIntelError} `bad_usage`, without the text, which may hold a password.
 */
export function parseStorePlace(text: string): StorePlace {
  const url = URL.parse(text.trim());
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol) || url.hostname === "") {
    throw refuse("it is no URL of the form postgres://USER:PASSWORD@HOST:PORT/DATABASE");
  }
  const unknown = [...url.searchParams.keys()].find((key) => !PARAMETERS.has(key));
  if (unknown !== undefined) throw refuse(`the parameter "${unknown}" of its URL is not known`);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const authorities = url.searchParams.get("sslrootcert");
  const mode = url.searchParams.get("sslmode") ??
    (THIS_MACHINE.has(host) && authorities === null ? "disable" : "verify-full");
  const tls = Object.hasOwn(TLS, mode) ? TLS[mode] : undefined;
  if (tls === undefined) {
    throw refuse(`sslmode is "${mode}", which is none of ${Object.keys(TLS).join(", ")}`);
  }
  if (authorities !== null && tls !== "verified") {
    throw refuse(`its URL names sslrootcert, which sslmode=${mode} does not look at`);
  }
  if (authorities !== null && !isAbsolute(authorities)) {
    throw refuse("sslrootcert in its URL is no absolute path of a file");
  }
  try {
    return {
      host,
      port: url.port === "" ? DEFAULT_PORT : Number(url.port),
      database: decodeURIComponent(url.pathname.slice(1)) || "code_intel",
      user: decodeURIComponent(url.username) || "code_intel",
      password: decodeURIComponent(url.password),
      ...{ tls, authorities },
    };
  } catch {
    throw refuse("its URL has a % that stands for no character");
  }
}

/** The store as people may read it: without user and password. */
export function describeStore({ host, port, database }: StorePlace): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}/${database}`;
}

function refuse(reason: string): CodeIntelError {
  return new CodeIntelError("bad_usage", `Cannot use the store that was named: ${reason}`, {
    hint: "Set CODE_INTEL_STORE=postgres://USER:PASSWORD@HOST:PORT/DATABASE, or name a file that " +
      "holds this line by --store-file.",
  });
}
