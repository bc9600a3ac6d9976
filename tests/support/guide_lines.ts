/** Reads command lines, and what they are shown to print, out of Markdown pages. */

/** A command with the lines that the page shows below it. */
export interface Transcript {
  /** The line without its `$`. */
  readonly line: string;
  /** Lines of its output; `…` stands for what was left out. */
  readonly shown: readonly string[];
}

/** Every `code-intel …` of a page: in its code blocks, and between backticks in the text. */
export function toCommandLines(text: string): readonly string[] {
  const [prose, blocks] = split(text);
  const inline = [...prose.matchAll(/`(code-intel [^`]+)`/g)].map((found) => found[1] ?? "");
  const typed = blocks.flatMap((block) =>
    block.split("\n").flatMap((line) => /^(?:\$ )?(code-intel .+)$/.exec(line)?.[1] ?? [])
  );
  return [...inline, ...typed].map((line) => line.replace(/ {2,}[#(].*$/, "").trim())
    .filter((line) => !/[…|<>]/.test(line));
}

/** The transcripts of a page, in order: lines that begin with `$ code-intel` and their output. */
export function toTranscripts(text: string): readonly Transcript[] {
  const [, blocks] = split(text);
  return blocks.flatMap((block) =>
    block.split(/^\$ /m).slice(1).map((part) => {
      const [line = "", ...shown] = part.trimEnd().split("\n");
      return { line, shown };
    })
  ).filter(({ line }) => line.startsWith("code-intel "));
}

/** Words as a shell takes them, as far as the pages need it: quotes and blanks. */
export function splitWords(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
    .map(([, double, single, bare]) => double ?? single ?? bare ?? "");
}

/** Whether an output has the shown lines in their order; `…` in a line stands for any text. */
export function findMissing(output: string, shown: readonly string[]): string | null {
  const lines = output.split("\n");
  let at = 0;
  for (const line of shown.filter((text) => text.trim() !== "…" && text.trim() !== "")) {
    const pattern = new RegExp(
      `^${line.split("…").map((part) => RegExp.escape(part)).join(".*")}$`,
    );
    const found = lines.findIndex((each, index) => index >= at && pattern.test(each));
    if (found < 0) return line;
    at = found + 1;
  }
  return null;
}

function split(text: string): readonly [prose: string, blocks: readonly string[]] {
  const parts = text.split(/^```.*$/m);
  return [
    parts.filter((_, index) => index % 2 === 0).join("\n"),
    parts.filter((_, index) => index % 2 === 1),
  ];
}
