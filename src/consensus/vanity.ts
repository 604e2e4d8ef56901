const vanityLength = 32

/** The operator's bytes as blocks carry them: zeros in front up to the length; of what is longer the beginning counts. */
export function vanityOf(bytes: Uint8Array): Uint8Array {
  const vanity = new Uint8Array(vanityLength)
  const kept = bytes.subarray(0, vanityLength)
  vanity.set(kept, vanityLength - kept.length)
  return vanity
}
