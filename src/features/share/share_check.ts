/** What `doctor` says of analyses that are shared with other machines. */
import { formatCount, formatTime } from "../../base/text/plain_text.ts";
import type { DoctorFinding } from "../../project/finding.ts";
import { ok, warn } from "../../project/finding.ts";

/** The facts about what is shared. */
export interface ShareFacts {
  /** The remote of the configuration; null without one. */
  readonly configured: string | null;
  /** Why that one can never be used as it is named; null where nothing is known to be wrong. */
  readonly fault: { readonly message: string; readonly hint: string } | null;
  /** Packs that this version of the program reads, with their analyses. */
  readonly packs: number;
  readonly sizeBytes: number;
  readonly records: number;
  /** Packs that another version made. */
  readonly others: readonly { readonly packs: number }[];
  /** When the remote last answered, in milliseconds since 1970; null before. */
  readonly askedAtMs: number | null;
  /** Why the last try did not succeed; null where it did. */
  readonly problem: string | null;
  /** Packs that are not used, with the reason. */
  readonly refused: Readonly<Record<string, string>>;
}

/** Tells what was pulled, why the remote did not answer, and which packs are refused. */
export function checkShare(facts: ShareFacts): readonly DoctorFinding[] {
  const { configured, fault, packs, sizeBytes, records, askedAtMs, problem, refused } = facts;
  if (configured === null && askedAtMs === null && problem === null) {
    return [ok("Turned off: share_remote in config.json names no remote")];
  }
  const megabytes = (sizeBytes / 1024 / 1024).toFixed(1);
  const at = askedAtMs === null ? "never" : formatTime(new Date(askedAtMs).toISOString());
  const unread = facts.others.reduce((sum, one) => sum + one.packs, 0);
  const more = unread === 0 ? "" : `, and ${formatCount(unread, "pack")} by other versions`;
  const last = `the remote last answered ${askedAtMs === null ? at : `at ${at}`}`;
  return [
    ok(
      `${formatCount(records, "analysis", "analyses")} in ${
        formatCount(packs, "pack")
      }, ${megabytes} MB${more}; ${last}`,
    ),
    ...(fault === null ? [] : [warn(fault.message, fault.hint)]),
    // What can never work is not to be tried again.
    ...(problem === null || fault !== null
      ? []
      : [warn(problem, "Run `code-intel share pull` when it can be reached again.")]),
    ...Object.entries(refused).map(([name, why]) =>
      warn(`The pack ${name} is not used: ${why}`, "`code-intel share push` leaves it out.")
    ),
  ];
}
