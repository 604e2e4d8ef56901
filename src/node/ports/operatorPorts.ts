import type { Chain } from '../../chain/chain.ts'
import type { ConsensusEngine } from '../../chain/engine.ts'
import { createLogKeeper } from '../../chain/logs/logKeeper.ts'
import { createResync } from '../../chain/rebuild/resync.ts'
import { hasSignedAfter } from '../../consensus/hasSignedAfter.ts'
import { createEvm } from '../../evm/createEvm.ts'
import type { Address } from '../../primitives/bytes.ts'
import type { RpcContext } from '../../rpc/protocol/context.ts'
import type { PublicState } from '../../state/publicState.ts'
import type { Store } from '../../store/store.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'

export interface OperatorParts {
  readonly chain: Chain
  readonly store: Store
  readonly states: PublicState
  readonly consensus: ConsensusEngine
  /** Address of the node's key. */
  readonly address: Address
  /** Blocks behind the head whose states are kept; 0 keeps all. */
  readonly historyBlocks: number
  /** Whether blocks are indexed when they are imported. */
  readonly indexLogs: boolean
  readonly clock: Clock
  readonly log: Logger
}

/** The ports of the ADMIN and DEBUG methods that change the chain, and a way to stop the work that they started. */
export interface OperatorPorts {
  readonly ports: Pick<RpcContext, 'badBlocks' | 'control' | 'logIndex'>
  stop(): void
}

/** Lets an operator move the head, rebuild the world state and repair the log index. */
export function createOperatorPorts(parts: OperatorParts): OperatorPorts {
  const { chain, store, states, consensus, address, historyBlocks, indexLogs, clock, log } = parts
  const { spec } = chain
  const evm = () => createEvm('fast')
  const resync = createResync({
    spec,
    store,
    states,
    consensus,
    chain,
    createEngine: evm,
    historyBlocks,
    clock,
    log: log.child('resync'),
  })
  const logIndex = createLogKeeper({ store, clock, automatic: indexLogs, log: log.child('logs') })
  return {
    ports: {
      badBlocks: chain.badBlocks,
      control: {
        hasSignedAfter: (number) => hasSignedAfter(number, chain, consensus, address),
        setHead: chain.setHead,
        replayBlock: chain.replayBlock,
        resyncState: resync.start,
      },
      logIndex,
    },
    stop() {
      resync.close()
      logIndex.close()
    },
  }
}
