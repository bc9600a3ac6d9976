/** Contents that other machines analysed, as the index takes them. Pure types. */

/** What makes a content one, wherever it is. */
export interface SharedKey {
  /** Hash of the bytes. */
  readonly hash: Uint8Array;
  /** Key of the variant. */
  readonly variant: string;
}

/** The record of a content. */
export interface SharedRecord {
  readonly record: Uint8Array;
  /** Name of the pack that it came in. */
  readonly pack: string;
  /** Whether it is to be compared with an analysis of this machine. */
  readonly isProof: boolean;
}

/** Where records of contents come from. */
export interface SharedContents {
  /** The record of a content; null where nobody shared one. Never fails. */
  find(key: SharedKey): Promise<SharedRecord | null>;
  /** Gives nothing of a pack any more, now and later, and tells the person why. */
  refuse(pack: string, reason: string): Promise<void>;
  /** Whether nothing of a pack may be used. */
  isRefused(pack: string): boolean;
  /** The packs that are refused, each once: what came in them has to be removed. */
  takeRefused(): readonly string[];
}
