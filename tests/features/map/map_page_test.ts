/** Text and page of a map: what they say, and that hostile names stay names. */
import { match, ok, strictEqual as equal } from "node:assert/strict";
import { renderMapPage } from "../../../src/features/map/map_page.ts";
import { toMapLines } from "../../../src/features/map/map_command.ts";
import { hostileMap, largeMap, recordedMap, smallMap } from "./sample_map.ts";

Deno.test("toMapLines() says sizes, folders, what changes, what is used and circles, in few lines", () => {
  const text = toMapLines(smallMap()).join("\n");
  match(text, /^sample: 4 files, 720 lines, 3 links, 1 circle of imports\n/);
  match(text, /\nsrc\/ +3 +700 +10\n/);
  match(text, /Changed most in the last year\n +9 {2}src\/auth\.ts/);
  match(text, /Most files lead to\n +2 {2}src\/auth\.ts/);
  match(text, /in a circle\n +2 {2}src\/auth\.ts, src\/hash\.ts/);
  match(text, /Changed by the session \(1\)\n +src\/auth\.ts$/);
  const unknown = { ...smallMap(), past: null, session: null };
  const files = unknown.files.map((file) => ({ ...file, changes: null, in_session: false }));
  const bare = toMapLines({ ...unknown, files, links: [], cycles: [] }).join("\n");
  ok(!/Changed|lead to|circle$/m.test(bare));
  match(bare, /\nsrc\/ +3 +700 +-\n/);
  ok(toMapLines(largeMap(2_000)).length < 80);
  match(toMapLines(hostileMap()).join("\n"), /\[U\+202E\]exe\.txt/);
});

Deno.test("functions that no recorded test runs are listed with how much was recorded, and only where it was", () => {
  const extent = "recorded for 3 of 4 tests, 2 commits ago";
  const said = toMapLines(recordedMap()).join("\n");
  const head = `Functions that no recorded test runs (${extent})`;
  ok(said.includes(`${head}\n    4 of 4  src/auth.ts\n    1 of 3  src/hash.ts\n`), said);
  const page = renderMapPage(recordedMap(), "0;");
  ok(page.includes(extent) && page.includes("no recorded test runs any of its functions"));
  const plain = [renderMapPage(smallMap(), "0;"), ...toMapLines(smallMap())].join("\n");
  ok(!plain.includes("recorded"), plain);
});

Deno.test("renderMapPage() has nothing of others but text and data that cannot end its element", () => {
  const page = renderMapPage(hostileMap(), "0;");
  equal(page.match(/<script/g)?.length, 2);
  equal(page.match(/<(?:img|i|b)[ >]/g), null);
  ok(!page.includes("\u202e") && !page.includes("\u2028"));
  const [, json = ""] = /id="data">(.*)<\/script>/.exec(page) ?? [];
  const data = JSON.parse(json);
  equal(data.project, "<i>project</i>");
  equal(data.files.length, hostileMap().files.length);
  match(
    page,
    /content="default-src 'none'; style-src 'sha256-[^ ]+' 'sha256-[^ ]+'; img-src data:; base-uri 'none'; form-action 'none'; script-src 'sha256-[^ ]+'"/,
  );
});
