/** Embeds texts away from the thread that answers; one text at a time, until it is ended. */
import type { EmbeddingJob, EmbeddingResult } from "./embedder.ts";
import type { Encoder } from "./encoder.ts";
import { createEncoder } from "./encoder.ts";

const scope = self as unknown as {
  onmessage: (event: MessageEvent<EmbeddingJob | { readonly folder: string | null }>) => void;
  postMessage(value: EmbeddingResult): void;
};

let loading: Promise<Encoder> | null = null;

scope.onmessage = ({ data }) => {
  // The model is loaded at once, while the first text is still on its way.
  if ("folder" in data) {
    loading = createEncoder(data.folder === null ? undefined : new URL(data.folder));
  } else void embed(data).then((result) => scope.postMessage(result));
};

/** It never rejects: what goes wrong is a result with a reason. */
async function embed(job: EmbeddingJob): Promise<EmbeddingResult> {
  try {
    if (loading === null) return { kind: "failed", reason: "no model was named" };
    const encoder = await loading;
    return { kind: "vector", vector: await encoder.encode(job.role, job.text, job.maxTokens) };
  } catch (error) {
    return { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
  }
}
