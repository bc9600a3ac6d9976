/** Blade: sections, components, slots and stacks, as directives or as `x-` elements. Pure. */
import type { ChunkUnit } from "./chunker.ts";
import type { SpecialText } from "./special_chunker.ts";

const DIRECTIVES = "section|component|slot|push|prepend|once|fragment";
const MARK = new RegExp(
  `@(?<open>${DIRECTIVES})\\(\\s*['"](?<name>[^'"]+)['"](?<inline>\\s*,)?|` +
    `@(?<close>end(?:${DIRECTIVES})|show|stop|append|overwrite)\\b|` +
    "<(?<tag>x-[\\w.:-]+)(?<rest>[^>]*)>|</(?<end>x-[\\w.:-]+)\\s*>",
  "g",
);
const STACK = /@(?<kind>stack|yield)\(\s*['"](?<name>[^'"]+)['"]/;

interface Open {
  readonly kind: string;
  readonly name: string;
  readonly startLine: number;
}

/** One unit for each of them, kind `blade_section`, `blade_component` … */
export function chunkBlade({ language, lines }: SpecialText): ChunkUnit[] {
  if (language !== "Blade") return [];
  const units: ChunkUnit[] = [];
  const open: Open[] = [];
  const shut = (kind: string | null, endLine: number) => {
    const at = kind === null ? open.length - 1 : open.findLastIndex((one) => one.kind === kind);
    const one = open[at];
    if (one === undefined) return;
    open.length = at;
    units.push({ ...one, kind: `blade_${one.kind}`, endLine });
  };
  lines.forEach((line, index) => {
    const startLine = index + 1;
    for (const { groups = {} } of line.matchAll(MARK)) {
      const { open: kind, name = "", inline, close, tag, rest = "", end } = groups;
      // `@section('title', 'Text')` has no end.
      if (kind !== undefined && !(kind === "section" && inline !== undefined)) {
        open.push({ kind, name, startLine });
      } else if (close !== undefined) {
        shut(close.startsWith("end") ? close.slice(3) : "section", startLine);
      } else if (tag !== undefined && !rest.endsWith("/")) {
        open.push({ kind: "component", name: tag, startLine });
      } else if (end !== undefined) shut("component", startLine);
    }
    const { kind, name } = STACK.exec(line)?.groups ?? {};
    if (kind === "stack" && name !== undefined && open.length === 0) {
      units.push({ startLine, endLine: startLine, kind: "blade_stack", name });
    }
  });
  return units;
}
