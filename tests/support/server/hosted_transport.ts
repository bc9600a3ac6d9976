/** How a client of the SDK speaks to a server that runs in the tests' process: one message a line. */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { hostServer } from "../session/hosted_session.ts";
import type { RunningServer } from "./mcp_client.ts";
import type { Project } from "../session/project.ts";

/** Starts a server in a project, and speaks to it. */
export function toHostedTransport(project: Project): Transport {
  return new HostedTransport(hostServer(project));
}

class HostedTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onclose?: () => void;
  readonly #server: RunningServer;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;

  constructor(server: RunningServer) {
    this.#server = server;
    this.#writer = server.input.getWriter();
  }

  start(): Promise<void> {
    void this.#read();
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  }

  async close(): Promise<void> {
    await this.#writer.close();
    await this.#server.ended;
  }

  async #read(): Promise<void> {
    let rest = "";
    for await (const text of this.#server.output.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.onmessage?.(JSON.parse(line));
    }
    this.onclose?.();
  }
}
