/** The files of a project that lies in no folder of this machine, as a hub keeps them. Pure types. */

/** Gives files by their paths, which are relative to the project, with `/`. */
export interface StoredFiles {
  /** What is at a path; null where there is nothing. */
  find(path: string): Promise<"file" | "folder" | null>;
  /** The bytes of a file; null where there is none, or none that the index knows. */
  read(path: string): Promise<Uint8Array | null>;
}
