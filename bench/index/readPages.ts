import { loadNetwork } from '../../src/chainData/network.ts'
import { openChain } from '../../src/chainData/openChain.ts'
import type { Address } from '../../src/primitives/bytes.ts'
import { searchAfter, searchBefore } from '../../src/rpc/blocks/searchAccount.ts'

export interface PageTimes {
  /** Transactions in which the account appears. */
  readonly appearances: number
  /** Median milliseconds of a page. */
  readonly newest: number
  readonly middle: number
  readonly oldest: number
}

const pageSize = 25
const repeats = 15

/** Reads pages of one account from different places of an indexed chain. */
export async function readPages(dataPath: string, genesisFile: string, address: Address): Promise<PageTimes> {
  const network = loadNetwork(genesisFile, undefined)
  const options = { keepRevertReasons: false, checkWork: false, indexAccounts: true }
  const { chain, close } = await openChain({ dataPath, network, ...options })
  try {
    return chain.read((view) => {
      let appearances = 0
      for (const { indexes } of view.appearances(address, 0n, 'ascending')) appearances += indexes.length
      const middle = view.head.header.number / 2n
      return {
        appearances,
        newest: median(() => searchBefore(view, address, 0n, pageSize)),
        middle: median(() => searchBefore(view, address, middle, pageSize)),
        oldest: median(() => searchAfter(view, address, 0n, pageSize)),
      }
    })
  } finally {
    await close()
  }
}

function median(action: () => unknown): number {
  const times = Array.from({ length: repeats }, () => {
    const started = performance.now()
    action()
    return performance.now() - started
  })
  return times.sort((a, b) => a - b)[repeats >> 1]!
}
