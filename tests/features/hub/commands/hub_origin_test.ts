/** What a person may give as the origin of a repository of a hub, and what is refused as a wrong word. */
import { match, ok, strictEqual as equal, throws } from "node:assert/strict";
import { CodeIntelError } from "../../../../src/base/errors.ts";
import { readOrigin } from "../../../../src/features/hub/commands/hub_origin.ts";

function refuses(given: string, branch: string | null, said: RegExp): void {
  throws(() => readOrigin({ given, branch, name: null, base: "/" }), (error) => {
    ok(error instanceof CodeIntelError && error.code === "bad_usage", String(error));
    match(error.message, said, given);
    return true;
  });
}

Deno.test("readOrigin() refuses a file URL that names no folder of a machine", () => {
  refuses("file://host/share/x", null, /Cannot add "file:\/\/host\/share\/x": .* no folder/);
  refuses("file:///%zz", null, /Cannot add "file:\/\/\/%zz": .* no folder/);
  refuses("file:///a%2Fb", null, /Cannot add "file:\/\/\/a%2Fb": .* no folder/);
});

Deno.test("readOrigin() refuses what can be no branch, and takes odd names that git takes", () => {
  for (const branch of [".x", "a/.b", "a.lock/b", "a.lock", "HEAD", "", "@", "-x", "a..b"]) {
    refuses("https://example.com/x.git", branch, /There can be no branch /);
  }
  for (const branch of ["a.b/c", "head", "a/HEAD", "lock", "a.locked/b", "a@b"]) {
    equal(readOrigin({ given: "host:x.git", branch, name: null, base: "/" }).branch, branch);
  }
});

Deno.test("readOrigin() refuses names that are paths, have spaces or are too long, and takes those with a folder", () => {
  const read = (name: string) =>
    readOrigin({ given: "https://example.com/x.git", branch: null, name, base: "/" }).name;
  for (
    const name of [
      "x/../y",
      "..",
      "./x",
      "/x",
      "x/",
      "x//y",
      "a b",
      "",
      "@x",
      "-x",
      "a\u202eb",
      "n".repeat(256),
    ]
  ) {
    throws(() => read(name), (error) => {
      ok(error instanceof CodeIntelError && error.code === "bad_usage", String(error));
      match(error.message, /is no name$/, name);
      ok(error.message.length < 200, "a refusal does not repeat all of a long word");
      return true;
    });
  }
  for (const name of ["team/shop", "shop@feature/x", ".github", "a..b", "n".repeat(255)]) {
    equal(read(name), name);
  }
});
