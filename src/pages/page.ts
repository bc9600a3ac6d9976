/** The frame of every page: what it may load (nothing), its landmarks and its style. */
import { createHash } from "node:crypto";
import type { Problem } from "../base/problem.ts";
import type { Html } from "./html.ts";
import { Html as Markup, markup } from "./html.ts";
import { PROGRAM_NAME, VERSION } from "../base/version.ts";
import { STYLE } from "./style.ts";

/** What a page is made of. */
export interface PageParts {
  readonly title: string;
  readonly header: Html;
  /** Sections in their order; each has a place in the navigation. */
  readonly sections: readonly PageSection[];
  /** What the page runs; without it no script can run in it. */
  readonly program?: PageProgram;
}

/** A script of the page with what it needs. */
export interface PageProgram {
  /** The text of the script, which is ours alone. */
  readonly script: string;
  /** Style beside that of every page. */
  readonly style: string;
  /** What the script reads as JSON from the element `data`. */
  readonly data: unknown;
}

/** A section of a page. */
export interface PageSection {
  /** Name of its place: letters and dashes. */
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}

/** The source by which a policy allows one inline element, by the hash of its text. */
function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** The policy of a page: its own style and script, by their hashes, and nothing else. */
export function buildPolicy({ script, style }: Partial<PageProgram> = {}): string {
  const styles = [STYLE, ...style === undefined ? [] : [style]].map(hashSource).join(" ");
  return [
    "default-src 'none'",
    `style-src ${styles}`,
    // An empty icon keeps the browser from asking a server for one.
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    ...script === undefined ? [] : [`script-src ${hashSource(script)}`],
  ].join("; ");
}

/** The policy of a page without scripts. */
export const PAGE_POLICY: string = buildPolicy();

/** The head of a page. */
export function renderHead(title: string, policy: string, style?: string): Html {
  return markup`
    <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="referrer" content="no-referrer">
      <meta name="robots" content="noindex">
      <link rel="icon" href="data:,">
      <title>${title}</title>
      <style>${new Markup(STYLE)}</style>
      ${style === undefined ? null : markup`<style>${new Markup(style)}</style>`}
    </head>
  `;
}

/** Puts a page together. */
export function renderPage({ title, header, sections, program }: PageParts): string {
  return `<!DOCTYPE html>\n${
    markup`<html lang="en">
${renderHead(title, buildPolicy(program), program?.style)}
<body>
<a class="skip" href="#content">To the content</a>
<header>${header}</header>
<nav aria-label="Sections"><ul>${
      sections.map(({ id, title: name }) => markup`<li><a href="#${id}">${name}</a></li>`)
    }</ul></nav>
<main id="content" tabindex="-1">
${
      sections.map(({ id, title: name, body }) =>
        markup`
          <section aria-labelledby="${id}"><h2 id="${id}">${name}</h2>
          ${body}
          </section>
        `
      )
    }</main>
<footer><p>Made by ${PROGRAM_NAME} ${VERSION}.</p></footer>
${program === undefined ? null : renderProgram(program)}</body>
</html>`.text
  }\n`;
}

/** The elements of a script and its data, in which nothing can end them. */
function renderProgram({ script, data }: PageProgram): Html {
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  return markup`<script type="application/json" id="data">${new Markup(json)}</script>
<script>${new Markup(script)}</script>
`;
}

/** A page with one problem and its next step, where there is no report. */
export function renderProblemPage({ message, hint }: Problem): string {
  return renderPage({
    title: "No report",
    header: markup`<h1>${String(message)}</h1>
<p class="quote">${hint === undefined ? "" : String(hint)}</p>`,
    sections: [],
  });
}
