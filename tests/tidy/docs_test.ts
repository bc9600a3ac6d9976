/** The documents: generated pages are what the tables give, and the others are there and linked. */
import { deepStrictEqual as deepEqual, match, ok, strictEqual as equal } from "node:assert/strict";
import { dirname, join } from "node:path";
import { findStalePages, PAGES } from "../../tools/docs/pages.ts";
import { expectNone, readSourceFiles, ROOT } from "./source_files.ts";

const WRITTEN = [
  "README.md",
  "docs/architecture.md",
  "docs/attest.md",
  "docs/changelog.md",
  "docs/claude_code.md",
  "docs/codex.md",
  "docs/contracts.md",
  "docs/contributing.md",
  "docs/dependencies.md",
  "docs/formats.md",
  "docs/guide.md",
  "docs/install.md",
  "docs/internals.md",
  "docs/newcomer.md",
  "docs/prove.md",
  "docs/requirements.md",
  "docs/runs.md",
  "docs/troubleshooting.md",
  "docs/why.md",
];

Deno.test("the generated pages are up to date (deno task docs)", async () => {
  expectNone((await findStalePages()).map(({ path }) => path), "Run `deno task docs`.");
});

Deno.test("findStalePages() names a page that was edited or is missing", async () => {
  const root = await Deno.makeTempDir();
  try {
    for (const page of PAGES) {
      await Deno.mkdir(dirname(join(root, page.path)), { recursive: true });
      await Deno.writeTextFile(join(root, page.path), await page.render());
    }
    deepEqual(await findStalePages(root), []);
    const [edited, missing] = PAGES;
    ok(edited !== undefined && missing !== undefined);
    await Deno.writeTextFile(join(root, edited.path), `${await edited.render()}x`);
    await Deno.remove(join(root, missing.path));
    deepEqual((await findStalePages(root)).map(({ path }) => path), [edited.path, missing.path]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("each hand-written page exists, and its relative links lead somewhere", async () => {
  const broken: string[] = [];
  for (const path of [...WRITTEN, ...await listDecisions()]) {
    const text = await Deno.readTextFile(join(ROOT, path));
    match(text, /^# \S/, `${path} opens with a title`);
    for (const target of toLinks(text)) {
      const found = await Deno.stat(join(ROOT, path, "..", target)).catch(() => null);
      if (found === null) broken.push(`${path} → ${target}`);
    }
  }
  expectNone(broken, "Correct the link.");
});

Deno.test("README.md fits on one screen and names the two commands of a fresh machine", async () => {
  const text = await Deno.readTextFile(join(ROOT, "README.md"));
  ok(text.split("\n").length <= 100, "at most 100 lines");
  for (const task of ["demo", "test"]) {
    match(text, new RegExp(`npx -y deno@2\\.9\\.6 task ${task}`));
  }
});

Deno.test("figures of README.md and docs/why.md stand in the page that their row names", async () => {
  const texts = new Map<string, string>();
  const read = async (path: string) => {
    const known = texts.get(path) ?? await Deno.readTextFile(join(ROOT, path));
    texts.set(path, known);
    return known;
  };
  const missing: string[] = [];
  for (const path of ["README.md", "docs/why.md"]) {
    for (const line of (await read(path)).split("\n")) {
      const [, page] = /\]\((?:docs\/)?(\w+\.md)\)/.exec(line) ?? [];
      if (page === undefined) continue;
      const facts = await read(`docs/${page}`);
      for (const [, decimals] of line.matchAll(/(?<!\d)0?\.(\d{2,})\b/g)) {
        if (!new RegExp(`(?<!\\d)0?\\.${decimals}|${toPercent(decimals)}`).test(facts)) {
          missing.push(`${path}: .${decimals} is not in ${page}`);
        }
      }
    }
  }
  expectNone(missing, "Name it on the page, or take it out of the code.");
});

/** A share of 1 as pages with percentages write it: `.935` as 93.5 %. */
function toPercent(decimals: string | undefined): string {
  return String(Number(`0.${decimals}`) * 100).slice(0, 5).replace(".", "\\.") + "\\d* %";
}

Deno.test("every npm package of deno.json has its row with its exact version", async () => {
  const { imports } = JSON.parse(await Deno.readTextFile(join(ROOT, "deno.json")));
  const page = await Deno.readTextFile(join(ROOT, "docs/dependencies.md"));
  for (const target of Object.values<string>(imports)) {
    const [, name, version] = /^npm:(@?[^@]+)@(\d+\.\d+\.\d+)(?:\/|$)/.exec(target) ?? [];
    ok(name !== undefined && version !== undefined, `${target} has an exact version`);
    ok(page.includes(`| \`${name}\` | ${version} |`), `${name} ${version} has a row`);
  }
});

Deno.test("docs/troubleshooting.md names codes that the program has", async () => {
  const page = await Deno.readTextFile(join(ROOT, "docs/troubleshooting.md"));
  const code = (await readSourceFiles("src")).map(({ text }) => text).join("\n");
  const named = [...page.matchAll(/^\| ((?:`[a-z_]+`(?:, )?)+) \|/gm)]
    .flatMap((row) => (row[1] ?? "").replaceAll("`", "").split(", "));
  ok(named.length > 10, "the first column names codes");
  expectNone(
    named.filter((name) => !new RegExp(`\\b${name}\\b`).test(code)),
    "Correct the name on the page.",
  );
});

Deno.test("docs/troubleshooting.md explains every row of doctor by its title", async () => {
  const page = await Deno.readTextFile(join(ROOT, "docs/troubleshooting.md"));
  const doctor = await Deno.readTextFile(join(ROOT, "src/project/doctor.ts"));
  const titles = [...doctor.matchAll(/\{ id: "[a-z]+", title: "([^"]+)"/g)].map((row) => row[1]);
  ok(titles.length > 10, "the rows of doctor are found");
  expectNone(
    titles.flatMap((title) => page.includes(`\n| ${title} |`) ? [] : [`${title}`]),
    "Add the row to the page.",
  );
});

Deno.test("decisions are numbered without gaps", async () => {
  const paths = await listDecisions();
  paths.forEach((path, index) => {
    equal(path.slice("docs/decisions/".length, "docs/decisions/".length + 4), toNumber(index + 1));
  });
});

async function listDecisions(): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name } of Deno.readDir(join(ROOT, "docs/decisions"))) {
    paths.push(`docs/decisions/${name}`);
  }
  return paths.sort();
}

function toLinks(text: string): string[] {
  return [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map((found) => found[1] ?? "")
    .filter((target) => !/^[a-z]+:/.test(target));
}

function toNumber(count: number): string {
  return String(count).padStart(4, "0");
}

Deno.test("docs/architecture.md stays on one page, and the functions, folders and features that it names are there", async () => {
  const page = await Deno.readTextFile(join(ROOT, "docs/architecture.md"));
  ok(page.split(/\s+/).length <= 900, "at most 900 words");
  const code = (await readSourceFiles("src")).map(({ text }) => text).join("\n");
  const functions = [...page.matchAll(/`(\w+)\(\)`/g)].map((row) => row[1] ?? "");
  ok(functions.length > 10, "the lines name functions");
  const gone = functions.filter((name) =>
    !new RegExp(`export (?:async )?function ${name}\\b`).test(code)
  );
  const places = [...page.matchAll(/`((?:src|tests)\/[\w/.]+)`/g)].map((row) => row[1] ?? "");
  const exists = (path: string) => Deno.stat(join(ROOT, path)).then(() => true, () => false);
  const missing = (await Promise.all(
    places.filter((path) => !path.includes("NAME")).map(async (path) =>
      await exists(path) ? [] : [path]
    ),
  )).flat();
  const features = (await Array.fromAsync(Deno.readDir(join(ROOT, "src/features"))))
    .flatMap(({ name, isDirectory }) => isDirectory && !page.includes(name) ? [name] : []);
  expectNone(
    [...gone, ...missing, ...features],
    "Correct docs/architecture.md: it is the first page that a newcomer reads.",
  );
});
