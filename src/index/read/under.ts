/** A folder or a file as a condition of a statement. Pure. */

/** A condition for one file, or all below a folder, of the table `path`. */
export function toUnder(under: string): { readonly sql: string; readonly values: string[] } {
  if (under === "." || under === "") return { sql: "TRUE", values: [] };
  // A range rather than LIKE: no wildcards, and the index of paths serves it. `0` follows `/`.
  const sql = "(path.path = ? OR (path.path > ? AND path.path < ?))";
  return { sql, values: [under, `${under}/`, `${under}0`] };
}
