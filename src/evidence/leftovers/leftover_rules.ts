/** What may be left behind, and what tells secrets and stray files. Pure. */
import { anyOf } from "../../base/text/any_of.ts";
import { CACHE_FOLDERS } from "../../runners/runners.ts";

/** What was left behind. */
export type LeftoverKind =
  | "debug_output"
  | "commented_out"
  | "open_mark"
  | "secret"
  | "conflict_marker"
  | "stray_file";

/** What each means, for whoever has to answer. */
export const LEFTOVERS: Readonly<Record<LeftoverKind, string>> = {
  debug_output: "output for debugging",
  commented_out: "code in a comment",
  open_mark: "an open mark such as TODO",
  secret: "what looks like a secret",
  conflict_marker: "a marker of a merge conflict",
  stray_file: "a file that looks left behind",
};

/** Forms of keys that services give out; each is a secret by its form. */
const KEY_FORMS = anyOf(
  /\b(?:A(?:KIA|SIA)[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{30,}|glpat-[\w-]{20,})/g,
  /\b(?:xox[abeprs]-[\w-]{10,}|sk-(?:proj-|ant-\w+-)?[\w-]{24,}|[rs]k_live_\w{16,}|AIza[\w-]{35})/,
  /\b(?:ya29\.[\w-]{20,}|npm_[A-Za-z0-9]{36}|pypi-[\w-]{40,}|SG\.[\w-]{16,}\.[\w-]{16,})/,
  /\b(?:dop_v1_[0-9a-f]{40,}|hf_[A-Za-z0-9]{30,}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,})/,
  /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----/,
  /\b[a-z][a-z+]*:\/\/[^\s:@/"'`{$<]+:[^\s:@/"'`{$<]{4,}@[\w.-]+/,
);
/** Names that hold secrets. */
const SECRET_NAME =
  "\\b[\\w-]*(?:passw(?:or)?d|passphrase|secret(?:_?key)?|client_?-?secret|credentials?|" +
  "(?:api|access|private)_?-?key|(?:auth|access)_?-?token)";
/** A value of such a name in quotes. */
const QUOTED_VALUE = new RegExp(
  `${SECRET_NAME}["']?\\s*(?::=|=>|[:=])\\s*["'\`]([^"'\`\\s]{8,})["'\`]`,
  "gi",
);
/** One without quotes, as shells, settings and images have it: to the end of the line or of the word. */
const BARE_VALUE = new RegExp(
  `(?:${SECRET_NAME}["']?\\s*[:=]|\\bENV\\s+${SECRET_NAME})\\s*([^"'\`\\s;,#$<>(){}[\\]/\\\\]{8,})(?=\\s|;|$)`,
  "gi",
);
/** Values that stand for one. */
const STAND_IN = anyOf(
  /example|sample|change_?-?me|placeholder|dummy|fake|test|mock|redacted|your[-_]|xxx|\*\*\*|\.\.\./i,
  /<[^>]*>|\$\{|\{\{|%\w|^\$|^process\.|^env\.|^(.)\1*$|localhost|127\.0\.0\.1/,
  /^(?:password|secret|passwd|api_?key|token)$|:(?:user|pass|password|postgres|root)@/,
);

/**
 * The secrets of a line.
 *
 * @param options `isBare` where values stand without quotes: in shells, settings, images.
 */
export function findSecrets(
  line: string,
  { isTest, isBare = false }: { readonly isTest: boolean; readonly isBare?: boolean },
): readonly string[] {
  const keys = [...line.matchAll(KEY_FORMS)].map(([key]) => key)
    .filter((key) => !STAND_IN.test(key));
  if (isTest) return keys;
  const quoted = [...line.matchAll(QUOTED_VALUE)].map(([, value = ""]) => value)
    .filter((value) => /[0-9\W_]|[a-z][A-Z]/.test(value));
  // Without quotes it may as well be the name of something.
  const bare = !isBare ? [] : [...line.matchAll(BARE_VALUE)].map(([, value = ""]) => value)
    .filter((value) => /[A-Za-z]/.test(value) && /\d.*\d/.test(value));
  return [...new Set([...keys, ...[...quoted, ...bare].filter((one) => !STAND_IN.test(one))])];
}

/** New files by name that tools, editors and trials leave. */
const STRAY = anyOf(
  /(?:^|\/)[^/]+(?:\.(?:orig|rej|bak|sw[po]|te?mp|log|pyc|class|o|dump|heapsnapshot|prof|pid)|~)$/,
  /(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini|nohup\.out|a\.out|core\.\d+|\.coverage)$/,
  /(?:^|\/)(?:debug|scratch|tmp|temp|foo|untitled|junk|output)(?:[-_.]?\d*)?\.\w+$/,
  /(?:^|\/)(?:\.env(?:\.(?:local|production|development))?|id_(?:rsa|dsa|ecdsa|ed25519))$/,
  /(?:^|\/)[^/]+\.(?:pem|p12|pfx|keystore|jks)$/,
  new RegExp(`(?:^|/)(?:node_modules|__pycache__|\\.idea|\\.mypy_cache|\\.venv|${CACHE_FOLDERS})/`),
);

/** Whether a new file looks left behind; data of tests may be called as they like. */
export function isStray(path: string, { isTest }: { readonly isTest: boolean }): boolean {
  return STRAY.test(path) &&
    !(isTest && !/(?:\.pyc|~|\.swp|\.DS_Store|__pycache__\/.*)$/.test(path));
}

/** A line between the sides of a conflict; the one in the middle also underlines headings, and says nothing. */
export const CONFLICT_MARKER = /^(?:<{7}|>{7}|\|{7})(?:\s|$)/;
