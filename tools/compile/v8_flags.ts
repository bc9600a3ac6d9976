/**
 * How the executable's engine is set: half of the usual room for young objects, which each thread has for itself, and
 * a collection of the old ones when they have grown by four tenths. The second takes a twelfth longer over an index
 * of 50,000 files and 379 MB instead of 623 (`deno task bench --only index --files 50000`). A server at rest asks for a
 * collection itself (`src/base/processes/worker_pool.ts`).
 */
export const V8_FLAGS = "--max-semi-space-size=8,--heap-growing-percent=40,--expose-gc";
