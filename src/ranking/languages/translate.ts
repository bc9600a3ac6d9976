/**
 * Words of a question in Japanese, Chinese or Korean as the English words that code uses: by a table, and loan words that
 * the table lacks by their sound, among the words that the repository itself has. Pure.
 */
import type { Glossary } from "./glossary.ts";
import { readChinese, readKorean, simplify } from "./glossary.ts";
import { readGlossary } from "./glossary_ja.ts";

/** A question as far as it can be put into English. */
export interface Translation {
  /** English words of each word that is known, in the order of the question. */
  readonly terms: readonly (readonly string[])[];
  /** Loan words in katakana or Hangul that the table does not have. */
  readonly unknown: readonly string[];
  /** The question in English words, as far as it goes; loan words that nobody knows stand as they are. */
  readonly english: string;
  /** The share of its kanji, katakana and Hangul that became words, 0 to 1. */
  readonly coverage: number;
}

/** A piece of a question. */
interface Piece {
  readonly text: string;
  /** Its English words, none where it says nothing; null where nobody knows it. */
  readonly words: readonly string[] | null;
  /** How many characters of the question are known by it. */
  readonly known: number;
}

type Cut = (run: string, glossary: Glossary) => readonly Piece[];

const KANA = /[\u3041-\u30fa]/u;
const HANGUL = /[\uac00-\ud7a3]/u;
const KATAKANA = /[\u30a1-\u30f6\u30fc]+/gu;
const MEANINGFUL = /[\u30a1-\u30f6\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]/gu;
const RUN = /[\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+|[\uac00-\ud7a3]+|[A-Za-z0-9_$]+/gu;
const IS_KATAKANA = /^[\u30a1-\u30f6\u30fc]+$/u;
const MAX_KEY_CHARS = 12;
// Shorter rests are endings of other words.
const MIN_UNKNOWN_CHARS = 3;

/**
 * Takes a question apart by the table of its language. Without kana or Hangul that is the one of Japanese or
 * Chinese that knows more of it.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { translate } from "./translate.ts";
 * deepEqual(translate("JSONの解析").terms, [["JSON"], ["parse", "parser", "analyze"]]);
 * deepEqual(translate("세션을 저장").english, "session store");
 * deepEqual(translate("路由注册").english, "route register");
 * ```
 */
export function translate(question: string): Translation {
  const text = question.normalize("NFKC");
  if (HANGUL.test(text)) return takeApart(text, readKorean(), cutHangul);
  const japanese = takeApart(text, readGlossary(), cutJapanese);
  if (KANA.test(text)) return japanese;
  const chinese = takeApart(simplify(text), readChinese(), cutWords);
  return chinese.coverage > japanese.coverage ? chinese : japanese;
}

function takeApart(text: string, glossary: Glossary, cut: Cut): Translation {
  const pieces = (text.match(RUN) ?? []).flatMap((run) =>
    /^[\w$]/.test(run) ? [{ text: run, words: [run], known: 0 }] : cut(run, glossary)
  );
  const known = pieces.reduce((sum, piece) => sum + piece.known, 0);
  const all = text.match(MEANINGFUL)?.length ?? 0;
  return {
    terms: pieces.flatMap(({ words }) => words === null || words.length === 0 ? [] : [words]),
    unknown: pieces.flatMap(({ text: piece, words }) => words === null ? [piece] : []),
    english: pieces.map(({ text: piece, words }) => words === null ? piece : words[0] ?? "")
      .filter((word) => word !== "").join(" "),
    coverage: all === 0 ? 0 : known / all,
  };
}

function buildPiece(text: string, glossary: Glossary): Piece {
  const words = glossary.get(text) ?? null;
  return { text, words, known: words === null ? 0 : text.match(MEANINGFUL)?.length ?? 0 };
}

function cutJapanese(run: string, glossary: Glossary): readonly Piece[] {
  return splitScripts(run).flatMap((part) =>
    IS_KATAKANA.test(part)
      ? splitLoans(part, glossary).map((piece) => buildPiece(piece, glossary))
      : cutWords(part, glossary)
  );
}

/** Katakana stands for itself: what goes on in kanji or hiragana is another word. */
function splitScripts(run: string): string[] {
  const parts: string[] = [];
  let at = 0;
  for (const { 0: loan, index } of run.matchAll(KATAKANA)) {
    if (index > at) parts.push(run.slice(at, index));
    parts.push(loan);
    at = index + loan.length;
  }
  if (at < run.length) parts.push(run.slice(at));
  return parts;
}

/** The longest word of the table that a text begins with; empty when there is none. */
function takeLongest(text: string, glossary: Glossary): string {
  let length = Math.min(MAX_KEY_CHARS, text.length);
  while (length > 0 && !glossary.has(text.slice(0, length))) length--;
  return text.slice(0, length);
}

/** The longest words of the table from left to right; what it does not have is passed over. */
function cutWords(text: string, glossary: Glossary): Piece[] {
  const found: Piece[] = [];
  for (let at = 0; at < text.length;) {
    const word = takeLongest(text.slice(at), glossary);
    if (word !== "") found.push(buildPiece(word, glossary));
    at += Math.max(1, word.length);
  }
  return found;
}

// What stands behind a word of one syllable; before anything else the syllable is part of another word.
const ENDINGS =
  /^(?:은|는|이|가|을|를|의|에|에서|에게|로|으로|와|과|도|만|부터|까지|들|별|마다|기|고|지|아|어|면|며|음|는지|는가|한|할)*$/u;
const PARTICLE = /(?:에서|에게|으로|부터|까지|은|는|이|가|을|를|의|에|로|와|과|도|만|들)$/u;

/** The words of the table that a word of a sentence begins with; what follows are particles and endings. */
function cutHangul(run: string, glossary: Glossary): readonly Piece[] {
  const found: Piece[] = [];
  for (let rest = run; rest !== "";) {
    const word = takeLongest(rest, glossary);
    const isWord = word.length > 1 ||
      word !== "" && found.length === 0 && ENDINGS.test(rest.slice(word.length));
    if (!isWord) break;
    found.push({ ...buildPiece(word, glossary), known: found.length === 0 ? run.length : 0 });
    rest = rest.slice(word.length);
  }
  if (found.length > 0) return found;
  // A loan word may end as a particle does.
  return [...new Set([run.replace(PARTICLE, ""), run])]
    .filter((text) => text.length >= MIN_UNKNOWN_CHARS)
    .map((text) => ({ text, words: null, known: 0 }));
}

interface Split {
  readonly cost: number;
  readonly pieces: readonly string[];
}

// Few long words are likelier than many short ones, and a word that is not known than two rests of one.
const COST_OF_WORD = 0.1;
const COST_OF_SHORT_WORD = 2.1;
const COST_OF_REST = 3;

/** Cuts a run of katakana so that the table covers as much as it can; the rests are in it as they are. */
function splitLoans(run: string, glossary: Glossary): readonly string[] {
  const best: Split[] = [{ cost: 0, pieces: [] }];
  for (let end = 1; end <= run.length; end++) {
    const splits = best.map((before, start): Split => {
      const piece = run.slice(start, end);
      const word = findKnown(piece, glossary);
      if (word !== null) {
        const cost = word.length < MIN_UNKNOWN_CHARS ? COST_OF_SHORT_WORD : COST_OF_WORD;
        return { cost: before.cost + cost, pieces: [...before.pieces, word] };
      }
      const isWord = piece.length >= MIN_UNKNOWN_CHARS;
      return {
        cost: before.cost + piece.length + COST_OF_REST,
        pieces: isWord ? [...before.pieces, piece] : before.pieces,
      };
    });
    best.push(splits.reduce((one, other) => other.cost < one.cost ? other : one));
  }
  return best.at(-1)?.pieces ?? [];
}

function findKnown(piece: string, glossary: Glossary): string | null {
  if (glossary.has(piece)) return piece;
  const short = piece.replace(/\u30fc$/, "");
  return short !== piece && glossary.has(short) ? short : null;
}
