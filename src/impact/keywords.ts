/** What to look for in documents: the words of a change, likeliest first, in English and Japanese. Pure. */
import { toStem } from "./file_stem.ts";

/** What documents are searched for. */
export interface Keyword {
  readonly word: string;
  /** A name of code that is an ordinary word as well: prose that uses the word does not mention the code. */
  readonly isPlainName: boolean;
  /** A word of the description that is neither quoted nor a name: that documents have it says little. */
  readonly isProse: boolean;
  /** The name of a changed file that is an ordinary word: only a path or a module mentions the file. */
  readonly isPlainFile: boolean;
}

const MAX_KEYWORDS = 10;
const MIN_CHARS = 4;
const MIN_NAME_CHARS = 3;
/** A name without capitals inside, signs or digits reads as a word. */
const PLAIN = /^[A-Za-z][a-z]*$/;
const QUOTED =
  /`([^`\n]{2,80})`|"([^"\n]{2,80})"|'([^'\n]{2,80})'|「([^」\n]{1,80})」|『([^』\n]{1,80})』/g;
const NAME = /[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)*/g;
/** Runs of one script: what stands between particles. */
const JAPANESE = /[\u4E00-\u9FFF\u3005]{2,}|[\u30A1-\u30FA\u30FC]{3,}/gu;
const STOP = new Set(
  ("this that these those with from into onto when where which while after before then than also only must should would could " +
    "will shall have been being more most some such each every other another make makes made change changes changed changing " +
    "update updates updated updating fix fixes fixed fixing remove removes removed removing delete rename rename renames renamed renaming add adds " +
    "added adding use uses used using file files code function functions class classes method methods line lines name names " +
    "value values type types test tests instead about there their them they what does done return returns need needs")
    .split(" "),
);
const STOP_JA = new Set(
  ("変更 修正 追加 削除 更新 対応 実装 処理 機能 場合 必要 使用 利用 確認 設定 問題 関数 変数 クラス メソッド ファイル コード テスト エラー データ")
    .split(" "),
);

/**
 * At most ten keywords: quoted text, then names and words of the description, then the symbols that change
 * and the names of their files.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { toKeywords } from "./keywords.ts";
 * const text = "Rename `login` of AuthService when the token expires";
 * const found = toKeywords(text, { targets: ["src/auth_service.ts"], symbols: ["AuthService.login"] });
 * deepEqual(found.map(({ word }) => word), ["login", "AuthService", "token", "expires", "auth_service"]);
 * deepEqual(found.filter(({ isPlainName }) => isPlainName).map(({ word }) => word), ["login"]);
 * ```
 */
export function toKeywords(
  description: string,
  { targets, symbols }: {
    readonly targets: readonly string[];
    readonly symbols: readonly string[];
  },
): readonly Keyword[] {
  const matches = [...description.matchAll(QUOTED)];
  const quoted = matches.map((match) => match.slice(1).find((part) => part !== undefined) ?? "");
  const marked = matches.flatMap(([, code]) => code ?? []);
  const rest = description.replace(QUOTED, " ");
  const names = rest.match(NAME) ?? [];
  const isCode = (name: string) => /[a-z][A-Z]|_|\.|::|->|^[A-Z]{2,}/.test(name);
  const words = names.filter((name) => name.length >= MIN_CHARS && !STOP.has(name.toLowerCase()));
  const japanese = (rest.match(JAPANESE) ?? []).filter((word) => !STOP_JA.has(word));
  const stems = targets.map(toStem).filter((stem) => stem.length >= MIN_CHARS && stem !== "index");
  const members = symbols.map((name) => name.slice(name.lastIndexOf(".") + 1))
    .filter((name) => name.length >= MIN_NAME_CHARS);
  const all = [...quoted, ...words.filter(isCode), ...words, ...japanese, ...members, ...stems];
  const asWords = new Set([...quoted.filter((one) => !marked.includes(one)), ...words]);
  const ofCode = new Set([...marked, ...members, ...stems].filter((name) => !asWords.has(name)));
  const ofFiles = new Set(stems).difference(new Set([...asWords, ...marked, ...members]));
  const named = new Set([...quoted, ...words.filter(isCode), ...members, ...stems]);
  const seen = new Set<string>();
  return all.filter((word) => {
    const key = word.trim().toLowerCase();
    if (key === "" || seen.has(key)) return false;
    seen.add(key);
    return true;
  }).slice(0, MAX_KEYWORDS).map((word) => ({
    word,
    isPlainName: ofCode.has(word) && PLAIN.test(word),
    isProse: !named.has(word),
    isPlainFile: ofFiles.has(word) && PLAIN.test(word),
  }));
}
