/**
 * Whether a function gives a name of its own a second meaning: by another assignment, a loop, a pattern, a closure. Lines say
 * what one declaration makes of a variable; where there are two, only a type checker knows which of them holds at a place.
 * Pure.
 */
import type { Family } from "../../language/families.ts";
import type { ReadLine } from "./block_ends.ts";

/** What makes a name mean something, a form each; `NAME` stands for the name. */
const FORMS: Readonly<Partial<Record<Family, readonly string[]>>> = {
  rust: [
    "\\blet\\b[^=;]*\\bNAME\\b",
    "\\|[^|]*\\bNAME\\b[^|]*\\|",
    "\\bfor\\b[^{]*\\bNAME\\b[^{]*\\bin\\b",
    "\\bNAME\\b[\\s)},]*(?:if\\b.*)?=>",
  ],
};

/** Whether lines `from` to `to` bind the name in more than one of them; false in families that are not read so. */
export function isRebound(
  read: ReadLine,
  { name, from, to, family }: {
    readonly name: string;
    readonly from: number;
    readonly to: number;
    readonly family: Family;
  },
): boolean {
  const forms = FORMS[family];
  if (forms === undefined) return false;
  const binds = new RegExp(forms.join("|").replaceAll("NAME", RegExp.escape(name)));
  const isParameter = new RegExp(
    `(?<![\\w.])${RegExp.escape(name)}\\s*:|[(,]\\s*${RegExp.escape(name)}\\s*[,)]`,
  );
  let bound = 0;
  for (let at = from; at <= to && bound < 2; at++) {
    const line = read(at) ?? "";
    if (line.length > MAX_LINE_CHARS) continue;
    if (binds.test(line) || at === from && isParameter.test(line)) bound++;
  }
  return bound > 1;
}

const MAX_LINE_CHARS = 1_000;

/**
 * Whether what is called is the whole value: behind `Cat()` stands no `.dog()`. A call that goes on in
 * the next line is taken as it begins.
 *
 * @param rest what stands behind the opening bracket of the call.
 */
export function isWholeCall(rest: string): boolean {
  let open = 1;
  let at = 0;
  for (; at < rest.length && open > 0; at++) {
    const sign = rest[at];
    if (sign === "(") open++;
    else if (sign === ")") open--;
  }
  if (open > 0) return true;
  return /^(?:\?|\.await|\.unwrap\(\)|\.expect\([^)]*\))*\s*(?:$|[;){:#]|\/\/|as\b)/.test(
    rest.slice(at),
  );
}
