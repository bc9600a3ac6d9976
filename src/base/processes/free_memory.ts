/**
 * Gives memory back to the system that the process no longer uses. The engine and the C library keep what was freed for
 * the next use, which after a large piece of work is most of what the process holds.
 */

/** Nothing that is still in use is lost. It takes some ten milliseconds, so it is for moments without work. */
export function giveMemoryBack(): void {
  collect();
  // What the first collection emptied the engine keeps until the next one.
  collect();
  trim();
}

/** What the engine offers when it was started with `--expose-gc`, as the executable is. */
type Collect = (
  options: { readonly type: "major"; readonly execution: "sync"; readonly flavor: "last-resort" },
) => void;

function collect(): void {
  const { gc } = globalThis as { readonly gc?: Collect };
  gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
}

/** The GNU C library keeps freed memory in each thread's part of it, also in those of threads that have ended. */
const GNU_C_LIBRARY = "libc.so.6";

function trim(): void {
  if (Deno.build.os !== "linux") return;
  // Where it was not granted nobody is asked for it.
  if (Deno.permissions.querySync({ name: "ffi" }).state !== "granted") return;
  try {
    const library = Deno.dlopen(GNU_C_LIBRARY, {
      "malloc_trim": { parameters: ["usize"], result: "i32" },
    });
    try {
      library.symbols.malloc_trim(0n);
    } finally {
      library.close();
    }
  } catch {
    // Another C library gives memory back by itself, or cannot.
  }
}
