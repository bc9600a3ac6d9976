/**
 * The README with the rows of its table "Measured" that repeat what a page or a task says; everything else is written by
 * hand. So no figure of it can get old without the test of the generated pages.
 */
import { join } from "node:path";
import { ATTACK_COUNT } from "../../tests/escape/attacks.ts";
import { loadFigures, measureReading } from "../trial/figures.ts";
import { SOURCES } from "../grammars/sources.ts";
import { REPOSITORY } from "../task.ts";

/** A row by how it begins, with what is written in it. */
interface FigureRow {
  readonly start: string;
  readonly render: () => Promise<readonly [value: string, source: string]>;
}

const ROWS: readonly FigureRow[] = [
  {
    start: "the right file among the first ten, for 240 questions",
    render: renderRetrieval,
  },
  {
    start: "what a model reads",
    render: renderReading,
  },
  {
    start: "size of the one file",
    render: renderBinary,
  },
];

/** The README as it stands, with those rows made anew. */
export async function renderReadme(): Promise<string> {
  let text = await read("README.md");
  for (const { start, render } of ROWS) {
    const row = new RegExp(`^(\\| ${start}[^|]*) \\|.*$`, "m");
    if (!row.test(text)) throw new Error(`README.md has no row "${start} …"`);
    const [value, source] = await render();
    text = text.replace(row, (_, what) => `${what} | ${value} | ${source} |`);
  }
  return withAttacks(text, "README.md", "ways round the rules");
}

/** The page of reasons as it stands, with the number of attacks made anew. */
export async function renderWhy(): Promise<string> {
  return withAttacks(await read("docs/why.md"), "docs/why.md", "scripted attempts");
}

const GRAMMARS_HEAD = "| package | version | licence | grammars |\n|---|---|---|---|\n";

/** The page as it stands, with a row for each package of grammars. */
export async function renderDependencies(): Promise<string> {
  const page = await read("docs/dependencies.md");
  const start = page.indexOf(GRAMMARS_HEAD) + GRAMMARS_HEAD.length;
  if (start < GRAMMARS_HEAD.length) {
    throw new Error("docs/dependencies.md has no table of grammars");
  }
  const grammars = SOURCES.filter(({ name }) => name !== "web-tree-sitter");
  const rows = [...Map.groupBy(grammars, (one) => one.package)].map(([name, own]) => {
    const { version = "", licence = "", licenceFrom } = own[0] ?? {};
    const of = licenceFrom === undefined ? licence : `${licence} (the collection: Unlicense)`;
    return `| \`${name}\` | ${version} | ${of} | ${own.map((one) => one.name).join(", ")} |\n`;
  });
  return page.slice(0, start) + rows.join("") + page.slice(page.indexOf("\n\n", start) + 1);
}

/** Says how many attacks `deno task escape` tries, before the words that call them so. */
function withAttacks(text: string, page: string, words: string): string {
  const count = new RegExp(`\\d+(?= ${words})`);
  if (!count.test(text)) throw new Error(`${page} counts no ${words}`);
  return text.replace(count, String(ATTACK_COUNT));
}

async function renderRetrieval(): Promise<readonly [string, string]> {
  const page = await read("docs/retrieval.md");
  const [, japanese = ""] = page.split("## Questions in Japanese");
  const figure = (row: string, part = page) => toCell(part, row, 1);
  return [
    `${
      figure("**code-intel, table**")
    }, right after the index was built and without the embedding model. Without word vectors too: ${
      figure("code-intel by words, table")
    }. With weights that never saw the repository: ${figure("code-intel, left out")}; ${
      toCell(page, "plain", 1)
    } questions about 46 more repositories, likewise, though word vectors were trained there: ${
      toCell(page, "plain", 4)
    }. The 33 questions in Japanese: ${
      figure("**table**", japanese)
    }. For comparison, \`rg\` with the words of the question: ${
      figure("rg, a word at a time")
    }; BM25: ${figure("FTS5 BM25, 50-line windows")}`,
    "[`task retrieval`](docs/retrieval.md)",
  ];
}

async function renderReading(): Promise<readonly [string, string]> {
  const { replyBytes } = await loadFigures();
  const { listingBytes, instructionsBytes, skills } = await measureReading();
  const sizes = [replyBytes, listingBytes, skills.get("code") ?? 0, instructionsBytes]
    .map((sizeBytes) => `${Math.round(sizeBytes / 1024)} KB`);
  return [sizes.join(" / "), "`task trial`"];
}

async function renderBinary(): Promise<readonly [string, string]> {
  const page = await read("docs/binary.md");
  const sizeBytes = Number(toCell(page, "executable", 2).replaceAll(",", ""));
  // The table of what a start loads has a row of the same name.
  const [, times = ""] = page.split("## Time");
  const hook = (when: string) => `${toCell(times, `\`hook\` ${when}`, 1)} ms`;
  return [
    `${Math.round(sizeBytes / 1e6)} MB / ${hook("outside a session")} / ${
      hook("before a shell command, in a session")
    }`,
    "[`task binary`](docs/binary.md)",
  ];
}

/** A cell of the first row of a page that begins with a text. */
function toCell(page: string, row: string, column: number): string {
  const line = page.split("\n").find((one) => one.startsWith(`| ${row} |`));
  const cell = line?.split("|")[column + 1]?.trim();
  if (cell === undefined) throw new Error(`No page has the row "${row}", which README.md repeats`);
  return cell;
}

async function read(path: string): Promise<string> {
  return await Deno.readTextFile(join(REPOSITORY, path));
}
