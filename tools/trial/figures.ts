/** The figures of the recorded session that the README shows, as `deno task trial --docs` last measured them. */

/** What the replies of the recorded session cost. */
export interface TrialFigures {
  readonly calls: number;
  readonly replyBytes: number;
}

const FILE = new URL("figures.json", import.meta.url);

/** Reads the figures that were measured last. */
export async function loadFigures(): Promise<TrialFigures> {
  return JSON.parse(await Deno.readTextFile(FILE)) as TrialFigures;
}

/** Writes new figures, as the formatter wants them; `deno task docs` puts them into the README. */
export async function saveFigures(figures: TrialFigures): Promise<void> {
  await Deno.writeTextFile(FILE, `${JSON.stringify(figures, null, 1).replaceAll(/\n\s*/g, " ")}\n`);
}
