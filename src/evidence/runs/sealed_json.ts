/** JSON files that count only with this program's seal: verification results and trust. */
import { readControlText } from "../../base/files/control_file.ts";
import type { OwnOptions } from "../../base/files/own_folder.ts";
import { writeOwnFile } from "../../base/files/own_folder.ts";
import type { Seal } from "../../base/files/seal.ts";

/** The content of a sealed file. */
export type SealedJson =
  | { readonly kind: "absent" }
  | { readonly kind: "whole"; readonly value: Readonly<Record<string, unknown>> }
  /** The file was changed by hand, damaged, or written without a key; its content is ignored. */
  | { readonly kind: "worthless" };

const SEAL_AT_END = /,"seal":"([0-9a-f]{8}:[0-9a-f]{64})"\}\s*$/;

/** Reads a file. Its content counts only with a valid seal of the present key. */
export async function readSealedJson(path: string, seal: Seal): Promise<SealedJson> {
  const text = readControlText(path, "memory");
  if (text === undefined) return { kind: "absent" };
  const match = SEAL_AT_END.exec(text);
  if (match === null) return { kind: "worthless" };
  const body = `${text.slice(0, match.index)}}`;
  const verdict = await seal.check(body, match[1] ?? null);
  if (verdict !== "fits") return { kind: "worthless" };
  return { kind: "whole", value: JSON.parse(body) as Readonly<Record<string, unknown>> };
}

/** How a sealed file is written. */
export interface SealedWriteOptions extends OwnOptions {
  readonly seal: Seal;
}

/** Writes a value with its seal, readable by its owner only; returns whether it could be sealed. */
export async function writeSealedJson(
  path: string,
  value: Readonly<Record<string, unknown>>,
  { seal, ...own }: SealedWriteOptions,
): Promise<boolean> {
  const body = JSON.stringify(value);
  const signature = await seal.sign(body);
  const text = signature === null ? body : `${body.slice(0, -1)},"seal":"${signature}"}`;
  await writeOwnFile(path, `${text}\n`, { ...own, mode: 0o600 });
  return signature !== null;
}
