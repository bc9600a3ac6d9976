/**
 * The option `--vectors` of `doctor`: checks that the embedding model gives the right vectors on
 * this machine, by comparing them with vectors that were made elsewhere.
 */
import { toCountText } from "../../base/text/plain_text.ts";
import { createHash } from "node:crypto";
import { createEmbedder } from "../../embedding/embedder.ts";
import type { Command, ExitCode } from "../command.ts";
import { readNamedFile } from "../named_file.ts";

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
export async function compareVectors(
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
      cosines.push(toCosine(own, vector));
    }
  } finally {
    embedder.close();
  }
  const worst = Math.min(...cosines);
  const isRight = cosines.length > 0 && worst >= MIN_COSINE;
  const sha256 = hash.digest("hex");
  const reply = { ok: isRight, texts: cosines.length, worst_cosine: worst, vectors_sha256: sha256 };
  const text = `${toCountText(cosines.length, "text")}, lowest cosine ${
    worst.toFixed(4)
  }, vectors ${sha256}`;
  await (isJson ? terminal.data(`${JSON.stringify(reply)}\n`) : terminal.out(text));
  return isRight ? 0 : 1;
}

function toCosine(left: Float32Array, right: readonly number[]): number {
  let [product, leftSquares, rightSquares] = [0, 0, 0];
  left.forEach((a, at) => {
    const b = right[at] ?? 0;
    product += a * b;
    leftSquares += a * a;
    rightSquares += b * b;
  });
  return product / Math.sqrt(leftSquares * rightSquares);
}
