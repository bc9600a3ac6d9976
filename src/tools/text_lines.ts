/** How entries of replies are printed as lines for people and pipes. */

/** The fields of an entry. */
export type Fields = Readonly<Record<string, unknown>>;

/** Colours a text where the terminal shows colours. */
export type Paint = (text: string, colour: "path" | "faint") => string;

/** A place as all output prints it: `src/a.ts:42: text`. */
export function toPlaceLine(entry: Fields, paint: Paint, text: unknown): string {
  const line = entry["line"] === undefined ? "" : `:${entry["line"]}`;
  return `${paint(`${entry["path"] ?? entry["file"]}${line}`, "path")}: ${text}`;
}

/** A definition with its kind, signature and scope. */
export function toSymbolText(entry: Fields): string {
  const scope = entry["scope"] === undefined ? "" : ` in ${entry["scope"]}`;
  return `${entry["kind"]} ${entry["name"]}${entry["signature"] ?? ""}${scope}`;
}
