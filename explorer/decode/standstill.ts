/** Times the usual time between blocks, and seconds more than that, after which blocks are missed. */
const factor = 5
const least = 10

/**
 * Whether a chain stands still that nobody has had a block of for so many seconds, judged by the blocks before: `blocks` came between two
 * timestamps.
 */
export function standstillOf(
  from: number,
  to: number,
  blocks: number,
  seconds: number,
): { readonly seconds: number; readonly usual: number } | undefined {
  if (blocks === 0) return undefined
  // The first block comes long after genesis.
  const usual = from === 0 ? 1 : (to - from) / blocks
  return seconds > Math.max(factor * usual, usual + least) ? { seconds, usual } : undefined
}
