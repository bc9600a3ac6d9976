/** Draws the pictures of docs/images from the sample sessions of the tests, in a real Chromium: `deno task images`. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { toOverviewPage, toReportPage } from "../../src/report/mod.ts";
import {
  failedSession,
  longSession,
  sampleOverview,
  shortSession,
} from "../../tests/report/sample_sessions.ts";
import type { View } from "../../tests/support/chromium.ts";
import { Chromium, toFileUrl } from "../../tests/support/chromium.ts";

interface Picture {
  readonly name: string;
  readonly page: string;
  readonly view: View;
  /** Place that is seen; absent for the beginning. */
  readonly at?: string;
}

const SCREEN = { width: 880, height: 1_000 } as const;
const PHONE = { width: 360, height: 720 } as const;

const PICTURES: readonly Picture[] = [
  { name: "report-light", page: toReportPage(shortSession()), view: SCREEN },
  { name: "report-dark", page: toReportPage(failedSession()), view: { ...SCREEN, isDark: true } },
  { name: "report-timeline", page: toReportPage(longSession()), view: SCREEN, at: "#timeline" },
  { name: "report-files", page: toReportPage(longSession()), view: SCREEN, at: "#files" },
  { name: "report-phone", page: toReportPage(longSession()), view: PHONE },
  { name: "overview", page: toOverviewPage(sampleOverview()), view: SCREEN },
];

const folder = fileURLToPath(new URL("../../docs/images", import.meta.url));
await Deno.mkdir(folder, { recursive: true });
const pages = await Deno.makeTempDir();
await using browser = await Chromium.start();
for (const { name, page: text, view, at } of PICTURES) {
  await Deno.writeTextFile(join(pages, `${name}.html`), text);
  const page = await browser.open(toFileUrl(pages, `${name}.html`), view);
  const place = JSON.stringify(at ?? "header");
  await page.evaluate(`document.querySelector(${place}).scrollIntoView({ behavior: "instant" })`);
  const picture = await page.picture();
  await Deno.writeFile(join(folder, `${name}.webp`), picture);
  const line = `docs/images/${name}.webp ${Math.ceil(picture.length / 1_024)} KB\n`;
  await Deno.stdout.write(new TextEncoder().encode(line));
}
await Deno.remove(pages, { recursive: true });
