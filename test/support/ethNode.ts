import type { Chain } from '../../src/chain/chain.ts'
import type { ChainParts } from '../../src/chain/chainParts.ts'
import type { ConsensusEngine } from '../../src/chain/engine.ts'
import type { HashedHeader } from '../../src/chain/view.ts'
import { createMainnetEngine } from '../../src/consensus/mainnet/mainnetEngine.ts'
import type { SubProtocol } from '../../src/net/protocol.ts'
import { createCurrentView } from '../../src/node/ports/currentView.ts'
import { poolHeadOf } from '../../src/node/ports/poolHead.ts'
import { createPool } from '../../src/pool/createPool.ts'
import { createIntake, type Intake } from '../../src/pool/intake.ts'
import { defaultPoolOptions } from '../../src/pool/options.ts'
import type { Pool } from '../../src/pool/pool.ts'
import type { PoolHead } from '../../src/pool/ports.ts'
import { createRecoverPool, type RecoverPool } from '../../src/recovery/recoverPool.ts'
import { createEthService, type EthService } from '../../src/sync/createEthService.ts'
import { systemClock } from '../../src/system/clock.ts'
import type { Logger } from '../../src/system/logger.ts'
import { createSilentLogs } from './silentLogs.ts'
import { devSpec, openTestChain, removeFolder } from './testChain.ts'

/** A chain on the development network and a pool over it: what eth is put on. */
export interface ChainNode {
  readonly chain: Chain
  readonly consensus: ConsensusEngine
  readonly networkId: bigint
  readonly pool: Pool
  readonly intake: Intake
  readonly recover: RecoverPool
  readonly path: string
  readonly log: Logger
  head(): HashedHeader
  /** Its folder stays when it is to be opened again. */
  close(keepFolder?: boolean): Promise<void>
}

/** Opens a node, in a new folder unless one is given; `change` may put other parts in. */
export function openChainNode(path?: string, spec = devSpec, change?: (parts: ChainParts) => ChainParts): ChainNode {
  const { chain, path: folder, close } = openTestChain(spec, path, change)
  const current = createCurrentView(chain, systemClock)
  let poolHead: PoolHead | undefined
  const pool = createPool(defaultPoolOptions, {
    head: () => (poolHead ??= poolHeadOf(current.get())),
    mining: () => ({ enabled: false, minGasPrice: 0n }),
  })
  chain.onHead(({ added, removed }) => {
    poolHead = undefined
    pool.onHead({
      added: added.flatMap(({ block }) => block.transactions),
      removed: removed.flatMap(({ block }) => block.transactions),
      now: Date.now(),
    })
  })
  const recover = createRecoverPool({ threads: 0 })
  return {
    chain,
    consensus: createMainnetEngine({ spec: devSpec }),
    networkId: 1337n,
    pool,
    intake: createIntake({ pool, recover, clock: systemClock, isBlockDue: () => false }),
    recover,
    path: folder,
    log: createSilentLogs(),
    head: () => current.get().head,
    async close(keepFolder = false) {
      await recover.close()
      current.close()
      await close()
      if (!keepFolder) removeFolder(folder)
    },
  }
}

/** A node that speaks eth over whatever its protocols are opened on. */
export interface EthNode extends ChainNode {
  readonly eth: EthService
  protocol(version: number): SubProtocol
}

export function startEthNode(path?: string): EthNode {
  const node = openChainNode(path)
  const eth = createEthService({ ...node, clock: systemClock, random: Math.random })
  return {
    ...node,
    eth,
    protocol: (version) => eth.protocols.find((protocol) => protocol.version === version)!,
    async close(keepFolder) {
      await eth.stop()
      await node.close(keepFolder)
    },
  }
}
