import type { Chain } from '../../../src/chain/chain.ts'
import { createDevChain } from '../../../src/chainData/devChain.ts'
import { loadNetwork } from '../../../src/chainData/network.ts'
import { openChain } from '../../../src/chainData/openChain.ts'
import { fromHex, hexToAddress } from '../../../src/primitives/hex.ts'
import { oneStep, runSteps } from '../../../src/primitives/steps.ts'
import type { Block } from '../../../src/types/block.ts'
import { draftBlock } from '../../support/testChain.ts'

/** An empty block on the head, made by the account of this byte. */
function draft(chain: Chain, maker: string): Block {
  const block = draftBlock(chain, { extraData: fromHex(maker) })
  return { ...block, header: { ...block.header, beneficiary: hexToAddress(maker.repeat(20)) } }
}

/** Writes a development chain into a data folder: its second block has an uncle, a block 1 that is not canonical. */
export async function writeChainWithUncle(dataPath: string): Promise<void> {
  const { chain, close } = await openChain({
    dataPath,
    network: loadNetwork(undefined, undefined, createDevChain({ fork: 'london' })),
    keepRevertReasons: false,
    checkWork: false,
  })
  const empty = oneStep(() => [])
  const uncle = runSteps(chain.propose(draft(chain, 'aa'), empty))!
  chain.produce(draft(chain, 'bb'), empty)
  chain.importBlock(uncle.block)
  chain.produce({ ...draft(chain, 'cc'), ommers: [uncle.header] }, empty)
  await close()
}
