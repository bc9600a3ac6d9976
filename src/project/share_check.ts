/** What `doctor` says of analyses that are shared with other machines. */
import { toCountText, toTimeText } from "../base/text/plain_text.ts";
import type { Finding } from "./finding.ts";
import { ok, warn } from "./finding.ts";

/** The facts about what is shared. */
export interface ShareFacts {
  /** The remote of the configuration; null without one. */
  readonly configured: string | null;
  readonly packs: number;
  readonly sizeBytes: number;
  readonly records: number;
  /** When the remote last answered, in milliseconds since 1970; null before. */
  readonly askedAtMs: number | null;
  /** Why the last try did not succeed; null where it did. */
  readonly problem: string | null;
  /** Packs that are not used, with the reason. */
  readonly refused: Readonly<Record<string, string>>;
}

/** Tells what was pulled, why the remote did not answer, and which packs are refused. */
export async function checkShare(
  { readShare }: { readonly readShare: () => Promise<ShareFacts> },
): Promise<readonly Finding[]> {
  const { configured, packs, sizeBytes, records, askedAtMs, problem, refused } = await readShare();
  if (configured === null && askedAtMs === null && problem === null) {
    return [ok("Turned off: share_remote in config.json names no remote")];
  }
  const megabytes = (sizeBytes / 1024 / 1024).toFixed(1);
  const at = askedAtMs === null ? "never" : toTimeText(new Date(askedAtMs).toISOString());
  const last = `the remote last answered ${askedAtMs === null ? at : `at ${at}`}`;
  return [
    ok(
      `${toCountText(records, "analysis", "analyses")} in ${
        toCountText(packs, "pack")
      }, ${megabytes} MB; ${last}`,
    ),
    ...(problem === null
      ? []
      : [warn(problem, "Run `code-intel share pull` when it can be reached again.")]),
    ...Object.entries(refused).map(([name, why]) =>
      warn(`The pack ${name} is not used: ${why}`, "`code-intel share push` leaves it out.")
    ),
  ];
}
