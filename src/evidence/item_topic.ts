/**
 * What an item of a plan is about, by its words: documents, or the place and look of code. It decides whether a
 * comment or moved lines can be the work of the item. Pure.
 */
import type { ProjectPath } from "../base/paths.ts";
import { anyOf } from "../base/text/any_of.ts";

/** What the words of a report, of its task and of the project's rules say. */
export interface ItemTopic {
  /** Whether comments and other documentation are the work. */
  readonly isDocuments: boolean;
  /** Whether order, place or look of lines are the work. */
  readonly isLayout: boolean;
}

const DOCUMENTS = anyOf(
  /\b(?:doc[\s-]?strings?|docs?(?:[\s-]?(?:comments?|blocks?|pages?))?|documentation|doxygen)\b/i,
  /\b(?:(?:java|js|ts|rust|go|php|py|k|x)docs?|readme|changelogs?|tutorials?|typos?|spelling|undocumented)\b/,
  /\b(?:comments?|(?:un)?commented|commenting|annotations? for readers|explain\w*|(?:file|source) headers?)\b/,
  /\b(?:licen[cs]es?|licen[cs]ing|copyright|spdx|version(?:changed|added)|deprecat\w+)\b/,
  /(?:^|[.;:,]\s*|\b(?:and|then|also|to|please|must|should|is|are|be)\s+)document(?:s|ed|ing)?\b/,
  /\bdocument(?:s|ed|ing)?\s+(?:the|what|how|why|when|that|this|its|each|every|all|public|`)/,
  /コメント|ドキュメント|文書|説明|注釈|ライセンス|著作権|注释|文档|许可/,
  /\b(?:Kommentar\w*|Dokumentation|dokumentier\w*|Lizenz\w*|commentaires?|documenter)\b/,
  /\b(?:comentarios?|documentaci[oó]n|documentar|licencias?)\b/,
);
const LAYOUT = anyOf(
  /\b(?:mov(?:e[ds]?|ing)|relocat\w+|(?:re-?)?order(?:s|ed|ing)?|sort(?:s|ed|ing)?|swap\w*|unwrap\w*)\b/iu,
  /\b(?:before|after|earlier|later|first|last|(?:re-?)?(?:indent|format|group|arrang|nest|wrap|align)\w*)\b/,
  /\b(?:white-?spaces?|line (?:ends?|endings?|breaks?|lengths?)|crlf|trailing|tabs?|spaces?|blank)\b/,
  /\b(?:styles?|lint\w*|tid(?:y|ies|ied)|clean\w*|refactor\w*|renam\w*|naming|simplif\w*|readab\w*)\b/,
  /\b(?:parenthes\w*|brackets?|redundan\w+|commut\w*|extract\w*|inlin\w+|hoist\w*|revert\w*|restor\w+)\b/,
  /\b(?:prettier|eslint|rustfmt|gofmt|clippy|ruff|black|dead|unused|unreachable)\b/,
  /移動|並べ|順|整形|字下げ|インデント|フォーマット|空白|改行|改名|リネーム/,
);

/** Files that are there for their documentation alone where they hold nothing else. */
const DOCUMENT_FILES = /(?:^|\/)(?:__init__\.pyi?|package-info\.java|doc\.go)$/;

/**
 * What an item is about.
 *
 * @param texts the item, the description of its task, and the reason that its report gives.
 * @param rules what the project asks of every piece of work.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { readAbout } from "./item_topic.ts";
 * deepEqual(readAbout(["Add a docstring to login()"]), { isDocuments: true, isLayout: false });
 * deepEqual(readAbout(["Store each document in the cache"]), { isDocuments: false, isLayout: false });
 * deepEqual(readAbout(["Lock before the file is read"]), { isDocuments: false, isLayout: true });
 * ```
 */
export function readAbout(texts: readonly string[], rules: readonly string[] = []): ItemTopic {
  return {
    isDocuments: [...texts, ...rules].some((text) => DOCUMENTS.test(text)),
    isLayout: texts.some((text) => LAYOUT.test(text)),
  };
}

/** Whether a file is there for documentation where it holds no code. */
export function isDocumentFile(path: ProjectPath): boolean {
  return DOCUMENT_FILES.test(path);
}

/**
 * The files of a project that a text names, by their path or by its end.
 *
 * @param files all files of the project.
 */
export function findNamedFiles(
  text: string,
  files: readonly ProjectPath[],
): readonly ProjectPath[] {
  const names = text.split(/[^\p{L}\p{N}_@+~.[\]/-]+/u)
    .map((name) => name.replace(/^(?:\.?\/)+/, "").replace(/[.:]+$/, ""))
    .filter((name) => /\.[A-Za-z]\w{0,9}$/.test(name));
  if (names.length === 0) return [];
  return files.filter((file) => names.some((name) => file === name || file.endsWith(`/${name}`)));
}

/**
 * Whether a text has to do with a file: it names the file, the word that its name begins with, or a folder above it.
 */
export function mentionsFile(text: string, path: ProjectPath): boolean {
  const parts = path.toLowerCase().split("/");
  const name = parts.at(-1) ?? "";
  const [stem = ""] = name.replace(/^\.+|^tests?_/, "").split(/[._-]?(?:test|spec)?s?\./);
  const lower = text.toLowerCase();
  if (lower.includes(name) || (stem.length > 2 && lower.includes(stem))) return true;
  return parts.slice(0, -1).some((folder) =>
    lower.split(`${folder}/`).slice(1).some((rest) => !/^[\p{L}\p{N}_.@-]/u.test(rest))
  );
}
