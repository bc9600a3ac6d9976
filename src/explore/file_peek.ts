/**
 * Reads files for one question, where no index has them. `rg` or the built-in scan finds the files
 * that hold the name. They are analysed as for the index, within a time that no answer exceeds.
 * Files that were not read are reported.
 */
import { formatCount } from "../base/text/plain_text.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { listFilesWithText } from "../backends/live_context.ts";
import { listLeftOutNotices, pickRegularFiles, readSmallText } from "../backends/regular_files.ts";
import { FAMILIES } from "../language/families.ts";
import { languageOfPath } from "../language/languages.ts";
import type { TemporaryIndex } from "../index/index_api.ts";
import type { ExploreOptions, QuestionRefused } from "./explorer.ts";
import type { IndexAccess, QuestionContext, QuestionSource } from "./index_access.ts";
import type { Scope, ScopeInput } from "./scope.ts";
import { resolveScope } from "./scope.ts";

/** How a text is looked for. */
export interface HoldOptions {
  readonly ignoreCase: boolean;
  readonly wholeWord: boolean;
  /** Default all files of the question. */
  readonly files?: readonly string[];
}

/** So many files are read without asking whether they are needed (guessed: 0.3 s). */
const FEW_FILES = 30;

type OpenScope = Extract<Scope, { readonly kind: "scope" }>;

/** Why files are read: what the index says of itself, or null where it was not asked. */
type Reason = IndexAccess | null;

/** The files of one question; nothing is read before {@link add}. Take it with `using`. */
export class LiveFiles implements Disposable {
  /** Regular files of the question, whatever the index knows of them. */
  readonly files: readonly string[];
  readonly #context: QuestionContext;
  readonly #scope: OpenScope;
  readonly #reason: Reason;
  readonly #peek: TemporaryIndex;
  /** Files that the index answers for. */
  readonly #known: ReadonlySet<string>;
  readonly #leftOut: number;
  readonly #signal: { readonly signal?: AbortSignal };
  readonly #spent: Disposable | undefined;
  readonly #endsAt: number;
  readonly #sources = new Set<string>();
  #unlikely = 0;
  /** Files in which one of the names was not looked for. */
  #unsearched = 0;

  private constructor(context: QuestionContext, parts: {
    readonly scope: OpenScope;
    readonly reason: Reason;
    readonly peek: TemporaryIndex;
    readonly known: ReadonlySet<string>;
    readonly options: ExploreOptions;
  }) {
    this.#context = context;
    const { peekMs } = LIMITS;
    this.#endsAt = performance.now() + (context.patience?.limit(peekMs.value) ?? peekMs.value);
    this.#spent = context.patience?.spend();
    this.#scope = parts.scope;
    this.#reason = parts.reason;
    this.#peek = parts.peek;
    this.#known = parts.known;
    const { signal } = parts.options;
    this.#signal = signal === undefined ? {} : { signal };
    const { files, leftOut } = pickRegularFiles(context.projectRoot, parts.scope.files);
    this.files = files;
    this.#leftOut = leftOut;
  }

  /** Begins with the files of a question; where the index answers, only at those that it does not know. */
  static async open(
    context: QuestionContext,
    input: ScopeInput,
    reason: Reason,
    options: ExploreOptions,
  ): Promise<LiveFiles | QuestionRefused> {
    const scope = await resolveScope(context, input, options.signal);
    if (scope.kind === "refused") return scope;
    const pending = reason?.kind === "ready" ? reason.freshness.pendingFiles ?? [] : [];
    const known = reason?.kind === "ready"
      ? await context.index.read((view) => new Set(view.listFiles().map(({ path }) => path)))
      : new Set<string>();
    for (const path of pending) known.delete(path);
    const peek = await context.index.peek({ isBrief: context.isBrief === true });
    context.onPeek?.(peek);
    return new LiveFiles(context, { scope, reason, peek, known, options });
  }

