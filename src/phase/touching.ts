/** Which rules and constraints the planned work has to do with. Pure. */
import { clipLine } from "../base/text/clip.ts";
import { say, tool } from "../base/text/words.ts";
import type { SessionState } from "./state.ts";

/** What may be a path or the name of a file in a text, with a bracket behind it where it is a call. */
const TOKEN = /[\w@.*/-]+\(?/g;
/** A file by its ending: `c.Error`, `...string` and `if/else` are words of code and of sentences. */
const ENDED = /[\w*-]\.[a-z][a-z\d]{0,4}$/;
/** Short words with points, and versions. */
const NO_FILE = /^(?:e\.g|i\.e|v?\d[\d.]*x?)$/i;
/** Rules of other files that are shown, and how much of each: who wrote them down knows the rest. */
const MOST_OTHERS = 6;
const OTHER_CHARS = 60;

/**
 * The rules and constraints that stand over the planned tasks: all that name no file, and of the others those whose file,
 * folder or ending the plan names; the first words of the rest, since a rule may name a file and bind another. Empty where
 * there are none.
 */
export function toTouching(
  { rules, frame, tasks }: Pick<SessionState, "rules" | "frame" | "tasks">,
): Readonly<Record<string, unknown>> {
  const plan = tasks.flatMap(({ description, checklist }) => [
    description,
    ...checklist.map(({ item }) => item),
  ]).join("\n").toLowerCase();
  const touches = (text: string) => {
    const named = findFiles(text);
    return named.length === 0 || named.some((name) => plan.includes(toTelling(name)));
  };
  const standing = rules.filter(({ toChange }) => toChange !== true);
  const binding = standing.filter(({ rule }) => touches(rule));
  const others = standing.filter((one) => !binding.includes(one))
    .map(({ rule, source }) => `${clipLine(rule, OTHER_CHARS)} (${source})`);
  const more = others.length - MOST_OTHERS;
  const constraints = (frame?.constraints ?? []).filter(touches);
  return {
    ...(binding.length === 0 ? {} : { mandatory_rules: binding }),
    ...(others.length === 0 ? {} : {
      rules_of_other_files: [
        ...others.slice(0, MOST_OTHERS),
        ...(more > 0 ? [say`${more} more: ${tool("get_session_status")} has all.`] : []),
      ],
    }),
    ...(constraints.length === 0 ? {} : { constraints }),
  };
}

/** Paths, globs and names of files in a text; a folder ends with a slash. */
function findFiles(text: string): string[] {
  return (text.match(TOKEN) ?? []).map((token) => token.replace(/[.]+$/, "")).filter((token) =>
    !token.endsWith("(") && !NO_FILE.test(token) &&
    (ENDED.test(token) || /\w\/$/.test(token) || /\*[./]|[./]\*/.test(token))
  );
}

/** What of a path or glob a plan must name: `src/ui/` of `src/ui/**`, `.css` of `*.css`. */
function toTelling(name: string): string {
  const plain = name.toLowerCase();
  return plain.startsWith("*") ? plain.replace(/^[*/]+/, "") : plain.replace(/\*.*$/, "");
}
