/** Definitions and references in languages that no grammar reads, as the real index has them. */
import { deepStrictEqual as deepEqual, ok } from "node:assert/strict";
import { createIndexedProject } from "./indexed_project.ts";

const FILES = {
  "css/card.scss": ".card {\n  &__title { color: red }\n}\n@mixin edge($size) { border: $size }\n",
  "css/page.scss": "@use 'card';\n.page { @include card.edge(1px); }\n",
  "page.html": '<div class="card"><b class="card__title">A</b></div>\n',
  "db/schema.sql":
    'CREATE TABLE IF NOT EXISTS "shop"."orders" (id int);\ncreate function shop.total() returns int as $$\n  select 1;\n$$ language sql;\n',
  "db/use.sql": "SELECT shop.total() FROM shop.orders;\n",
  "views/show.blade.php": "<x-card>\n  <x-slot:footer>End</x-slot>\n</x-card>\n",
};

Deno.test("findDefinitions() and findReferences() know what SCSS, SQL and Blade define", async () => {
  await using project = await createIndexedProject({ files: FILES });
  const define = async (name: string) => {
    const answer = await project.explorer.findDefinitions({
      symbol: name,
      exactMatch: true,
      maxResults: 10,
    });
    ok(answer.kind === "found", JSON.stringify(answer));
    return answer.definitions.map(({ path, line, kind }) => `${path}:${line} ${kind}`);
  };
  deepEqual(await define(".card__title"), ["css/card.scss:2 class"]);
  deepEqual(await define("edge"), ["css/card.scss:4 mixin"]);
  deepEqual(await define("shop.total"), ["db/schema.sql:2 function"]);
  deepEqual(await define("orders"), ["db/schema.sql:1 table"]);
  deepEqual(await define("footer"), ["views/show.blade.php:2 slot"]);
  const answer = await project.explorer.findReferences({
    symbol: ".card__title",
    includeText: false,
    maxResults: 10,
  });
  ok(answer.kind === "found");
  deepEqual(answer.references.map(({ path, line, kind }) => `${path}:${line} ${kind}`), [
    "css/card.scss:2 definition",
    "page.html:1 read",
  ]);
});
