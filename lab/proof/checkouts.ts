/**
 * The table of clean checkouts: repositories with a command in `.code-intel/config.json`, and how a clean checkout of each works.
 * Rows are printed as they are made, and kept as JSON where a folder is named.
 */
import { join } from "node:path";
import { fillPage, toTable } from "../../tools/docs/markdown.ts";
import { describePlace, keep, print, readIfThere, REPOSITORY } from "../harness/run.ts";
import type { TriedCheckout } from "./try_checkout.ts";
import { tryCheckout } from "./try_checkout.ts";

/** Tries each repository, or each one in a folder of them; writes docs/checkouts.md where that is asked. */
export async function tryCheckouts(
  folders: readonly string[],
  { kept, docs }: { readonly kept?: string | undefined; readonly docs?: boolean | undefined },
): Promise<void> {
  const rows: TriedCheckout[] = [];
  for (const dir of (await Promise.all(folders.map(listRepositories))).flat()) {
    const name = dir.replace(/^.*\//, "");
    const row = await keep(kept && join(kept, `${name}.json`), () => tryCheckout(dir));
    rows.push(row);
    print([row.outcome, ...describeRow(row)].join(" | "));
  }
  for (const line of formatShares(rows)) print(line);
  if (docs !== true) return;
  const template = await Deno.readTextFile(new URL("checkouts.md", import.meta.url));
  const sorted = rows.toSorted((a, b) => a.language.localeCompare(b.language));
  const [left, counted] = [sorted.filter(isLeft), sorted.filter((row) => !isLeft(row))];
  const page = fillPage(template, {
    place: await describePlace(),
    shares: formatShares(rows).map((line) => `- ${line}`).join("\n"),
    rows: toTable(["project", "language", "command", "how", "worktree", "first", "next"], [
      ...counted.map(describeRow),
    ]),
    left: left.map(({ name, command, how }) => `- ${name} (\`${command}\`): ${how}`).join("\n") ||
      null,
  });
  await Deno.writeTextFile(join(REPOSITORY, "docs", "checkouts.md"), page);
}

async function listRepositories(folder: string): Promise<readonly string[]> {
  const isOne = async (dir: string) =>
    await readIfThere(join(dir, ".code-intel/config.json")) !== null;
  if (await isOne(folder)) return [folder];
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
  const found = await Promise.all(names.map(async (name) => {
    const dir = join(folder, name);
    return await isOne(dir) ? [dir] : [];
  }));
  return found.flat();
}

const isLeft = ({ outcome }: TriedCheckout) => outcome === "no run";

function describeRow({ name, language, command, outcome, how, seconds }: TriedCheckout) {
  const said = outcome === "works" ? how === "" ? "clean" : how : `**${outcome}** ${how}`;
  return [name, language, command, said, ...seconds.map((one) => one === 0 ? "" : `${one} s`)];
}

function formatShares(rows: readonly TriedCheckout[]): readonly string[] {
  const counted = rows.filter((row) => !isLeft(row));
  const good = counted.filter(({ outcome }) => outcome === "works");
  const languages = new Set(counted.map(({ language }) => language));
  const share = counted.length === 0 ? 0 : good.length / counted.length;
  return [
    `a clean checkout works: ${good.length} of ${counted.length} (${share.toFixed(2)}) in ` +
    `${languages.size} languages, aim 0.95`,
    `with nothing of what git ignores but dependencies: ${
      good.filter(({ how }) => how === "").length
    }`,
    `not even the worktree runs, not counted: ${rows.length - counted.length}`,
  ];
}
