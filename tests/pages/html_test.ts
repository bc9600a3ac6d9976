/** Texts of others in pages: escaped. */
import { strictEqual as equal } from "node:assert/strict";
import { bdi, code, markup } from "../../src/pages/html.ts";

Deno.test("markup escapes every value, in texts and attributes, and joins lists", () => {
  equal(markup`<p title="${`"'`}">${"<b>&"}</p>`.text, '<p title="&quot;&#39;">&lt;b&gt;&amp;</p>');
  equal(
    markup`<ul>${["a", "<"].map((one) => markup`<li>${one}</li>`)}${null}${3}</ul>`.text,
    "<ul><li>a</li><li>&lt;</li></ul>".replace("</ul>", "3</ul>"),
  );
  equal(bdi("</bdi>").text, "<bdi>&lt;/bdi&gt;</bdi>");
  equal(code("a`b").text, "<code><bdi>a`b</bdi></code>");
});
