import { join } from 'node:path'
import type { Chain } from '../chain/chain.ts'
import { createChain } from '../chain/createChain.ts'
import type { ConsensusEngine } from '../chain/engine.ts'
import type { TxPermission } from '../chain/permissionCheck.ts'
import { checkRequiredBlocks, type RequiredBlock, requireBlocks } from '../chain/requiredBlocks.ts'
import { createConsensus } from '../consensus/createConsensus.ts'
import { verifySeal } from '../consensus/ethash/verifySeal.ts'
import { openStateEdits, type StateEdits } from '../dev/stateEdits.ts'
import { createEvm } from '../evm/createEvm.ts'
import type { Tracer } from '../evm/tracer.ts'
import type { ChainSpec } from '../forks/chainSpec.ts'
import type { Address } from '../primitives/bytes.ts'
import { createPublicState, type PublicState } from '../state/publicState.ts'
import { openStore } from '../store/openStore.ts'
import type { Owner } from '../store/owner.ts'
import type { Store } from '../store/store.ts'
import { explainDevMismatch } from './devMismatch.ts'
import type { Network } from './network.ts'

/** The data directory and the chain in it. */
export interface OpenChain {
  readonly store: Store
  readonly states: PublicState
  readonly consensus: ConsensusEngine
  readonly chain: Chain
  /** Undefined on other networks than the development network. */
  readonly edits: StateEdits | undefined
  close(): Promise<void>
}

export interface OpenChainOptions {
  readonly dataPath: string
  readonly network: Network
  readonly keepRevertReasons: boolean
  /** Indexes the logs of blocks when they are imported; true by default. */
  readonly indexLogs?: boolean
  /** Indexes in which transactions accounts appear; false by default. */
  readonly indexAccounts?: boolean
  /** Checks the proof of work of blocks on networks that use it. */
  readonly checkWork: boolean
  /** Traces the blocks; slows them down. */
  readonly tracer?: Tracer | undefined
  /** The account that gets the fees of blocks made here; undefined if the block names it. */
  readonly producer?: Address
  /** Resident bytes of the database above which it is mapped again; no limit if undefined. */
  readonly maxMapped?: number
  /** Who has the data directory open, if another thread of this process has. */
  readonly owner?: Owner
  /** Whether blocks come many at a time, and nobody asks for them meanwhile; false by default. */
  readonly isBulk?: boolean
  /** Account permissioning of all blocks; if absent, all transactions are permitted. */
  readonly permits?: TxPermission | undefined
  /** Blocks that the chain must have; none by default. */
  readonly requiredBlocks?: readonly RequiredBlock[]
}

/** Users of the development network set base fees, and change the state in blocks that take no time. */
const devHeaderOptions = { period: 0n, anyBaseFee: true }

/** Opens the data directory; writes the genesis block if it is new. */
export async function openChain(options: OpenChainOptions): Promise<OpenChain> {
  const {
    dataPath,
    network,
    keepRevertReasons,
    indexLogs = true,
    indexAccounts = false,
    producer,
    requiredBlocks = [],
  } = options
  const database = join(dataPath, 'database')
  const store = openStore(database, { maxMapped: options.maxMapped, ...(options.owner && { owner: options.owner }) })
  try {
    const edits = network.isDev ? openStateEdits(store) : undefined
    const { spec, consensus: engine } = createNodeConsensus(network, edits, options.checkWork)
    const consensus = { ...requireBlocks(engine, requiredBlocks), ...(producer && { beneficiary: () => producer }) }
    const states = createPublicState(store)
    const chain = createChain({
      spec,
      store,
      states,
      consensus,
      evm: options.tracer ? createEvm('exact', options.tracer) : createEvm('fast'),
      keepRevertReasons,
      indexLogs,
      indexAccounts,
      isBulk: options.isBulk ?? false,
      permits: options.permits,
    })
    chain.read((view) => checkRequiredBlocks(view, requiredBlocks))
    return { store, states, consensus, chain, edits, close: () => store.close() }
  } catch (error) {
    const explained = explainDevMismatch(error, network, createPublicState(store))
    await store.close()
    throw explained
  }
}

/** The consensus engine of a network, and its rules with the edits of the development network. */
export function createNodeConsensus(
  network: Network,
  edits: Pick<StateEdits, 'editsOf'> | undefined,
  checkWork: boolean,
): { readonly spec: ChainSpec; readonly consensus: ConsensusEngine } {
  const spec = edits ? { ...network.spec, editsOf: edits.editsOf } : network.spec
  const isChecked = checkWork && spec.consensus.kind === 'ethash' && !network.isDev
  const engine = createConsensus(spec, {
    ...(isChecked && { checkWork: verifySeal }),
    ...(network.isDev && { headerOptions: devHeaderOptions }),
  })
  // One node makes all blocks of the development network.
  return { spec, consensus: { ...engine, ...(network.isDev && { isFinal: () => true }) } }
}
