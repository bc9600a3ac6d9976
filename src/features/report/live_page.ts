/**
 * The page that shows the running session and keeps itself up to date. It holds nothing of a session: its script asks for
 * the report with the token that the user gives it.
 */
import { buildPolicy, renderHead, renderProblemPage } from "../../pages/page.ts";
import type { LivePage } from "../../services/extension.ts";
import type { ReportSource } from "./gather.ts";
import { renderOverviewPage } from "./overview_page.ts";
import { renderReportPage } from "./report_page.ts";
import { Html, markup } from "../../pages/html.ts";
import { REPORT_PATH } from "./feature.ts";

/** Opens the page; it remembers which session ran last. */
export function openRunningReport(reports: ReportSource): LivePage {
  let last: string | undefined;
  return {
    readMark: () => reports.readMark(),
    draw: async () => {
      const running = await reports.session();
      if (running.kind === "report") last = running.report.session.id;
      const isGone = running.kind === "refused" && running.problem.code === "no_active_session";
      const found = isGone && last !== undefined ? await reports.session(last) : running;
      if (found.kind === "report") return renderReportPage(found.report);
      if (!isGone) return renderProblemPage(found.problem);
      const all = await reports.overview();
      return all.kind === "report"
        ? renderOverviewPage(all.report)
        : renderProblemPage(all.problem);
    },
  };
}

/** The script: plain, without a library. The token stays in the tab, and no other port or site can read it there. */
const SCRIPT = `"use strict";
const KEY = "code-intel-token";
const form = document.querySelector("form");
const field = document.querySelector("input");
const told = document.querySelector("#told");
let mark = null;
let timer;
const tell = (text) => { if (told.textContent !== text) told.textContent = text; };
const toName = (one) => (one.closest("li")?.querySelector("strong, code")?.textContent ?? "") + one.textContent;
function show(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const open = new Set([...document.querySelectorAll("details[open] > summary")].map(toName));
  const at = document.activeElement;
  const focused = at?.matches("summary") ? toName(at) : null;
  const link = at?.matches("nav a") ? at.hash : null;
  for (const name of ["body > header", "body > nav", "body > main", "body > footer"]) {
    const [old, fresh] = [document.querySelector(name), page.querySelector(name)];
    if (old !== null && fresh !== null) old.replaceChildren(...fresh.childNodes);
  }
  document.title = page.title;
  for (const one of document.querySelectorAll("details > summary")) {
    const name = toName(one);
    if (open.has(name)) one.parentElement.open = true;
    if (name === focused) one.focus({ preventScroll: true });
  }
  if (link) document.querySelector('nav a[href="' + link + '"]')?.focus({ preventScroll: true });
  const badge = document.querySelector(".badge")?.textContent ?? "";
  tell("Up to date" + (badge === "" ? "" : ": " + badge));
}
async function look() {
  clearTimeout(timer);
  const token = sessionStorage.getItem(KEY);
  form.hidden = token !== null;
  if (token === null) return;
  try {
    const headers = { authorization: "Bearer " + token };
    if (mark !== null) headers["if-none-match"] = mark;
    const answer = await fetch("${REPORT_PATH}", { headers, cache: "no-store" });
    if (answer.status === 401) {
      sessionStorage.removeItem(KEY);
      form.hidden = false;
      field.focus();
      return tell("This is not the token of the server.");
    }
    if (answer.status === 200) {
      mark = answer.headers.get("etag");
      show(await answer.text());
    } else if (answer.status !== 304) tell("The server cannot make the report now (" + answer.status + ").");
  } catch {
    mark = null;
    tell("The server cannot be reached. It is asked again.");
  }
  timer = setTimeout(look, document.hidden ? 10000 : 2000);
}
form.addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem(KEY, field.value.trim());
  field.value = "";
  look();
});
document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
look();
`;

/** The policy of the page: its own script and style, and questions to its own server alone. */
const POLICY = `${buildPolicy({ script: SCRIPT })}; connect-src 'self'`;

/** Draws the page. */
export function drawLivePage(): { readonly text: string; readonly policy: string } {
  const text = `<!DOCTYPE html>\n${
    markup`<html lang="en">
${renderHead("code-intel: the running session", POLICY)}
<body>
<a class="skip" href="#content">To the content</a>
<header><h1>The running session</h1></header>
<section class="live" aria-label="Connection">
<form hidden>
<label for="token">Token of the server</label>
<input id="token" type="password" autocomplete="off" required>
<button>Show</button>
<p class="faint">The server names the file with its token when it starts. The token stays in this tab.</p>
</form>
<p id="told" role="status" class="faint"></p>
</section>
<nav aria-label="Sections"></nav>
<main id="content" tabindex="-1"></main>
<footer></footer>
<script>${new Html(SCRIPT)}</script>
</body>
</html>`.text
  }\n`;
  return { text, policy: POLICY };
}
