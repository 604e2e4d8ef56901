import { toHex } from '../../../src/primitives/hex.ts'
import { txHash } from '../../../src/types/encodeTx.ts'
import { contentBlocks, sparseBlocks } from '../../content/contentBlocks.ts'
import type { ContentSize } from '../../content/prepareContent.ts'
import type { Content } from '../rows.ts'

/** Transactions that receipts are asked of, at most. */
const hashCount = 10_000

/** What a server can be asked for whose blocks with transfers begin at that number. */
export async function contentOf({ accounts, fullBlocks }: ContentSize, firstBlock: number): Promise<Content> {
  const all = (await contentBlocks(fullBlocks)).slice(sparseBlocks).flat()
  const step = Math.max(1, Math.floor(all.length / hashCount))
  const hashes = all.filter((_, i) => i % step === 0).slice(0, hashCount)
  return { accounts, fullBlocks, firstBlock, hashes: hashes.map(({ tx }) => toHex(txHash(tx))) }
}
