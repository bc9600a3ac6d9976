/** What a place that names a symbol does with it: one vocabulary for the index and the answers. Pure. */

/** What a place does with a name; `text` is a mention in a comment or string. */
export type ReferenceKind = "call" | "import" | "type" | "write" | "read" | "definition" | "text";
