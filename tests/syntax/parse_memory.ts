/** Parses one text over and over and prints by how many MiB the process grew after the first 40 times. */
import { parseText } from "../../src/syntax/tree_sitter.ts";

const text = "export function add(a: number, b: number): number {\n  return a + b;\n}\n".repeat(
  400,
);

async function parse(count: number): Promise<number> {
  for (let at = 0; at < count; at++) {
    using _tree = await parseText(text, "TypeScript");
  }
  return Deno.memoryUsage().rss;
}

const before = await parse(40);
const after = await parse(160);
await Deno.stdout.write(
  new TextEncoder().encode(String(Math.round((after - before) / (1024 * 1024)))),
);
