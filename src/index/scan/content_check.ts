/**
 * Which contents are not worth analysing, judged by their bytes and name: binary, minified, generated.
 * Each comes with its reason in words, because people ask why a file is not found. Pure.
 */

/** Longest mean line of code that a person wrote. */
const MAX_MEAN_LINE_BYTES = 400;
/** Shorter files are analysed however long their lines are. */
const MIN_MINIFIED_BYTES = 8 * 1024;
const HEAD_BYTES = 2 * 1024;
const HEAD_LINES = 12;
// A paragraph of prose is one long line.
const PROSE = /\.(?:md|mdx|markdown|txt|rst|adoc)$/i;

const GENERATED_NAMES =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|[^/]*[-.]lock\.(?:json|ya?ml)|[^/]+\.lock|go\.sum|[^/]+\.min\.(?:js|css)|[^/]+\.(?:js|css)\.map)$/i;
// Only in comments near the top: a program that writes such lines has them in its strings below.
const GENERATED_MARK =
  /^\s*(?:\/\/|\/?\*+|#|--|;|<!--|%|"""|''').{0,80}(?:@generated\b|\bcode generated\b.{0,80}\bdo not edit\b|\bauto-?generated\b.{0,80}\b(?:do not|don't) (?:edit|modify)\b|\bthis file (?:is|was) (?:auto(?:matically)?[- ]?)?generated\b)/i;

/** Why a content is left out, or null when it is analysed. */
export function judgeContent(path: string, bytes: Uint8Array): string | null {
  if (isBinary(bytes)) return "binary";
  if (GENERATED_NAMES.test(path)) return "generated (by its name)";
  if (isMinified(path, bytes)) return "minified (its lines are too long)";
  return isGenerated(bytes) ? "generated (as its first lines say)" : null;
}

function isBinary(bytes: Uint8Array): boolean {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) ||
    (bytes[0] === 0xfe && bytes[1] === 0xff);
  return !isUtf16 && bytes.includes(0);
}

function isMinified(path: string, bytes: Uint8Array): boolean {
  if (bytes.length < MIN_MINIFIED_BYTES || PROSE.test(path)) return false;
  const enough = bytes.length / MAX_MEAN_LINE_BYTES;
  let lines = 1;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    if (++lines > enough) return false;
  }
  return true;
}

function isGenerated(bytes: Uint8Array): boolean {
  const head = new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES));
  return head.split("\n", HEAD_LINES).some((line) => GENERATED_MARK.test(line));
}
