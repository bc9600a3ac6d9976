/** Maps in a real Chromium: drawn at once, walked by keyboard and pointer, free of barriers, and hostile names stay text. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import type { CodeMap } from "../../../src/features/map/code_map.ts";
import { MAP_SCRIPT } from "../../../src/features/map/feature.ts";
import { renderMapPage } from "../../../src/features/map/map_page.ts";
import type { Chromium, Page } from "../../support/browser/chromium.ts";
import { toFileUrl } from "../../support/browser/chromium.ts";
import {
  findBarriers,
  findSideways,
  testInBrowser,
  VIEWS,
} from "../../support/browser/page_checks.ts";
import { giveUp } from "../../support/temp_folder.ts";
import { hostileMap, largeMap, recordedMap, smallMap } from "./sample_map.ts";

const script = await Deno.readTextFile(
  fileURLToPath(new URL(`../../../${MAP_SCRIPT}`, import.meta.url)),
);

/** Opens each map. */
async function withMaps(
  browser: Chromium,
  maps: Readonly<Record<string, CodeMap>>,
  look: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  for (const [name, map] of Object.entries(maps)) {
    await Deno.writeTextFile(join(folder, `${name}.html`), renderMapPage(map, script));
    const page = await browser.open(toFileUrl(folder, `${name}.html`));
    await look(page, name);
    deepEqual(page.complaints, [], name);
  }
  await giveUp(folder);
}

const text = (selector: string) =>
  `document.querySelector(${JSON.stringify(selector)}).textContent`;
/** The points of a canvas; they are read from a copy, since reading makes a canvas slow. */
const toPoints = (place: number) =>
  `(() => {
    const canvas = document.querySelectorAll("canvas")[${place}];
    const copy = new OffscreenCanvas(canvas.width, canvas.height);
    const pen = copy.getContext("2d", { willReadFrequently: true });
    pen.drawImage(canvas, 0, 0);
    return new Uint32Array(pen.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  })()`;
/** How many colours the picture has: an empty one has a single colour. */
const COLOURS = `new Set(${toPoints(0)}).size`;
const FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

