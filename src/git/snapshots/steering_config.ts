/**
 * What of a file of git's settings steers a session. Tools write notes about branches and remotes there all the time;
 * only a line that is surely such a note is left out. Pure.
 */

/** A section of its own line, whose settings may be notes. */
const SECTION =
  /^\s*\[(branch|remote|submodule|lfs|gc|maintenance|gui|color)(?:\s+"[^"\\\r\n]*")?\]\s*$/i;
/** A setting whose value needs no reading: no quotes, no escapes, no comment. */
const NOTE = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=[^"\\#;\r\n]*)?\r?$/;

/** Settings of these sections that name no program, and no way past the server. */
const NOTES: Readonly<Record<string, RegExp>> = {
  branch:
    /^(?:remote|merge|pushremote|rebase|description|autosetup\w*|vscode-[a-z-]+|github-[a-z-]+|gitlab-[a-z-]+|gk-[a-z-]+|base|gh-[a-z-]+)$/i,
  remote:
    /^(?:url|pushurl|fetch|push|mirror|tagopt|prune|prunetags|skipdefaultupdate|skipfetchall|promisor|partialclonefilter|gh-resolved|gk-[a-z-]+|vscode-[a-z-]+|pushdefault)$/i,
  submodule: /^(?:url|active|branch)$/i,
  lfs: /^(?:access|repositoryformatversion|locksverify)$/i,
  gc: /^(?!.*(?:command|hook))[a-z]+$/i,
  maintenance: /^(?:auto|strategy|enabled|schedule)$/i,
  gui: /^(?:geometry|wmstate|encoding|spellingdictionary)$/i,
  color: /^[a-z]+$/i,
};

/**
 * The lines that are no notes, each with its section, in their order. What cannot be read for certain stays.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { toSteeringText } from "./steering_config.ts";
 * const noted = '[core]\n\tbare = false\n[branch "a"]\n\tvscode-merge-base = origin/main\n';
 * equal(toSteeringText(noted), toSteeringText("[core]\n\tbare = false\n"));
 * ```
 */
export function toSteeringText(config: string): string {
  const kept: string[] = [];
  let section = "";
  let isContinued = false;
  let header: string | null = null;
  for (const line of config.split("\n")) {
    const wasContinued = isContinued;
    isContinued = /\\\r?$/.test(line);
    const opened = wasContinued ? null : SECTION.exec(line);
    if (opened !== null) {
      section = (opened[1] ?? "").toLowerCase();
      header = line.trim();
      continue;
    }
    if (!wasContinued && line.trim() === "") continue;
    const name = wasContinued ? undefined : NOTE.exec(line)?.[1];
    if (name !== undefined && NOTES[section]?.test(name) === true) continue;
    if (/\[/.test(line) && !wasContinued && name === undefined) {
      section = "";
      header = null;
    }
    if (header !== null) kept.push(header);
    header = null;
    kept.push(wasContinued ? line : line.trim());
  }
  return kept.join("\n");
}
