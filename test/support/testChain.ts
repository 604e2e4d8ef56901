import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Chain } from '../../src/chain/chain.ts'
import type { ChainParts } from '../../src/chain/chainParts.ts'
import { createChain } from '../../src/chain/createChain.ts'
import { createMainnetEngine } from '../../src/consensus/mainnet/mainnetEngine.ts'
import { draftHeader } from '../../src/consensus/producing/draftHeader.ts'
import { createEvm } from '../../src/evm/createEvm.ts'
import { type ChainSpec, createChainSpec } from '../../src/forks/chainSpec.ts'
import { createDevGenesis, devAccounts } from '../../src/forks/devGenesis.ts'
import { toGenesisFile } from '../../src/forks/genesisFile.ts'
import { type Address, zeroAddress } from '../../src/primitives/bytes.ts'
import { fromHex } from '../../src/primitives/hex.ts'
import { oneStep } from '../../src/primitives/steps.ts'
import { createStateStore } from '../../src/state/stateStore.ts'
import { openStore } from '../../src/store/openStore.ts'
import type { Store } from '../../src/store/store.ts'
import type { Block } from '../../src/types/block.ts'
import { senderOf, signTx } from '../../src/types/signTx.ts'
import type { Tx } from '../../src/types/transaction.ts'

/** A real chain in a folder of its own. */
export interface TestChain {
  readonly chain: Chain
  readonly store: Store
  readonly path: string
  close(): Promise<void>
}

export const devSpec = createChainSpec(toGenesisFile(createDevGenesis('london')))
export const devKey = fromHex(devAccounts[0].privateKey)

/** Opens a chain, in a new temporary folder unless one is given; `change` may put other parts in. */
export function openTestChain(
  spec: ChainSpec = devSpec,
  path = mkdtempSync(join(tmpdir(), 'quoin-chain-')),
  change: (parts: ChainParts) => ChainParts = (parts) => parts,
): TestChain {
  const store = openStore(join(path, 'database'))
  const parts = change({
    spec,
    store,
    states: createStateStore(store),
    consensus: createMainnetEngine({ spec }),
    evm: createEvm('fast'),
    keepRevertReasons: true,
  })
  return { chain: createChain(parts), store: parts.store, path, close: () => store.close() }
}

export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true })
}

/** A signed legacy transaction of the first development account. */
export function devTx(
  nonce: bigint,
  fields: { to?: Address; value?: bigint; data?: Uint8Array; gasLimit?: bigint } = {},
): Tx {
  const { to, value = 0n, data = new Uint8Array(0), gasLimit = 1_000_000n } = fields
  return signTx({ type: 0, nonce, gasPrice: 1000n, gasLimit, to, value, data, chainId: devSpec.chainId }, devKey)
}

/** What a test may decide about a block. */
interface DraftPlan {
  readonly timestamp?: bigint
  readonly extraData?: Uint8Array
}

/** An empty block on the head, as far as it is known before it runs. */
export function draftBlock(chain: Chain, plan: DraftPlan = {}): Block {
  const parent = chain.head()
  const header = draftHeader(
    parent,
    {
      timestamp: plan.timestamp ?? parent.header.timestamp + 1n,
      beneficiary: zeroAddress,
      extraData: plan.extraData ?? new Uint8Array(0),
      difficulty: 100n,
      targetGasLimit: undefined,
    },
    chain.spec,
  )
  return { header, transactions: [], ommers: [], withdrawals: undefined }
}

/** Makes a block of the given transactions on the head. */
export function makeBlock(chain: Chain, txs: readonly Tx[] = [], plan: DraftPlan = {}): Block {
  const made = chain.produce(
    draftBlock(chain, plan),
    oneStep((run) => {
      for (const tx of txs) run.add(tx, senderOf(tx))
      return txs
    }),
  )
  return made!.block
}
