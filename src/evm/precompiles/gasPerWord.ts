/** Returns a gas function with a fixed part and a part per started word of 32 bytes. */
export function gasPerWord(base: number, perWord: number): (input: Uint8Array) => bigint {
  return (input) => BigInt(base + perWord * Math.ceil(input.length / 32))
}
