/**
 * Draws the pictures of docs/images in a real Chromium: reports from the sample sessions of the tests, the map from this
 * repository: `deno task images`.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { readProgramFile } from "../../src/base/program_files.ts";
import { SYSTEM_CLOCK } from "../../src/base/clock.ts";
import { MAP_SCRIPT } from "../../src/features/map/feature.ts";
import { createMapReader } from "../../src/features/map/gather_map.ts";
import { renderMapPage } from "../../src/features/map/map_page.ts";
import { createServices } from "../../src/services/services.ts";
import { renderOverviewPage } from "../../src/features/report/overview_page.ts";
import { renderReportPage } from "../../src/features/report/report_page.ts";
import {
  failedSession,
  longSession,
  sampleOverview,
  shortSession,
} from "../../tests/features/report/sample_sessions.ts";
import type { View } from "../../tests/support/browser/chromium.ts";
import { Chromium, toFileUrl } from "../../tests/support/browser/chromium.ts";

interface Picture {
  readonly name: string;
  readonly page: string;
  readonly view: View;
  /** Place that is seen; absent for the beginning. */
  readonly at?: string;
  /** What is done in the page before. */
  readonly script?: string;
}

const SCREEN = { width: 880, height: 1_000 } as const;
const PHONE = { width: 360, height: 720 } as const;

const WIDE = { width: 1_100, height: 900 } as const;

async function drawMap(): Promise<string> {
  const projectDir = fileURLToPath(new URL("../..", import.meta.url));
  const services = await createServices({ projectDir, logger: SILENT_LOGGER, offered: [] });
  const found = await createMapReader({ ...services, clock: SYSTEM_CLOCK })();
  await services.close();
  if (found.kind === "refused") throw new Error(String(found.problem.message));
  const script = new TextDecoder().decode(await readProgramFile(MAP_SCRIPT));
  return renderMapPage({ ...found.map, project: "code-intel" }, script);
}

const map = await drawMap();
/** Opens the file that is asked for by its name. */
const toFound = (path: string) =>
  `document.querySelector("#find").value = ${JSON.stringify(path)};
   document.querySelector("#find").dispatchEvent(new Event("input"));
   document.querySelector("#found button").click();
   document.querySelector("#find").value = "";
   document.querySelector("#find").dispatchEvent(new Event("input"));`;

const PICTURES: readonly Picture[] = [
  { name: "report-light", page: renderReportPage(shortSession()), view: SCREEN },
  {
    name: "report-dark",
    page: renderReportPage(failedSession()),
    view: { ...SCREEN, isDark: true },
  },
  { name: "report-timeline", page: renderReportPage(longSession()), view: SCREEN, at: "#timeline" },
  { name: "report-files", page: renderReportPage(longSession()), view: SCREEN, at: "#files" },
  { name: "report-phone", page: renderReportPage(longSession()), view: PHONE },
  { name: "map-light", page: map, view: WIDE, at: "#map" },
  {
    ...{ name: "map-dark", page: map, view: { ...WIDE, isDark: true }, at: "#map" },
    script: toFound("src/phase/decide.ts"),
  },
  { name: "map-phone", page: map, view: PHONE, at: "#map" },
  { name: "overview", page: renderOverviewPage(sampleOverview()), view: SCREEN },
];

const folder = fileURLToPath(new URL("../../docs/images", import.meta.url));
await Deno.mkdir(folder, { recursive: true });
const pages = await Deno.makeTempDir();
await using browser = await Chromium.start();
for (const { name, page: text, view, at, script } of PICTURES) {
  await Deno.writeTextFile(join(pages, `${name}.html`), text);
  const page = await browser.open(toFileUrl(pages, `${name}.html`), view);
  if (script !== undefined) await page.evaluate(script);
  const place = JSON.stringify(at ?? "header");
  await page.evaluate(`document.querySelector(${place}).scrollIntoView({ behavior: "instant" })`);
  const picture = await page.picture();
  await Deno.writeFile(join(folder, `${name}.webp`), picture);
  const line = `docs/images/${name}.webp ${Math.ceil(picture.length / 1_024)} KB\n`;
  await Deno.stdout.write(new TextEncoder().encode(line));
}
await Deno.remove(pages, { recursive: true });
