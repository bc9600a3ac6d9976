/** The table of ways by which runs are watched: the row of a runner names its own (`Runner.watch`). */
import type { Tracer } from "../../../runners/runner.ts";
import type { Way } from "../record/recording.ts";

/** The ways that are built; a tracer without a row records nothing. */
export const WAYS: Readonly<Partial<Record<Tracer, () => Promise<Way>>>> = {
  deno: async () => (await import("./deno.ts")).DENO_WAY,
  python: async () => (await import("./python.ts")).PYTHON_WAY,
  go: async () => (await import("./go.ts")).GO_WAY,
  node: async () => (await import("./node.ts")).NODE_WAY,
  java: async () => (await import("./java.ts")).JAVA_WAY,
  pcov: async () => (await import("./php.ts")).PHP_WAY,
};
