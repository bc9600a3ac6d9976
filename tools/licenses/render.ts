/** The file of licences: what is inside, then each text once. */
import { join } from "node:path";
import { COMPILER_VERSION } from "../compile/runtime.ts";
import type { Component } from "./components.ts";
import { listPackages, listRuntime } from "./components.ts";

const RULE = "=".repeat(80);

/** The whole of `THIRD_PARTY_LICENSES`. */
export async function renderLicenses(repository: string): Promise<string> {
  const read = (path: string) => Deno.readTextFile(join(repository, path));
  const components = [
    ...await listRuntime(COMPILER_VERSION),
    ...await listPackages(repository),
  ];
  const rows = components.map(({ name, version, licence }) =>
    `  ${name.padEnd(30)} ${version.padEnd(18)} ${licence}`
  );
  return [
    "code-intel: what it contains of others, and under which licences.",
    "Made by `deno task licenses`; `code-intel licenses` prints it.",
    "",
    "Runtime and packages",
    ...rows,
    "",
    "Grammars: wasm/manifest.json names the package and version of each; the texts are at the end.",
    "Embedding model: multilingual-e5-small, below.",
    ...toTexts(components),
    ...toSection("Embedding model", [
      await read("models/licenses/NOTICE.md"),
      await read("models/licenses/LICENSE.microsoft-unilm-e5"),
    ]),
    ...toSection("Grammars", [await read("wasm/LICENSES.md")]),
  ].join("\n") + "\n";
}

/** Texts that are the same are there once, with all their names. */
function toTexts(components: readonly Component[]): readonly string[] {
  const groups = Map.groupBy(components, ({ text, note }) => text ?? note ?? "");
  return [...groups.values()].flatMap((group) => {
    const title = group.map(({ name, version }) => `${name} ${version}`).join(", ");
    const notes = group.flatMap(({ note }) => note === null ? [] : [note]);
    const text = group[0]?.text ?? null;
    return toSection(title, [...notes, ...(text === null ? [] : [text])]);
  });
}

function toSection(title: string, parts: readonly string[]): readonly string[] {
  const texts = parts.map((part) => part.replaceAll("\r\n", "\n").trimEnd());
  return ["", RULE, title, RULE, "", texts.join("\n\n")];
}
