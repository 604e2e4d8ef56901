import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Chain } from '../../src/chain/chain.ts'
import { createChain } from '../../src/chain/createChain.ts'
import type { ConsensusEngine } from '../../src/chain/engine.ts'
import type { ChainSpec } from '../../src/forks/chainSpec.ts'
import { rlpItemEnd } from '../../src/primitives/rlp.ts'
import { createStateStore } from '../../src/state/stateStore.ts'
import { openStore } from '../../src/store/openStore.ts'
import { type Block, decodeBlock } from '../../src/types/block.ts'
import { engineOf } from './engines.ts'
import type { SuiteOptions } from './suite.ts'

/** Lets `use` work with a real chain on disk, which is gone afterwards. */
export async function withDiskChain(
  spec: ChainSpec,
  consensus: ConsensusEngine,
  { engine }: SuiteOptions,
  use: (chain: Chain) => void,
): Promise<void> {
  const path = mkdtempSync(join(tmpdir(), 'quoin-consensus-'))
  const store = openStore(join(path, 'database'))
  try {
    use(createChain({ spec, store, states: createStateStore(store), consensus, evm: engineOf(engine) }))
  } finally {
    await store.close()
    rmSync(path, { recursive: true, force: true })
  }
}

/** The blocks of a file of concatenated RLP. */
export function blocksOf(bytes: Uint8Array): Block[] {
  const blocks: Block[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = rlpItemEnd(bytes, at)
    blocks.push(decodeBlock(bytes.subarray(at, end)))
    at = end
  }
  return blocks
}
