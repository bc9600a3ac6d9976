/** Which files the items of a plan name. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { readNamedPaths } from "../../src/tools/session_route.ts";

const THERE = ["docs/crlf notes.txt", "docs/übung/näh dich.md", "docs/日本.md", "src/a.ts"];

Deno.test("readNamedPaths() takes names with blanks and letters of any script whole, or not at all", () => {
  const rows: readonly (readonly [text: string, paths: readonly string[]])[] = [
    ["Change src/a.ts and add src/new.ts", ["src/a.ts", "src/new.ts"]],
    ["Remove line three from docs/crlf notes.txt", ["docs/crlf notes.txt"]],
    ["Change `docs/crlf notes.txt`, then src/a.ts.", ["docs/crlf notes.txt", "src/a.ts"]],
    ["Translate docs/übung/näh dich.md", ["docs/übung/näh dich.md"]],
    ["Change docs/日本.md", ["docs/日本.md"]],
    // Nobody knows where the name of a file ends that is not there yet.
    ["Add docs/übersicht.md", []],
    ["Rename src/a.ts to docs/anleitung für alle.md", ["src/a.ts"]],
    ["Add docs/guide.md and README.md", ["docs/guide.md", "README.md"]],
    ["Rename src/a.ts to src/b.ts", ["src/a.ts", "src/b.ts"]],
    ["Refuse an empty name", []],
  ];
  for (const [text, paths] of rows) {
    deepEqual(readNamedPaths(text, (path) => THERE.includes(path)), paths, text);
  }
  deepEqual(readNamedPaths("a/b c ".repeat(5_000), () => false), []);
});
