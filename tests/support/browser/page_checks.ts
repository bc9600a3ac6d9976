/** What every page must pass in a real browser. */
import axe from "axe-core";
import type { Page, View } from "./chromium.ts";
import { Chromium } from "./chromium.ts";
import { testNeeding } from "../needs.ts";

/** Light, dark, and as wide as a phone. */
export const VIEWS: readonly View[] = [{}, { isDark: true }, { width: 360, height: 740 }];

/** The rules of axe about colours that it tries where it tries all. */
const COLOUR_RULES = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/**
 * Findings of axe that keep somebody from using the page.
 *
 * @param view where it differs from one that was judged in its colours alone, these are judged alone.
 */
export async function findBarriers(page: Page, view: View = {}): Promise<readonly string[]> {
  if (await page.evaluate("typeof axe") === "undefined") {
    await page.evaluate(`${axe.source}; undefined`);
  }
  const rules = view.isDark === true ? `, runOnly: ${JSON.stringify(COLOUR_RULES)}` : "";
  const found = await page.evaluate(
    `axe.run(document, { resultTypes: ["violations"]${rules} }).then(({ violations }) =>
      violations.map(({ id, impact, nodes }) => [impact, id, nodes[0].html].join(" ")))`,
  ) as readonly string[];
  return found.filter((line) => /^(?:serious|critical) /.test(line));
}

/** Says how far a page scrolls sideways; null where it does not. */
export async function findSideways(page: Page): Promise<string | null> {
  const { width, room } = await page.evaluate(
    "({ width: document.documentElement.scrollWidth, room: innerWidth })",
  );
  return width <= room ? null : `${width} of ${room}`;
}

/** Makes one test of several looks at pages, a step each: they share a browser, whose start costs more than most of them. */
export function testInBrowser(
  name: string,
  looks: Readonly<Record<string, (browser: Chromium) => Promise<void>>>,
): void {
  testNeeding(["chromium"], name, async (t) => {
    await using browser = await Chromium.start();
    for (const [step, look] of Object.entries(looks)) await t.step(step, () => look(browser));
  });
}
