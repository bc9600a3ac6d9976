/** The scripts inside of pages and components. Pure. */

/** A script between its tags. */
export interface EmbeddedScript {
  /** Name of its language: that of the tag, or `js`. */
  readonly language: string;
  /** The script alone. */
  readonly text: string;
  /** The script in its place, with blanks for all other characters, so that lines and offsets stay. */
  readonly padded: string;
  /** Its first and last line, counted from 1. */
  readonly first: number;
  readonly last: number;
}

/** Every script of a text that is not empty, in order. */
export function listScripts(text: string): readonly EmbeddedScript[] {
  return [...text.matchAll(/(<script\b[^>]*>)([\s\S]*?)<\/script\s*>/gi)].flatMap((match) => {
    const [, tag = "", script = ""] = match;
    if (script.trim() === "") return [];
    const start = match.index + tag.length;
    const before = text.slice(0, start);
    const first = before.split("\n").length;
    const blank = (part: string) => part.replaceAll(/[^\n]/g, " ");
    return [{
      language: /\blang\s*=\s*["']?(ts|tsx)\b/.exec(tag)?.[1] ?? "js",
      text: script,
      padded: `${blank(before)}${script}${blank(text.slice(start + script.length))}`,
      first,
      last: first + script.split("\n").length - 1,
    }];
  });
}
