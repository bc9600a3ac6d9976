/** The name and version of the program: the one place they are written, beside `deno.json`. */

/** Name of the program, of the server in client configurations and of the executable. */
export const PROGRAM_NAME = "code-intel";

/** Version of the program; a test compares it with `deno.json`. */
export const VERSION = "0.1.0";

/** Version of the SQLite extension inside; a test compares it with `deno.json`. */
export const SQLITE_VEC_VERSION = "0.1.9";
