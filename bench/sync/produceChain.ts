import { closeSync, openSync, writeSync } from 'node:fs'
import type { Maker } from '../../src/chain/chain.ts'
import type { HashedHeader } from '../../src/chain/view.ts'
import type { Network } from '../../src/chainData/network.ts'
import { openChain } from '../../src/chainData/openChain.ts'
import type { ChainSpec } from '../../src/forks/chainSpec.ts'
import type { Address } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { oneStep } from '../../src/primitives/steps.ts'
import { encodeBlock } from '../../src/types/block.ts'
import type { Header } from '../../src/types/header.ts'
import type { Tx } from '../../src/types/transaction.ts'

/** What was made. */
export interface MadeChain {
  readonly gas: number
  readonly transactions: number
  /** Hash of the last block, in hex. */
  readonly head: string
}

/** How the blocks of a kind of network are made. */
export interface ChainMaker extends Maker {
  nextHeader(parent: HashedHeader, spec: ChainSpec): Header
}

/** Makes blocks with these transactions each, into a new data directory of Quoin and into a file of RLP blocks. */
export async function produceChain(
  network: Network,
  dataPath: string,
  rlpFile: string,
  maker: ChainMaker,
  blocks: Iterable<readonly { readonly tx: Tx; readonly sender: Address }[]>,
): Promise<MadeChain> {
  const { chain, close } = await openChain({ dataPath, network, keepRevertReasons: false, checkWork: false })
  const file = openSync(rlpFile, 'w')
  let parent: HashedHeader = chain.genesis
  let [gas, transactions] = [0, 0]
  try {
    for (const chosen of blocks) {
      const header = maker.nextHeader(parent, chain.spec)
      const made = chain.produce(
        { header, transactions: [], ommers: [], withdrawals: undefined },
        oneStep((run) => {
          for (const { tx, sender } of chosen) run.add(tx, sender)
          return chosen.map(({ tx }) => tx)
        }),
        maker,
      )!
      writeSync(file, encodeBlock(made.block))
      parent = made
      transactions += chosen.length
      gas += Number(made.header.gasUsed)
    }
  } finally {
    closeSync(file)
    await close()
  }
  return { gas, transactions, head: toHex(parent.hash) }
}
