/** Runs a project of Node with and without the tracer. */
import { NODE_WAY } from "../../../../src/features/runs/ways/node.ts";
import { watch } from "./inside_run.ts";

/** What both runs printed, without times, what the tracer saw, and its notes in one text. Empty where there was no plain run. */
export async function watchNode(
  files: Readonly<Record<string, string>>,
  run: readonly string[],
  options: Parameters<typeof watch>[3] = {},
) {
  const { plain, watched, recording } = await watch(NODE_WAY, files, run, options);
  const show = ({ code, text }: typeof watched) =>
    `${code}\n${text.replaceAll(/\d+(?:\.\d+)?(?= ?m?s\b)|(?<=duration_ms:? )[\d.]+/g, "0")}`;
  const notes = recording.notes.join(" ");
  return { plain: plain === null ? "" : show(plain), watched: show(watched), recording, notes };
}
