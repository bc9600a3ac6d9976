/** Documents that mention what changes, with the lines that do, and the words of a change that they are searched for. */
import { fileStem } from "./naming.ts";
import { getOrInsert } from "../base/once.ts";
import { clip } from "../base/text/clip.ts";
import type { TextSearchContext } from "../backends/live_context.ts";
import { runText } from "../backends/live_context.ts";
import { cutLine } from "../backends/text_query.ts";
import type { SourceRoot } from "../base/files/source_text.ts";
import { readProjectSource } from "../base/files/source_text.ts";
import type { DocumentPatterns } from "../base/text/document_files.ts";
import { blankOwnBlock, compileDocumentTest } from "../base/text/document_files.ts";
import { isMarked, PLAIN_WORD } from "../explore/names/text_mentions.ts";

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
 * import { chooseKeywords } from "./documents.ts";
 * const text = "Rename `login` of AuthService when the token expires";
 * const found = chooseKeywords(text, { targets: ["src/auth_service.ts"], symbols: ["AuthService.login"] });
 * deepEqual(found.map(({ word }) => word), ["login", "AuthService", "token", "expires", "auth_service"]);
 * deepEqual(found.filter(({ isPlainName }) => isPlainName).map(({ word }) => word), ["login"]);
 * ```
 */
export function chooseKeywords(
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
  const stems = targets.map(fileStem).filter((stem) =>
    stem.length >= MIN_CHARS && stem !== "index"
  );
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
    isPlainName: ofCode.has(word) && PLAIN_WORD.test(word),
    isProse: !named.has(word),
    isPlainFile: ofFiles.has(word) && PLAIN_WORD.test(word),
  }));
}

/** One document. */
export interface DocumentMention {
  readonly file: string;
  readonly matchCount: number;
  readonly keywords: readonly string[];
  readonly sampleLines: readonly {
    readonly line: number;
    readonly content: string;
    readonly keyword: string;
  }[];
}

const MAX_FILES = 20;
const MAX_SAMPLES = 3;
const SAMPLE_CHARS = 80;
const MAX_MATCHES = 2_000;
/** A word of the description in more of the documents than this says nothing of any of them. */
const MAX_SHARE = 0.25;
const MIN_COMMON = 4;
/** Documents that only have words of the description have to say at least this part of what the best one does. */
const MIN_WEIGHT = 0.5;

/** Texts of the program itself: its folder, and the skills that a set-up writes. */
const OWN = /^\.code-intel\/|^\.(?:claude|agents)\/skills\/(?:code|exp|outcome)\/SKILL\.md$/;
/** Files that may have a block of the program. */
const INSTRUCTIONS = /(?:^|\/)(?:AGENTS|CLAUDE)(?:\.\w+)?\.md$/i;

/** Searches the documents for keywords, whatever their case; those with the rarest keywords first. */
export async function findDocumentMentions(
  context: TextSearchContext,
  input: {
    readonly files: readonly string[];
    readonly keywords: readonly Keyword[];
    readonly patterns: DocumentPatterns;
    /** Whether a keyword counts only as it is written, and not as a part of a longer name. */
    readonly isWhole?: boolean;
    readonly signal?: AbortSignal;
  },
): Promise<readonly DocumentMention[]> {
  const { keywords, patterns, isWhole = false, signal } = input;
  const { test } = compileDocumentTest(patterns);
  const files = input.files.filter((path) => test(path) && !OWN.test(path));
  if (files.length === 0 || keywords.length === 0) return [];
  const query = {
    patterns: keywords.map(({ word }) => word),
    fixed: true,
    caseSensitive: isWhole,
    wholeWord: isWhole,
    contextLines: 0,
  };
  const { result } = await runText(context, query, {
    files,
    offset: 0,
    maxResults: MAX_MATCHES,
    ...(signal === undefined ? {} : { signal }),
  });
  if (result.kind === "refused") return [];
  const lines = result.matches.flatMap(({ path, line, text, matched, ranges }): Mention[] => {
    const used = (matched ?? [0]).flatMap((at) => keywords[at] ?? [])
      .filter(({ word, isPlainName, isPlainFile }) =>
        isPlainFile ? isNamedFile(text, word) : !isPlainName || isMarked(text, word)
      );
    return used.length === 0 ? [] : [{ path, line, text: cutLine(text, ranges).text, used }];
  });
  const own = await dropOwnBlocks(context, lines);
  return rankMentions(dropCommon(own, files.length), keywords);
}

/** One line of a document with the keywords that it mentions. */
interface Mention {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly used: readonly Keyword[];
}

/** The lines without words of the description that stand in many of the documents. */
function dropCommon(lines: readonly Mention[], documents: number): readonly Mention[] {
  const files = new Map<string, Set<string>>();
  for (const { path, used } of lines) {
    for (const { word } of used) getOrInsert(files, word, () => new Set<string>()).add(path);
  }
  const most = Math.max(MIN_COMMON, MAX_SHARE * documents);
  const isTelling = ({ word, isProse }: Keyword) =>
    !isProse || (files.get(word)?.size ?? 0) <= most;
  return lines.map((line) => ({ ...line, used: line.used.filter(isTelling) }))
    .filter(({ used }) => used.length > 0);
}

/** The documents, those with the rarest keywords first: a word that stands everywhere tells little of any. */
function rankMentions(
  lines: readonly Mention[],
  keywords: readonly Keyword[],
): readonly DocumentMention[] {
  const counts = new Map<string, number>();
  for (const { used } of lines) {
    for (const { word } of used) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const found = [...Map.groupBy(lines, ({ path }) => path)].map(([file, own]) => {
    const used = new Set(own.flatMap((line) => line.used));
    const words = keywords.filter((keyword) => used.has(keyword)).map(({ word }) => word);
    const weight = words.reduce((sum, word) => sum + 1 / Math.sqrt(counts.get(word) ?? 1), 0);
    const sampleLines = own.slice(0, MAX_SAMPLES).map(({ line, text, used: [first] }) => ({
      line,
      content: clip(text.trim(), SAMPLE_CHARS),
      keyword: first?.word ?? "",
    }));
    const isNamed = [...used].some(({ isProse }) => !isProse);
    const mention = { file, matchCount: own.length, keywords: words, sampleLines };
    return { weight, isNamed, mention };
  });
  const least = MIN_WEIGHT * Math.max(0, ...found.map(({ weight }) => weight));
  return found.filter(({ isNamed, weight }) => isNamed || weight >= least).sort((a, b) =>
    b.weight - a.weight || b.mention.matchCount - a.mention.matchCount ||
    (a.mention.file < b.mention.file ? -1 : 1)
  ).slice(0, MAX_FILES).map(({ mention }) => mention);
}

/** Whether a line has a word as the name of a file or module: `src/core`, `app.core`, `core.ts`, and no `core.run()`. */
function isNamedFile(text: string, word: string): boolean {
  return new RegExp(`\\w(?:[./\\\\]|::)${word}(?![\\w-])|(?<![\\w-])${word}\\.\\w{1,4}(?![\\w(.])`)
    .test(text);
}

/** Leaves out the lines of the block that a set-up wrote into the instructions of the agent. */
async function dropOwnBlocks(
  place: SourceRoot,
  lines: readonly Mention[],
): Promise<readonly Mention[]> {
  const kept: Mention[] = [];
  for (const [path, own] of Map.groupBy(lines, (line) => line.path)) {
    const text = INSTRUCTIONS.test(path) ? await readProjectSource(place, path) : undefined;
    const rest = text === undefined ? null : blankOwnBlock(text).split(/\r?\n/);
    kept.push(...own.filter(({ line }) => rest?.[line - 1] !== ""));
  }
  return kept;
}
