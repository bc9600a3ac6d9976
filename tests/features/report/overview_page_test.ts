/** The overview of all sessions, as a page and as Markdown. */
import { doesNotMatch, match } from "node:assert/strict";
import { formatOverview } from "../../../src/features/report/overview_markdown.ts";
import { renderOverviewPage } from "../../../src/features/report/overview_page.ts";
import { sampleOverview } from "./sample_sessions.ts";

Deno.test("the overview shows outcomes over time and where work fails, in charts with their numbers", () => {
  const page = renderOverviewPage(sampleOverview());
  match(page, /<title>2026-04: 14 succeeded, 3 in part, 1 failed<\/title>/);
  match(page, /<td>POST_IMPL_VERIFY<\/td>/);
  doesNotMatch(page, /<script|<img|Prices of checks/);
  const price = { seconds: 88.5, paid: 2, overridden: 1, once_in_ten: true };
  const priced = { ...sampleOverview(), prices: [{ name: "wrong_versions", runs: 40, ...price }] };
  match(
    renderOverviewPage(priced),
    /wrong versions \(once in ten\)<\/td>\s*<td class="number">40</,
  );
  const text = formatOverview(sampleOverview());
  match(text, /\| 2026-04 \| 14 \| 3 \| 1 \|/);
  match(text, /- POST_IMPL_VERIFY: 3 \(the last batch is lost\)/);
  doesNotMatch(text.replaceAll(/`[^`\n]*`/g, ""), /(?<!\\)<|@everyone/);
});
