/**
 * How the executable's engine is set: half of the usual room for young objects. Each thread has its own; building an
 * index needs about 100 MB less and no more time.
 */
export const V8_FLAGS = "--max-semi-space-size=8";
