/** Expressions of SQLite's full text as PostgreSQL asks them. Pure. */

/** An expression taken apart. */
export interface WordQuery {
  /** The phrases between which `OR` stands, without quotes; a last `*` is kept in `plain` alone. */
  readonly phrases: readonly string[];
  /** The columns as PostgreSQL's weights, `AB`; empty for all. */
  readonly weights: string;
  /** The whole expression word by word, without stems: `'=a':* & 'b'`. */
  readonly plain: string;
}

/** The weight of each column of the full text. */
const WEIGHTS: Readonly<Record<string, string>> = {
  name: "A",
  signature: "B",
  comments: "C",
  body: "D",
};

/** Reads an expression as the questions make them. */
export function parseWordQuery(expression: string): WordQuery {
  const [, columns, rest] = /^\{([a-z ]+)\} : \((.*)\)$/s.exec(expression) ?? [];
  const weights = (columns ?? "").split(" ").map((column) => WEIGHTS[column] ?? "").join("");
  const phrases: string[] = [];
  let plain = "";
  for (const found of (rest ?? expression).matchAll(/"([^"]*)"(\*?)|\b(AND|OR)\b/g)) {
    const [, phrase, star, word] = found;
    if (word !== undefined) plain += word === "AND" ? " & " : " | ";
    else if (phrase !== undefined) {
      phrases.push(phrase);
      plain += `${quote(phrase)}${star === "*" ? ":*" : ""}`;
    }
  }
  return { phrases, weights, plain };
}

/** Any of the queries, in texts that have one word besides. */
export function bindQuery(queries: readonly string[], word: string): string {
  return queries.length === 0 ? "" : `${quote(word)} & (${queries.join(" | ")})`;
}

/** A word as it stands in a query or a vector. */
export function quote(word: string): string {
  return `'${word.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

/**
 * Words as PostgreSQL's stemmer has to get them. It makes `a` of `as`, where SQLite's leaves words of two letters alone;
 * no stemmer takes anything from a word that ends with a digit.
 */
export function keepStemmable(words: string): string {
  return words.replaceAll(/(?<![^ ])([a-z])s(?![^ ])/g, "$1s0");
}
