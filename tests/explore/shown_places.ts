/** Which places of an answer name something that their line does not hold. */
import { join } from "node:path";
import type { Found } from "../../src/explore/explorer.ts";

/** A line that an answer names, with what it says stands there. */
export interface ShownPlace {
  readonly path: string;
  readonly line: number;
  readonly name: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Every place of an answer of the explorer, the search by meaning or the impact analysis. */
export function listShown(answer: Found | Fields, asked: string): readonly ShownPlace[] {
  const fields = answer as Fields;
  const list = (key: string) => (Array.isArray(fields[key]) ? fields[key] : []) as Fields[];
  const toPlace = (place: Fields, name: unknown): ShownPlace => ({
    path: String(place["path"]),
    line: Number(place["line"]),
    name: String(name),
  });
  return [
    ...["definitions", "symbols", "nearest"].flatMap(list)
      .map((place) => toPlace(place, place["name"])),
    ...list("references").flatMap((place) => [
      toPlace(place, asked),
      ...place["definedAt"] === undefined ? [] : [toTarget(String(place["definedAt"]), asked)],
    ]),
    ...list("matches").map((place) => toPlace(place, asked)),
    ...[fields["definition"] as Fields | undefined].flatMap((place) =>
      place === undefined ? [] : [toPlace(place, place["name"])]
    ),
    ...list("files").flatMap((file) => [
      ...(file["edges"] as Fields[] | undefined ?? []).map((edge) => toPlace(edge, asked)),
      ...(file["symbols"] as string[] | undefined ?? []).flatMap((text) => toOutline(file, text)),
    ]),
    ...list("hits").flatMap((hit) => toContent(hit)),
    ...list("results").filter(({ line }) => Number(line) > 0)
      .flatMap((place) =>
        place["symbol"] === undefined ? [] : [
          toPlace(place, String(place["symbol"]).split(".").at(-1)),
        ]
      ),
  ];
}

/** Those of the places whose line does not hold the name now. */
export function findWrong(root: string, places: readonly ShownPlace[]): readonly string[] {
  return places.flatMap(({ path, line, name }) => {
    const text = readLine(root, path, line);
    return text?.includes(name) === true ? [] : [`${path}:${line} ${name}: ${text ?? "gone"}`];
  });
}

function readLine(root: string, path: string, line: number): string | undefined {
  try {
    return Deno.readTextFileSync(join(root, path)).split("\n")[line - 1];
  } catch {
    return undefined;
  }
}

function toTarget(text: string, name: string): ShownPlace {
  const at = text.lastIndexOf(":");
  return { path: text.slice(0, at), line: Number(text.slice(at + 1)), name };
}

/** `function login:3` of a folder's structure. */
function toOutline(file: Fields, text: string): readonly ShownPlace[] {
  const found = /^\S+ (.+):(\d+)$/.exec(text);
  return found === null
    ? []
    : [{ path: String(file["path"]), line: Number(found[2]), name: found[1] ?? "" }];
}

/** The lines of a hit, each of which has to stand where the hit says. */
function toContent(hit: Fields): readonly ShownPlace[] {
  const first = Number(hit["contentLine"] ?? hit["startLine"]);
  const lines = String(hit["content"] ?? "").replace(/\n…$/, "").split("\n");
  return lines.map((name, at) => ({ path: String(hit["path"]), line: first + at, name }));
}
