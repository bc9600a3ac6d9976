/** Tells which files and lines steer a test runner, and which files hold what tests expect. Pure. */
import { formatCanonicalJson } from "../../base/text/json_record.ts";
import { parseJsonc } from "../../base/text/jsonc.ts";
import { RUNNERS, SHADOWS, STEERS } from "../../runners/runners.ts";
import type { DiffedFile, DiffLine } from "./diffed_file.ts";

const SNAPSHOT =
  /(?:^|\/)(?:__(?:image_)?snapshots__|goldens?|expected)\/|\.(?:snap|snapshot|ambr|golden|expected|stdout|stderr)$/;
const APPROVED = /\.(?:approved|verified|expected)\.\w+$/;
/** Lines that steer runners in files that say other things too. */
const STEERING_LINES = RUNNERS.flatMap(({ settings }) => settings?.lines ?? []);
/** Settings of runners do not lie deeper. */
const MOST_NESTED = 20;

/** Whether a file may steer a runner, or holds what tests expect. */
export function maySteer(path: string): boolean {
  return STEERS.test(path) || SHADOWS.test(path) || SNAPSHOT.test(path) || APPROVED.test(path) ||
    STEERING_LINES.some(([name]) => name.test(path));
}

/** What a change does to a runner or to what tests expect; null where it is neither's file or changes nothing of it. */
export function findSteering(
  file: DiffedFile,
):
  | { readonly kind: "runner_changed" | "snapshot_changed"; readonly lines: readonly string[] }
  | null {
  const { path, kind } = file;
  const lines = formatDiffLines(file);
  const isShadow = SHADOWS.test(path) && file.before.trim() === "";
  if (STEERS.test(path) || isShadow) return { kind: "runner_changed", lines };
  if (kind === "added") return null;
  const steering = STEERING_LINES.filter(([name]) => name.test(path)).map(([, line]) => line);
  const steers = (line: string) => steering.some((one) => one.test(line));
  const steered = lines.filter((line) => steers(line.slice(2)));
  if (steered.length > 0 && !isSteeredAsBefore(file, steers)) {
    return { kind: "runner_changed", lines: steered };
  }
  return SNAPSHOT.test(path) || APPROVED.test(path) ? { kind: "snapshot_changed", lines } : null;
}

function formatDiffLines({ removed, added }: DiffedFile): readonly string[] {
  const sign = (mark: string, lines: readonly DiffLine[]) =>
    lines.map(({ text }) => `${mark} ${text.trim()}`);
  return [...sign("-", removed), ...sign("+", added)];
}

/**
 * Whether a JSON file says the same to a runner as before, at the same places: a member that came
 * beside, and the comma that it needs, change nothing.
 */
function isSteeredAsBefore(
  { path, before, after }: DiffedFile,
  steers: (line: string) => boolean,
): boolean {
  if (!/\.jsonc?$/.test(path)) return false;
  const [old, now] = [before, after].map((text) => listSteering(text, steers));
  return old !== null && old === now;
}

/** The members of a JSON text that steer a runner, with their places, as one text; null for none. */
function listSteering(text: string, steers: (line: string) => boolean): string | null {
  const parsed = parseJsonc(text);
  if (parsed.kind !== "value") return null;
  const found: string[] = [];
  const walk = (value: unknown, place: readonly string[]): void => {
    if (typeof value !== "object" || value === null || place.length > MOST_NESTED) return;
    for (const [key, member] of Object.entries(value)) {
      const here = [...place, key];
      if (steers(`${JSON.stringify(key)}: `)) found.push(formatCanonicalJson([here, member]));
      walk(member, here);
    }
  };
  walk(parsed.value, []);
  return found.sort().join("\n");
}
