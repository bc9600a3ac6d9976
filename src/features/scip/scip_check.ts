/** What `doctor` says of the SCIP index files that the languages' own indexers wrote. */
import type { DoctorFinding } from "../../project/finding.ts";
import { ok, warn } from "../../project/finding.ts";

/** What there is of SCIP index files. */
export type ScipFacts =
  | { readonly kind: "absent" }
  | { readonly kind: "reading" }
  | { readonly kind: "refused"; readonly path: string; readonly reason: string }
  | {
    readonly kind: "read";
    readonly paths: readonly string[];
    /** Name and version of the indexer. */
    readonly tool: string;
    /** Source files that they have, and those whose present content they were made from. */
    readonly counts: { readonly documents: number; readonly trusted: number };
  };

/** Beyond this share of changed files an index file is hardly worth its reading. */
const MAX_STALE_RATIO = 0.5;

/** Says whether there are index files, and for how many source files they hold. */
export function checkScip(facts: ScipFacts | null): readonly DoctorFinding[] {
  if (facts === null) return [ok("Not looked at before the code index is built")];
  if (facts.kind === "absent") {
    return [ok("None: names are followed by the rules of the languages")];
  }
  if (facts.kind === "reading") return [ok("It is being read")];
  if (facts.kind === "refused") {
    return [
      warn(
        `${facts.path} is not used: ${facts.reason}`,
        "Write it anew with the indexer of the language, or take it away.",
      ),
    ];
  }
  const { documents, trusted } = facts.counts;
  const stale = documents - trusted;
  const from = facts.tool === "" ? "" : ` by ${facts.tool}`;
  const detail = `${facts.paths.join(", ")}${from}: holds for ${trusted} of ${documents} files; ` +
    `${stale} changed since, or are not in the code index`;
  return [
    stale > documents * MAX_STALE_RATIO
      ? warn(detail, "Write it anew with the indexer of the language.")
      : ok(detail),
  ];
}
