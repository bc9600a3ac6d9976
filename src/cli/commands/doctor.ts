/** The command `doctor`: checks what the program needs and says how to fix what is broken; for developers, vectors too. */
import { formatCount } from "../../base/text/plain_text.ts";
import { createHash } from "node:crypto";
import { createEmbedder } from "../../embedding/embedder.ts";
import type { Command, ExitCode } from "../command.ts";
import { openServices, readNamedFile } from "../answer.ts";
import { hasBroken, runDoctor } from "../../project/doctor.ts";
import { foldAfter, splitFailure } from "../fold.ts";
import { renderForUser } from "../user_words.ts";

/** One line of the file: a text and its vector. */
interface Reference {
  readonly kind: "query" | "passage";
  readonly text: string;
  readonly vector: readonly number[];
}

/**
 * Smallest cosine that passes: the model is stored with eight bits a weight and may differ so much
 * from full precision.
 */
const MIN_COSINE = 0.985;

/**
 * Compares the vectors of a file, which has one JSON object `{kind, text, vector}` on each line;
 * returns 1 where one differs too much.
 */
async function checkVectors(
  path: string,
  { isJson, terminal }: Pick<Parameters<Command["run"]>[0], "isJson" | "terminal">,
): Promise<ExitCode> {
  const lines = readNamedFile(path).split("\n").filter((line) => line.trim() !== "");
  const embedder = createEmbedder();
  const hash = createHash("sha256");
  const cosines: number[] = [];
  try {
    for (const line of lines) {
      const { kind, text, vector }: Reference = JSON.parse(line);
      const own =
        await (kind === "query" ? embedder.embedQuery(text) : embedder.embedPassage(text));
      hash.update(new Uint8Array(own.buffer, own.byteOffset, own.byteLength));
      cosines.push(computeCosine(own, vector));
    }
  } finally {
    embedder.close();
  }
  const worst = Math.min(...cosines);
  const isRight = cosines.length > 0 && worst >= MIN_COSINE;
  const sha256 = hash.digest("hex");
  const reply = { ok: isRight, texts: cosines.length, worst_cosine: worst, vectors_sha256: sha256 };
  const text = `${formatCount(cosines.length, "text")}, lowest cosine ${
    worst.toFixed(4)
  }, vectors ${sha256}`;
  await (isJson ? terminal.data(`${JSON.stringify(reply)}\n`) : terminal.out(text));
  return isRight ? 0 : 1;
}

function computeCosine(left: Float32Array, right: readonly number[]): number {
  let [product, leftSquares, rightSquares] = [0, 0, 0];
  left.forEach((a, at) => {
    const b = right[at] ?? 0;
    product += a * b;
    leftSquares += a * a;
    rightSquares += b * b;
  });
  return product / Math.sqrt(leftSquares * rightSquares);
}

const COLOURS = { ok: "faint", warn: "warning", broken: "problem" } as const;

/** Runs every check; fails when something that is needed is broken. */
export const DOCTOR: Command = {
  usage: "",
  positionals: [0, 0],
  example: "code-intel doctor --project ~/work/app",
  options: [
    {
      name: "vectors",
      kind: "text",
      value: "FILE",
      summary: "Compare vectors of the model with those of a file instead (for developers)",
    },
  ],
  async run(invocation) {
    const { isJson, terminal, options } = invocation;
    const { vectors } = options;
    if (typeof vectors === "string") return await checkVectors(vectors, { isJson, terminal });
    const rows = await runDoctor(
      (await (await openServices(invocation)).openMaintenance()).doctorFacts,
    );
    const isBroken = hasBroken(rows);
    if (isJson) {
      await terminal.data(`${JSON.stringify({ ok: !isBroken, checks: rows })}\n`);
      return isBroken ? 1 : 0;
    }
    const width = Math.max(...rows.map(({ title }) => title.length));
    for (const { title, status, detail, fix, error = "" } of rows) {
      const mark = terminal.paint(status.padEnd(6), COLOURS[status]);
      const indent = " ".repeat(width + 10);
      const place = { columns: terminal.columns, indent, firstWidth: indent.length };
      const words = fix === null ? [] : foldAfter(indent, await renderForUser(fix), place);
      const first = `${mark}  ${title.padEnd(width)}  `;
      const lines = splitFailure(error, detail).flatMap((line, at) =>
        foldAfter(at === 0 ? first : indent, line, place)
      );
      await terminal.out(...lines, ...words);
    }
    return isBroken ? 1 : 0;
  },
};
