/** Messages over streams: order, partial writes, broken input, and the wait for answers at the end. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { StdioTransport } from "../../../src/mcp/transport/stdio_transport.ts";

interface Pipe {
  readonly transport: StdioTransport;
  readonly written: () => string;
  readonly received: unknown[];
}

function open(lines: readonly string[], write?: (bytes: Uint8Array) => Promise<number>): Pipe {
  const decoder = new TextDecoder();
  let text = "";
  const input = ReadableStream.from(lines.map((line) => new TextEncoder().encode(line)));
  const transport = new StdioTransport({
    input,
    write: write ?? ((bytes) => {
      // At most five bytes a time, as a full pipe would take them.
      const part = bytes.subarray(0, 5);
      text += decoder.decode(part, { stream: true });
      return Promise.resolve(part.length);
    }),
  });
  const received: unknown[] = [];
  transport.onmessage = (message) => void received.push(message);
  return { transport, written: () => text, received };
}

Deno.test("StdioTransport.send() writes whole lines in order although the pipe takes little", async () => {
  const { transport, written } = open([]);
  await Promise.all([1, 2].map((id) => transport.send({ jsonrpc: "2.0", id, result: {} })));
  equal(written(), '{"jsonrpc":"2.0","id":1,"result":{}}\n{"jsonrpc":"2.0","id":2,"result":{}}\n');
});

Deno.test("StdioTransport.start() answers broken lines itself and hands on the others", async () => {
  const ping = `{"jsonrpc":"2.0","method":"ping","id":`;
  const { transport, written, received } = open([`{"a"\n{"id":4}\n\n${ping}`, `"x"}\n`]);
  await transport.start();
  setTimeout(() => void transport.send({ jsonrpc: "2.0", id: "x", result: {} }), 5);
  await transport.closed;
  deepEqual(received, [{ jsonrpc: "2.0", method: "ping", id: "x" }]);
  deepEqual(
    written().trim().split("\n").map((line) => JSON.parse(line)).map(({ id, error }) => [
      id,
      error?.code,
    ]),
    [[null, -32700], [4, -32600], ["x", undefined]],
  );
});

Deno.test("StdioTransport.start() answers no broken notification and no broken answer, and says so aside", async () => {
  const { transport, written, received } = open([
    '{"jsonrpc":"2.0","method":"notifications/progress","params":5}\n',
    '{"jsonrpc":"2.0","id":3,"result":5}\n',
  ]);
  const said: string[] = [];
  transport.onerror = ({ message }) => void said.push(message);
  await transport.start();
  await transport.closed;
  deepEqual([written(), received, said.length], ["", [], 2]);
});

Deno.test("StdioTransport closes when nobody reads its output any more", async () => {
  const { transport } = open([], () => Promise.reject(new Deno.errors.BrokenPipe("gone")));
  let isClosed = false;
  transport.onclose = () => isClosed = true;
  await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
  await transport.closed;
  equal(isClosed, true);
});
