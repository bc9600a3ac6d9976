/** What comes from clients has one door each: for messages, and for connections. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { readSourceFiles, toCode, toImports } from "./source_files.ts";

/** Files of the protocol that read JSON which no client sent as a message. */
const OTHER_JSON = ["src/tools/arguments.ts", "src/mcp/resources.ts"];

Deno.test("only the two transports read messages, and each through checkMessage()", async () => {
  const files = (await readSourceFiles("src/mcp", "src/features/http")).filter(({ path, text }) =>
    /\bJSON\.parse\(|\breadRequestBody\(/.test(toCode(text)) && !OTHER_JSON.includes(path)
  );
  deepEqual(files.map(({ path }) => path), [
    "src/features/http/serve_http.ts",
    "src/mcp/transport/stdio_transport.ts",
  ]);
  for (const { path, text } of files) {
    const isChecked = toImports(text).some(({ specifier, isTypeOnly }) =>
      specifier.endsWith("/message_gate.ts") && !isTypeOnly
    );
    deepEqual([path, isChecked && /\bcheckMessage\(/.test(toCode(text))], [path, true]);
  }
});

Deno.test("only the front listens: a connection that stands still is ended there", async () => {
  const listening = (await readSourceFiles("src")).filter(({ text }) =>
    /\bDeno\.(?:serve|listen|listenTls)\(/.test(toCode(text))
  );
  deepEqual(listening.map(({ path }) => path), ["src/mcp/transport/http_front.ts"]);
});