  /** The files that hold a text, those that the index knows among them. */
  async findHolding(text: string, options: HoldOptions): Promise<readonly string[]> {
    const holding = await listFilesWithText(this.#context, text, {
      ...options,
      files: options.files ?? this.files,
      endsAt: this.#endsAt,
      ...this.#signal,
    });
    this.#sources.add(holding.source);
    this.#unsearched = Math.max(this.#unsearched, holding.late);
    return holding.files;
  }

  /** Reads files that have a language and that the index does not know, as long as there is time. */
  async add(paths: readonly string[]): Promise<void> {
    await this.#add(paths, this.#endsAt);
  }

  /**
   * Reads first the files whose lines look like a definition of the name. Where `isEnough` says
   * that these gave an answer, the others are read only while that keeps nobody waiting.
   */
  async addLikely(
    paths: readonly string[],
    name: string,
    isEnough: () => Promise<boolean>,
  ): Promise<void> {
    const isLikely = Map.groupBy(paths, (path) => this.#looksDefining(path, name));
    await this.add(isLikely.get(true) ?? []);
    const others = isLikely.get(false) ?? [];
    if (others.length <= FEW_FILES || !(await isEnough())) return await this.add(others);
    const before = this.#peek.late;
    await this.#add(others, performance.now() + LIMITS.peekFurtherMs.value);
    this.#unlikely += this.#peek.late - before;
  }

  /** Reads the files through which a name may be imported that they do not have, in the languages of those that have it. */
  async addPassingOn(holding: readonly string[]): Promise<void> {
    const families = holding.flatMap((path) => languageOfPath(path)?.family ?? []);
    const signs = families.flatMap((family) => FAMILIES[family].passesOn ?? []);
    for (const sign of new Set(signs)) {
      await this.add(await this.findHolding(sign, { ignoreCase: false, wholeWord: false }));
    }
  }

  /** What the files that were read say. */
  toGround(): QuestionSource {
    const reason = this.#reason;
    const found = [...[...this.#peek.parsers].sort(), ...[...this.#sources].sort()];
    // Where nothing was read (an empty folder, a file left out) the list of the files is all there was.
    const sources = found.length === 0
      ? ["files"]
      : [...reason?.kind === "ready" ? ["index"] : [], ...found];
    return {
      read: (query) => this.#peek.read(query),
      facts: this.#context.facts.over(this.#peek),
      source: sources.join("+"),
      freshness: "live",
      notices: [
        ...reason?.kind === "unready" ? [reason.notice] : [],
        ...this.#scope.notices,
        ...this.#toNotices(),
      ],
      takeLeftOut: () => Promise.resolve([]),
    };
  }

  [Symbol.dispose](): void {
    this.#spent?.[Symbol.dispose]();
    this.#peek[Symbol.dispose]();
  }

  async #add(paths: readonly string[], endsAt: number): Promise<void> {
    const own = paths.filter((path) =>
      !this.#known.has(path) && languageOfPath(path) !== undefined
    );
    await this.#peek.add(own, { ...this.#signal, endsAt });
  }

  #looksDefining(path: string, name: string): boolean {
    const language = languageOfPath(path);
    const text = readSmallText(this.#context.projectRoot, path);
    if (language === undefined || typeof text !== "string") return false;
    return text.split(/\r?\n/).some((line) =>
      line.length <= LIMITS.lineChars.value && line.includes(name) &&
      language.definitions.some(({ pattern }) => pattern.exec(line)?.groups?.["name"] === name)
    );
  }

  #toNotices(): readonly string[] {
    const { late, tooLarge } = this.#peek;
    const slow = late - this.#unlikely + this.#unsearched;
    return [
      ...formatUnreadNotices(slow),
      ...this.#unlikely === 0 ? [] : [
        `Not read: ${
          formatCount(this.#unlikely, "more file")
        } with the name, but with no line that looks like a definition of it.`,
      ],
      ...tooLarge === 0
        ? []
        : [`Passed over: ${formatCount(tooLarge, "file")} over ${LIMITS.fileBytes.value} bytes.`],
      ...listLeftOutNotices(this.#leftOut),
    ];
  }
}

/** The sentence by which an answer tells of files for which there was no time; none where there was enough. */
export function formatUnreadNotices(count: number): readonly string[] {
  if (count === 0) return [];
  const files = formatCount(count, "file was", "files were");
  return [
    `${files} not read within the time of an answer; give a smaller path, or ask again when the index is built.`,
  ];
}
