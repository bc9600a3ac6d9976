/** Small numbers as bytes: seven bits a byte, lowest first; the highest bit says that more follow. Pure. */

/** Adds a number from 0 in seven bits a byte. */
export function pushNumber(bytes: number[], value: number): void {
  let rest = value;
  // Division rather than shifts: ids may be larger than 31 bits.
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
}
