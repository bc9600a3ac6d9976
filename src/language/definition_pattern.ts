/**
 * One form of definition as a regular expression, for texts that no parser reads: it is held against single lines, so it
 * finds what stands on one line and nothing else. Pure.
 */
import type { Kind } from "./kinds.ts";

/** One form of definition. Most languages turn up in no process, so an expression is compiled where it is first used. */
export class DefinitionPattern {
  readonly kind: Kind;
  readonly #source: string;
  readonly #flags: string;
  #pattern: RegExp | null = null;

  constructor(kind: Kind, source: string, flags: string) {
    this.kind = kind;
    this.#source = source;
    this.#flags = flags;
  }

  /** The group `name` is the symbol. */
  get pattern(): RegExp {
    return this.#pattern ??= new RegExp(this.#source, this.#flags);
  }
}

const NAME = "(?<name>[\\p{L}_$][\\p{L}\\p{N}_$]*)";

/** A form; `NAME` in it stands for a name of letters, digits, `_` and `$`. */
export function form(kind: Kind, source: string, flags = "u"): DefinitionPattern {
  return new DefinitionPattern(kind, source.replaceAll("NAME", NAME), flags);
}
