/**
 * Several repositories as one. The paths of the other repositories' files get a mark in the
 * repository that asks. So the rules of resolution follow its imports into them. Every import is
 * still read as its own repository reads it; where that leads nowhere, the name of a package leads
 * to the repository that gives it. Pure over the views.
 */
import type { Found, IndexView } from "../../index/read/view.ts";
import { familyOf } from "../../language/languages.ts";
import type { ModuleMap, ModuleQuestion } from "../modules/module_map.ts";
import { findModulePlace } from "../modules/module_map.ts";
import type { PackageLink, PackagePart } from "./package_links.ts";
import { OUTSIDE } from "./package_links.ts";

/** A repository with its index. */
export interface CombinedPart extends PackagePart {
  readonly view: IndexView;
}

/** What combined repositories are made of. */
export interface CombinedOptions<Part extends CombinedPart> {
  /** Whose paths are plain. */
  readonly asker: Part;
  /** The repositories that it leads to, itself or through others. */
  readonly others: readonly Part[];
  /** Those of them whose places count too: they may pass on under another name what is asked for. */
  readonly passing: ReadonlySet<Part>;
  readonly find: (
    asker: Part,
    module: string,
    family: ModuleQuestion["family"],
  ) => PackageLink<Part> | null;
  /** Modules by which a repository leads to others. */
  readonly leading: (part: Part) => readonly string[];
}

/** Begins the paths of another repository: no file of a project has it in its name. */
const MARK = "\x01";
/** Families in which packages lead from one repository to another; the definitions of the rest are not mixed. */
const SHARED: ReadonlySet<string> = new Set(["script", "go", "python", "jvm", "rust"]);

/** The views and the module maps of several repositories in one. */
export class CombinedRepositories<Part extends CombinedPart> {
  readonly #options: CombinedOptions<Part>;
  readonly view: IndexView;
  readonly modules: ModuleMap;

  constructor(options: CombinedOptions<Part>) {
    this.#options = options;
    this.view = this.#toView();
    this.modules = this.#toModules();
  }

  /** A path of a repository as the combined repositories call it. */
  toPath(part: Part, path: string): string {
    const at = this.#options.others.indexOf(part);
    return at < 0 ? path : `${MARK}${at}/${path}`;
  }

  /** The repository of a path, and what it calls the file. */
  toPlace(path: string): { readonly part: Part; readonly path: string } {
    const cut = path.startsWith(MARK) ? path.indexOf("/") : -1;
    const part = this.#options.others[Number(path.slice(MARK.length, cut))];
    return cut < 0 || part === undefined
      ? { part: this.#options.asker, path }
      : { part, path: path.slice(cut + 1) };
  }

  #toView(): IndexView {
    const { asker, others, passing } = this.#options;
    const own = asker.view;
    const all = [asker, ...others];
    const counted = [asker, ...others.filter((part) => passing.has(part))];
    const placed = <T extends { readonly path: string }>(part: Part, hits: readonly T[]) =>
      part === asker ? hits : hits.map((hit) => ({ ...hit, path: this.toPath(part, hit.path) }));
    /** Asks the repository of a path. */
    const route = <T extends { readonly path: string }>(
      ask: (view: IndexView, path: string) => readonly T[],
    ) =>
    (path: string): readonly T[] => {
      const { part, path: inner } = this.toPlace(path);
      return placed(part, ask(part.view, inner));
    };
    const join = <T extends { readonly path: string }>(
      parts: readonly Part[],
      ask: (view: IndexView) => Found<T>,
      isMeant: (hit: T) => boolean = () => true,
    ): Found<T> => {
      const found = parts.map((part) => {
        const { hits, total } = ask(part.view);
        if (part === asker) return { hits, total };
        const kept = hits.filter(isMeant);
        return { hits: placed(part, kept), total: total - hits.length + kept.length };
      });
      return {
        hits: found.flatMap(({ hits }) => hits),
        total: found.reduce((sum, { total }) => sum + total, 0),
      };
    };
    return {
      ...own,
      stamp: () => all.map(({ view }) => view.stamp()).join("|"),
      findSymbols: (query) =>
        join(
          all,
          (view) => view.findSymbols(query),
          ({ language }) => SHARED.has(familyOf(language) ?? ""),
        ),
      listSymbols: route((view, path) => view.listSymbols(path)),
      listOccurrences: route((view, path) => view.listOccurrences(path)),
      listImports: route((view, path) => view.listImports(path)),
      listTypes: (path) => {
        const { part, path: inner } = this.toPlace(path);
        return part.view.listTypes(inner);
      },
      getFile: (path) => {
        const { part, path: inner } = this.toPlace(path);
        return part.view.getFile(inner);
      },
      findOccurrences: (name, options) =>
        join(counted, (view) => view.findOccurrences(name, options)),
      findImports: (module) =>
        counted.flatMap((part) => placed(part, part.view.findImports(module))),
      listModules: () => [...new Set(counted.flatMap(({ view }) => view.listModules()))],
    };
  }

  #toModules(): ModuleMap {
    const { asker, others, find: link, leading } = this.#options;
    const inner = ({ from, family }: ModuleQuestion) => {
      const { part, path } = this.toPlace(from);
      return { part, question: { from: path, family } };
    };
    const find = (module: string, asked: ModuleQuestion): readonly string[] => {
      const { part, question } = inner(asked);
      const own = part.modules.find(module, question).map((path) => this.toPath(part, path));
      // Two artifacts of the virtual machine may have parts of one package.
      if (own.length > 0 && asked.family !== "jvm") return own;
      const to = link(part, module, asked.family);
      if (to === null || !(to.part === asker || others.includes(to.part))) return own;
      const found = to.part.modules.find(to.module, { from: OUTSIDE, family: asked.family });
      return [...own, ...found.map((path) => this.toPath(to.part, path))];
    };
    return {
      find,
      place: (module, asked) => {
        const { part, question } = inner(asked);
        const files = find(module, asked);
        const own = findModulePlace(module, question, () => part.modules.find(module, question));
        const to = link(part, module, asked.family);
        const away = to === null ? null : findModulePlace(
          to.module,
          { from: OUTSIDE, family: asked.family },
          () => to.part.modules.find(to.module, { from: OUTSIDE, family: asked.family }),
        );
        const has = (path: string) => {
          const at = this.toPlace(path);
          return files.includes(path) || at.part === part && own.has(at.path) ||
            at.part === to?.part && away?.has(at.path) === true;
        };
        return { files: [...own.files.map((path) => this.toPath(part, path)), ...files], has };
      },
      packaged: [...new Set([asker, ...others].flatMap(leading))],
    };
  }
}
