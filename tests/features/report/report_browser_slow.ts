/** Reports in a real Chromium: nothing is complained about, everybody can read them, and hostile texts stay texts. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { renderOverviewPage } from "../../../src/features/report/overview_page.ts";
import { renderReportPage } from "../../../src/features/report/report_page.ts";
import { toFileUrl } from "../../support/browser/chromium.ts";
import {
  findBarriers,
  findSideways,
  testInBrowser,
  VIEWS,
} from "../../support/browser/page_checks.ts";
import { startHttpServer } from "../../support/server/http_server.ts";
import { isHere } from "../../support/needs.ts";
import { createProject } from "../../support/session/project.ts";
import { runProgram } from "../../support/server/cli.ts";
import { giveUp } from "../../support/temp_folder.ts";
import {
  failedSession,
  hostileSession,
  longSession,
  recordedSession,
  sampleOverview,
  shortSession,
} from "./sample_sessions.ts";

const PAGES: Readonly<Record<string, () => string>> = {
  short: () => renderReportPage(shortSession()),
  long: () => renderReportPage(longSession()),
  recorded: () => renderReportPage(recordedSession()),
  failed: () => renderReportPage(failedSession()),
  hostile: () => renderReportPage(hostileSession()),
  huge: () => renderReportPage(hugeSession()),
  overview: () => renderOverviewPage(sampleOverview()),
};

function hugeSession(): ReturnType<typeof longSession> {
  const long = longSession();
  const [file] = long.files ?? [];
  ok(file);
  const files = Array.from({ length: 3_000 }, (_, index) => ({
    ...file,
    path: `src/part_${index}/file.ts`,
    diff: null,
  }));
  return { ...long, files };
}

testInBrowser("reports in a browser", {
  "every page is free of complaints and barriers, light, dark, and as wide as a phone": async (
    browser,
  ) => {
    const folder = await Deno.makeTempDir();
    for (const [name, draw] of Object.entries(PAGES)) {
      await Deno.writeTextFile(join(folder, `${name}.html`), draw());
      const page = await browser.open(toFileUrl(folder, `${name}.html`));
      for (const view of VIEWS) {
        await page.look(view);
        const at = `${name} ${JSON.stringify(view)}`;
        // Thousands of rows are judged once: each row is like the next.
        if (name !== "huge") deepEqual(await findBarriers(page, view), [], at);
        equal(await findSideways(page), null, at);
      }
      const colour = (isDark: boolean) =>
        page.look({ isDark }).then(() => page.evaluate("getComputedStyle(document.body).color"));
      ok(await colour(true) !== await colour(false), "dark mode has other colours");
      deepEqual(page.complaints, [], name);
    }
    await giveUp(folder);
  },
  "hostile texts run nothing, load nothing, and stand there as text": async (browser) => {
    const folder = await Deno.makeTempDir();
    await Deno.writeTextFile(join(folder, "hostile.html"), renderReportPage(hostileSession()));
    const page = await browser.open(toFileUrl(folder, "hostile.html"));
    const seen = await page.evaluate(`({
    scripts: document.scripts.length,
    images: document.images.length,
    styles: document.querySelectorAll("style").length,
    links: [...document.links].filter(({ protocol }) => protocol !== "file:").length,
    heading: document.querySelector("h1").textContent,
    shown: getComputedStyle(document.querySelector("h1")).display,
  })`);
    deepEqual([seen.scripts, seen.images, seen.styles, seen.links, seen.shown], [
      0,
      0,
      1,
      0,
      "block",
    ]);
    ok(seen.heading.includes("</script><script>alert(1)</script>"));
    ok(seen.heading.includes("👩‍👩‍👧‍👦 שלום") && seen.heading.includes("[U+202E]txt.exe"));
    deepEqual(page.complaints, []);
    await giveUp(folder);
  },
  "the keyboard reaches the content, opens a diff and scrolls it, and paper has all of it": async (
    browser,
  ) => {
    const folder = await Deno.makeTempDir();
    await Deno.writeTextFile(join(folder, "short.html"), renderReportPage(shortSession()));
    const page = await browser.open(toFileUrl(folder, "short.html"));
    const focus = () =>
      page.evaluate("document.activeElement.textContent.trim().replace(/\\\\s+/g, ' ')");
    await page.press("Tab");
    equal(await focus(), "To the content");
    await page.press("Enter");
    equal(await page.evaluate("document.activeElement.id"), "content");
    await page.press("Tab");
    equal(await focus(), "src/auth.ts:2-4");
    await page.press("Enter");
    equal(await page.evaluate("document.activeElement.parentElement.open"), true);
    await page.press("Tab");
    equal(await page.evaluate("document.activeElement.className"), "diff");
    const hidden = `[...document.querySelectorAll("details:not([open]) pre")]
    .filter((one) => !one.checkVisibility({ contentVisibilityAuto: true })).length`;
    ok(await page.evaluate(hidden) > 0);
    const paper = await browser.open(toFileUrl(folder, "short.html"), { media: "print" });
    equal(await paper.evaluate(hidden), 0);
    await giveUp(folder);
  },
  "the live page asks for the token, shows the session, follows it, and keeps what is open": async (
    browser,
  ) => {
    if (!isHere("http")) return;
    await using project = await createProject();
    const run = (...words: string[]) => runProgram(words, { cwd: project.dir, env: project.env });
    await run("session", "start", "how does login work", "--intent", "QUESTION", "--no-doc");
    await using server = await startHttpServer(project.dir, { stateDir: project.stateDir });
    const page = await browser.open(new URL("/", server.url).href);
    const until = async (expression: string) => {
      for (let tries = 0; tries < 200; tries++) {
        if (await page.evaluate(expression) === true) return;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error(`${expression}: ${await page.evaluate("document.body.innerText")}`);
    };
    const says = (text: string) => `document.body.innerText.includes(${JSON.stringify(text)})`;
    const send = async (token: string) => {
      await page.evaluate("document.querySelector('input').focus()");
      await page.type(token);
      await page.press("Enter");
    };
    await until("!document.querySelector('form').hidden");
    deepEqual(await findBarriers(page), []);
    equal(await page.evaluate(says("how does login work")), false);
    await send("x".repeat(43));
    await until(says("This is not the token of the server."));
    // The browser itself notes an answer 401 in its console.
    deepEqual(page.complaints.splice(0).filter((text) => !text.includes("401")), []);
    await send(server.token);
    await until(says("how does login work"));
    equal(await page.evaluate("document.querySelector('form').hidden"), true);
    deepEqual(await findBarriers(page), []);
    await run("session", "submit", "{}");
    await until(says("1 refused submission"));
    await run("session", "abandon", "--reason", "it was answered in person");
    await until(says("it was answered in person"));
    deepEqual(page.complaints, []);
  },
});