testInBrowser("maps in a browser", {
  "maps small, hostile and of 10,000 files are drawn without complaints and barriers, light, dark, on a phone":
    async (browser) => {
      await withMaps(
        browser,
        { small: smallMap(), ran: recordedMap(), hostile: hostileMap(), large: largeMap(10_000) },
        async (page, name) => {
          for (const view of VIEWS) {
            await page.look(view);
            const at = `${name} ${JSON.stringify(view)}`;
            // The elements of a large map are those of a small one.
            if (name !== "large") deepEqual(await findBarriers(page, view), [], at);
            equal(await findSideways(page), null, at);
            ok(await page.evaluate(COLOURS) > 3, at);
          }
          const colour = (isDark: boolean) =>
            page.look({ isDark }).then(() => page.evaluate(FRAMES)).then(() =>
              page.evaluate(`${toPoints(0)}.slice(9000, 9100).join()`)
            );
          ok(await colour(true) !== await colour(false), `${name} has other colours in the dark`);
        },
      );
    },
  "the keyboard walks through folders and files, and what it meets is said, shown and linked":
    async (browser) => {
      await withMaps(browser, { small: smallMap() }, async (page) => {
        const said = () => page.evaluate(text("#said"));
        await page.evaluate(`document.querySelectorAll("canvas")[1].focus()`);
        await page.press("Enter");
        equal(await said(), "src/: 3 files, 700 lines");
        await page.press("Enter");
        equal(
          await said(),
          "src/auth.ts: 400 lines, 9 changes, leads to 1 file, 2 lead to it, in a circle of imports",
        );
        equal(await page.evaluate(text("#crumbs")), "samplesrc");
        await page.press("Enter");
        const file = await page.evaluate(text("#file-body"));
        for (const part of ["login function, line 3", "circle: src/auth.ts, src/hash.ts"]) {
          ok(file.includes(part), file);
        }
        ok(file.includes("src/view.ts imports, calls 1 name"), file);
        equal(await page.evaluate("document.activeElement.textContent"), "src/auth.ts");
        // A link leads on, the picture follows, and Escape leaves the folder.
        await page.press("Tab");
        await page.press("Enter");
        ok((await page.evaluate(text("#file-body"))).startsWith("src/hash.ts"));
        await page.evaluate(`document.querySelectorAll("canvas")[1].focus()`);
        await page.press("Escape");
        equal(await said(), "src/: 3 files, 700 lines");
        equal(await page.evaluate(text("#crumbs")), "sample");
        await page.evaluate(`document.querySelector("#find").focus()`);
        await page.type("VIEW");
        equal(await page.evaluate(text("#found")), "src/view.ts");
        await page.press("Enter");
        ok((await page.evaluate(text("#file-body"))).startsWith("src/view.ts"));
        const before = await page.evaluate(COLOURS);
        await page.evaluate(`document.querySelector("input[value=session]").click()`);
        equal(await page.evaluate("document.body.dataset.colour"), "session");
        ok(await page.evaluate(COLOURS) !== before);
      });
    },
  "what recorded tests ran is a colour with its word, and is said of each file": async (
    browser,
  ) => {
    await withMaps(browser, { ran: recordedMap(), plain: smallMap() }, async (page, name) => {
      const isThere = await page.evaluate(`document.querySelector("input[value=runs]") !== null`);
      equal(isThere, name === "ran");
      if (name === "plain") return;
      const before = await page.evaluate(`${toPoints(0)}.join()`);
      await page.evaluate(`document.querySelector("input[value=runs]").click()`);
      ok(await page.evaluate(`${toPoints(0)}.join()`) !== before);
      const shown = await page.evaluate(
        `[...document.querySelectorAll(".legend li")].filter((one) => one.offsetParent !== null)
          .map((one) => one.textContent).join("; ")`,
      );
      ok(shown.startsWith("not recorded, or no functions; each of its functions ran;"), shown);
      for (const view of VIEWS) deepEqual(await findBarriers(page, view), []);
      await page.evaluate(`document.querySelectorAll("canvas")[1].focus()`);
      await page.press("Enter");
      await page.press("Enter");
      const said = await page.evaluate(text("#said"));
      ok(said.includes(", 4 of 4 functions not run by a recorded test,"), said);
    });
  },
  "the pointer finds the file below it among 10,000, draws its links, and hostile names run nothing":
    async (browser) => {
      await withMaps(
        browser,
        { large: largeMap(10_000), hostile: hostileMap() },
        async (page, name) => {
          const spot = (x: number, y: number) =>
            page.evaluate(`(() => {
          const { left, top, width, height } = document.querySelector("#room").getBoundingClientRect();
          return [left + width * ${x}, top + height * ${y}];
        })()`);
          await page.evaluate(
            `document.querySelector("#room").scrollIntoView({ behavior: "instant" })`,
          );
          const [x, y] = await spot(.31, .42);
          await page.point(x, y, { isClick: true });
          await page.point(x + 1, y);
          await page.evaluate(FRAMES);
          const line = await page.evaluate(text("#now"));
          if (name === "large") {
            ok(/part_\d+\/.*: \d+ (?:lines?|files?)/.test(line), line);
            const isDrawn = `${toPoints(1)}.some((value) => value !== 0)`;
            ok(await page.evaluate(isDrawn), "what is pointed at is marked");
          } else {
            ok(line.length > 0);
            await page.evaluate(`document.querySelector("#find").focus()`);
            await page.type("script");
            await page.press("Enter");
            ok(
              (await page.evaluate(text("#file-body"))).includes(
                "</script><script>alert(1)</script>.ts",
              ),
            );
            const seen = await page.evaluate(
              "[document.scripts.length, document.images.length, document.querySelectorAll('style').length]",
            );
            deepEqual(seen, [2, 0, 2]);
          }
        },
      );
    },
});
