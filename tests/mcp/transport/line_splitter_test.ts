/** Lines out of chunks, whatever the cuts. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { LineSplitter } from "../../../src/mcp/transport/stdio_transport.ts";

function split(chunks: readonly string[], maxBytes: number): readonly string[] {
  const splitter = new LineSplitter(maxBytes);
  return chunks.flatMap((chunk) => splitter.push(new TextEncoder().encode(chunk)));
}

Deno.test("LineSplitter.push() gives whole lines for any cut of the stream", () => {
  deepEqual(split(["a\nb\n"], 100), ["a", "b"]);
  deepEqual(split(["a", "b", "c\nd"], 100), ["abc"]);
  deepEqual(split(["a\n", "\n", "b\n"], 100), ["a", "", "b"]);
  const bytes = new TextEncoder().encode("日本\nx\n");
  for (let cut = 0; cut < bytes.length; cut++) {
    const splitter = new LineSplitter(100);
    const lines = [bytes.subarray(0, cut), bytes.subarray(cut)].flatMap((part) =>
      splitter.push(part)
    );
    deepEqual(lines, ["日本", "x"], `cut at ${cut}`);
  }
});

Deno.test("LineSplitter.push() passes over a line beyond the bound and goes on", () => {
  deepEqual(split(["x".repeat(8), "x".repeat(8), "\nok\n"], 10), ["too_long", "ok"]);
});
