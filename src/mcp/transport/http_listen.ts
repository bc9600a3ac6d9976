/** Listens for clients over HTTP, for every server that speaks it: behind the front, with failures in words. */
import { CodeIntelError } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import type { FrontOptions } from "./http_front.ts";
import { serveBehindFront } from "./http_front.ts";

/** The address of this machine alone, so that programs of other machines cannot connect at all. */
export const OWN_MACHINE = "127.0.0.1";

/**
 * Listens behind the front.
 *
 * @throws {CodeIntelError} `port_taken`; `io_failed` where the system lets nobody listen there.
 */
export function listen(
  { port, logger, hostname = OWN_MACHINE, portOption }: {
    readonly port: number;
    readonly logger: Logger;
    /** Default this machine alone. */
    readonly hostname?: string;
    /** The option by which the user named the port. */
    readonly portOption: string;
  },
  how: Pick<FrontOptions, "signal" | "drain" | "onListen" | "answer">,
): { readonly finished: Promise<void> } {
  try {
    const onError = (failure: unknown) => {
      logger.note(`http: ${failure instanceof Error ? failure.stack : String(failure)}`);
      const error = { code: -32603, message: "Internal error" };
      return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 500 });
    };
    return serveBehindFront({ hostname, port, onError, ...how });
  } catch (cause) {
    if (cause instanceof Deno.errors.AddrInUse) {
      throw new CodeIntelError("port_taken", `Cannot serve on port ${port}: it is taken`, {
        hint: `Name another port with ${portOption} PORT, or leave it out for a free one.`,
        cause,
      });
    }
    if (!isRefusedAddress(cause)) throw cause;
    const said = cause.message.replace(/ \(os error \d+\)/, "");
    throw new CodeIntelError("io_failed", `Cannot serve on ${hostname}:${port}: ${said}`, {
      hint: cause instanceof Deno.errors.PermissionDenied
        ? `Name a port from 1024 on with ${portOption} PORT, or leave it out for a free one.`
        : "Name an address that this machine has; 0.0.0.0 stands for all of them.",
      cause,
    });
  }
}

/** Whether the system lets nobody listen there, or knows no such address. */
function isRefusedAddress(cause: unknown): cause is Error {
  return cause instanceof Deno.errors.PermissionDenied ||
    cause instanceof Deno.errors.AddrNotAvailable || cause instanceof URIError ||
    cause instanceof Error && cause.message.startsWith("failed to lookup address");
}

/**
 * Copies a request without the runtime's abort signal. That signal also fires when an answer was
 * sent, and the SDK then warns on standard error; that a client left is noticed by its stream.
 */
export function copyRequest({ url, method, headers, body }: Request): Request {
  return new Request(url, { method, headers, body });
}
