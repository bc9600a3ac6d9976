/** Manifests as values: their text, their differences, and what combining them makes. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import type { Manifest, ManifestEntry } from "../../src/ledger/manifest.ts";
import {
  adoptEntries,
  carryEntries,
  diffManifests,
  parseManifest,
  toManifestText,
} from "../../src/ledger/manifest.ts";

function entry(content: string, kind: ManifestEntry["kind"] = "file"): ManifestEntry {
  return { kind, sizeBytes: content.length, content };
}

/** A manifest of files with their contents by path. */
function make(files: Readonly<Record<string, string>>): Manifest {
  return new Map(Object.entries(files).map(([path, content]) => [path, entry(content)]));
}

function show(manifest: Manifest): Readonly<Record<string, string>> {
  return Object.fromEntries([...manifest].map(([path, { content }]) => [path, content]));
}

Deno.test("toManifestText() is the same for the same files in any order, and is read back", () => {
  const odd = { "b.ts": "1", 'a "\n.ts': "2", "ä.ts": "3" };
  const back = Object.fromEntries(Object.entries(odd).reverse());
  equal(toManifestText(make(odd)), toManifestText(make(back)));
  deepEqual(show(parseManifest(toManifestText(make(odd))) ?? new Map()), odd);
  deepEqual(parseManifest(toManifestText(new Map())), new Map());
});

for (
  const [name, text] of [
    ["another header", "code-intel-manifest 2\n"],
    ["a line that is no JSON", "code-intel-manifest 1\nx\n"],
    ["a kind that is none", 'code-intel-manifest 1\n["a","folder",1,"x"]\n'],
    ["a line with too few fields", 'code-intel-manifest 1\n["a","file"]\n'],
  ] as const
) {
  Deno.test(`parseManifest() takes no text with ${name}`, () => {
    equal(parseManifest(text), null);
  });
}

Deno.test("diffManifests() names what is new, gone, and otherwise, by path", () => {
  const before = new Map([
    ...make({ same: "1", other: "1", gone: "1" }),
    ["bit", entry("x")] as const,
  ]);
  const now = new Map([
    ...make({ same: "1", other: "2", fresh: "1" }),
    ["bit", entry("x", "executable")] as const,
  ]);
  deepEqual(
    diffManifests(before, now).map((change) => [
      change.path,
      change.before?.content ?? null,
      change.now?.content ?? null,
    ]),
    [["bit", "x", "x"], ["fresh", null, "1"], ["gone", "1", null], ["other", "1", "2"]],
  );
  deepEqual(diffManifests(before, before), []);
});

Deno.test("adoptEntries() takes the named files alone, deletions too", () => {
  const onto = make({ a: "1", b: "1", c: "1" });
  const from = make({ a: "2", b: "2" });
  deepEqual(show(adoptEntries(onto, from, ["a", "c", "x"])), { a: "2", b: "1" });
});

Deno.test("carryEntries() brings a change where nothing else happened, and else leaves the file", () => {
  const from = make({ same: "1", both: "1", gone: "1", kept: "1" });
  const to = make({ same: "2", both: "2", fresh: "1", kept: "1" });
  const onto = make({ same: "1", both: "other", gone: "1", kept: "own" });
  deepEqual(show(carryEntries(onto, { from, to })), {
    same: "2",
    both: "other",
    fresh: "1",
    kept: "own",
  });
});
