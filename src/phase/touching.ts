/** Which rules and constraints the planned work has to do with. Pure. */
import type { SessionState } from "./state.ts";

/** A path or the name of a file in a text: with a slash or an ending, quoted or not. */
const FILE = /(?:[\w@.*-]+\/)+[\w@.*-]*|\*?[\w-]*\.[a-z]\w{0,5}\b/gi;

/**
 * The rules and constraints that stand over the planned tasks: all that name no file, and of the others those whose file,
 * folder or ending the plan names. Empty where there are none.
 */
export function toTouching(
  { rules, frame, tasks }: Pick<SessionState, "rules" | "frame" | "tasks">,
): Readonly<Record<string, unknown>> {
  const plan = tasks.flatMap(({ description, checklist }) => [
    description,
    ...checklist.map(({ item }) => item),
  ]).join("\n").toLowerCase();
  const touches = (text: string) => {
    const named = text.match(FILE) ?? [];
    return named.length === 0 || named.some((name) => plan.includes(toTelling(name)));
  };
  const binding = rules.filter(({ rule, toChange }) => toChange !== true && touches(rule));
  const constraints = (frame?.constraints ?? []).filter(touches);
  return {
    ...(binding.length === 0 ? {} : { mandatory_rules: binding }),
    ...(constraints.length === 0 ? {} : { constraints }),
  };
}

/** What of a path or glob a plan must name: `src/ui/` of `src/ui/**`, `.css` of `*.css`. */
function toTelling(name: string): string {
  const plain = name.toLowerCase();
  return plain.startsWith("*") ? plain.replace(/^[*/]+/, "") : plain.replace(/\*.*$/, "");
}
