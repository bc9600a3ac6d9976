/** The first sentence of a comment or doc string, without the signs that make it one. Pure. */

const MAX_CHARS = 200;

/** First sentence of comment lines or of a doc string; empty where there is none. */
export function toDocSentence(text: string): string {
  // A doc comment longer than this has its first sentence before.
  const lines = text.slice(0, 4_000).split(/\r?\n/).map(cleanLine);
  const words: string[] = [];
  for (const line of lines) {
    if (line === "" || /^[@\\:](?:\w+)/.test(line) || /^[-=*#~_/]+$/.test(line)) {
      if (words.length > 0) break;
      continue;
    }
    words.push(line);
    if (/[.!?。！？]$/.test(line)) break;
  }
  const plain = words.join(" ").replace(/<\/?\w+>/g, "").replace(/\s+/g, " ").trim();
  const end = /[.!?](?=\s+[\p{Lu}<{`"'(])|[。！？]/u.exec(plain);
  const sentence = end === null ? plain : plain.slice(0, end.index + 1);
  return sentence.length > MAX_CHARS ? `${sentence.slice(0, MAX_CHARS - 1)}…` : sentence;
}

function cleanLine(line: string): string {
  return line
    .trim()
    .replace(
      /^(?:[rRbBuUfF]{0,2}(?:"""|'''|["'])|\/\*+!?|\/{2,}!?|<!--|\{-+\s*\|?|--+\s*[|^]?|#+!?|%+|;+)/,
      "",
    )
    .replace(/(?:"""|'''|["']|\*+\/|-->|-+\})$/, "")
    .replace(/^\s*\*+(?!\*)/, "")
    .replace(/^<summary>|<\/summary>$/g, "")
    .trim();
}
