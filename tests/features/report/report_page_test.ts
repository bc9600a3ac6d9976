/** Reports as pages: whole documents that load nothing, whatever the texts in them say. */
import { createHash } from "node:crypto";
import { doesNotMatch, match, ok, strictEqual as equal } from "node:assert/strict";
import { isReport } from "../../../src/features/report/report_schema.ts";
import { renderReportPage } from "../../../src/features/report/report_page.ts";
import {
  failedSession,
  hostileSession,
  longSession,
  recordedSession,
  shortSession,
} from "./sample_sessions.ts";

const TAGS = /<\/?([a-z][a-z0-9]*)\b([^>]*)>/g;

Deno.test("a page has one style, whose hash its policy names, no script, no handler and no address", () => {
  for (const report of [shortSession(), longSession(), failedSession(), hostileSession()]) {
    const page = renderReportPage(report);
    const styles = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)];
    equal(styles.length, 1);
    const hash = createHash("sha256").update(styles[0]?.[1] ?? "").digest("base64");
    ok(page.includes(`style-src 'sha256-${hash}'`), "the policy allows the style");
    match(page, /content="default-src 'none';/);
    for (const [tag, name = "", attributes = ""] of page.matchAll(TAGS)) {
      ok(!/^(?:script|img|iframe|object|form|base|a\b.*http)/.test(name), tag);
      const names = attributes.replaceAll(/"[^"]*"/g, '""');
      doesNotMatch(names, /\son\w+=|\sstyle=|src=/);
      doesNotMatch(attributes, / href="(?!#|data:,)/);
    }
  }
});

Deno.test("every tag of a page that is opened is closed, also with hostile texts", () => {
  const EMPTY = /^(?:meta|link|br|input|rect|path|line)$/;
  for (const report of [longSession(), hostileSession()]) {
    const open: string[] = [];
    for (const [tag, name = ""] of renderReportPage(report).matchAll(TAGS)) {
      if (EMPTY.test(name)) continue;
      if (tag.startsWith("</")) equal(open.pop(), name, tag);
      else open.push(name);
    }
    equal(open.length, 0);
  }
});

Deno.test("lines that no recorded test runs have a colour whose word stands above them, and only there", () => {
  equal(isReport(recordedSession()), true);
  const page = renderReportPage(recordedSession());
  match(page, /in a function that no recorded test runs \(recorded for 12 of 14 tests, 1 file/);
  match(page, /2 added lines in functions that no recorded test runs/);
  const idle = [...page.matchAll(/<span class="a idle">([^<]*)</g)].map(([, line]) => line);
  equal(
    idle.join("|"),
    "+  if (name === &quot;&quot;) {|+    throw new Error(&quot;a name is needed&quot;);",
  );
  doesNotMatch(renderReportPage(shortSession()), /class="(?:a )?idle"|recorded test/);
});

Deno.test("a page shows overrides before all else, and what was not shown, did not run or failed", () => {
  const long = renderReportPage(longSession());
  const sections = [...long.matchAll(/<h2 id="([a-z-]+)">/g)].map(([, id]) => id);
  equal(
    sections.join(" "),
    "overrides request verification tasks files timeline learned",
  );
  match(long, /nothing was shown for it/);
  match(long, /did not run/);
  match(long, /1 of 24 small wrong versions/);
  match(renderReportPage(failedSession()), /the last batch is lost/);
});

Deno.test("a page says before all else that the completion was forced, and with which issues", () => {
  const page = renderReportPage({ ...longSession(), forced: ["<i>a secret</i>"] });
  match(page, /<h2 id="forced">[^]*&lt;i&gt;a secret[^]*<h2 id="overrides">/);
  doesNotMatch(renderReportPage(longSession()), /id="forced"/);
});

Deno.test("evidence stands beside its hunk, and what is too long or binary is named", () => {
  const page = renderReportPage(shortSession());
  match(page, /<summary><code><bdi>src\/auth\.ts:2-4<\/bdi><\/code><\/summary>\s*<pre/);
  match(renderReportPage(longSession()), /its lines are left out for the length of this page/);
});

Deno.test("the graph draws what fits, counts the rest, and says the same as a list", () => {
  const page = renderReportPage(longSession());
  match(page, /Not drawn: [^.]*14 dependent files/);
  match(page, /34 dependent files, and what was decided about them/);
});
