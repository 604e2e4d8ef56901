export const vanityLength = 32

/** Extra data of the operator as a vanity of 32 bytes: padded with zeros on the left, or cut off at the end. */
export function vanityOf(bytes: Uint8Array): Uint8Array {
  const vanity = new Uint8Array(vanityLength)
  const kept = bytes.subarray(0, vanityLength)
  vanity.set(kept, vanityLength - kept.length)
  return vanity
}
