import type { ConsensusEngine } from '../chain/engine.ts'
import type { ChainView, HashedBlock, HashedHeader } from '../chain/view.ts'
import { createEvm, type Evm } from '../evm/evm.ts'
import type { Host } from '../evm/host.ts'
import { startBlock } from '../execution/applyBlock.ts'
import { blockEnvOf } from '../execution/blockEnv.ts'
import { createHost } from '../state/createHost.ts'
import type { StateView } from '../state/view.ts'
import { senderOf } from '../types/signTx.ts'
import type { StateChanges } from '../types/stateChanges.ts'
import { markedKey } from './markers.ts'
import { createPendingState } from './pendingState.ts'
import { createPrivateHost, hostOfRunning } from './privateHost.ts'
import type { PrivateReceipt } from './privateReceipts.ts'
import {
  finish,
  finishInTurns,
  invalidReceipt,
  type PrivateMessage,
  type PrivateOutcome,
  runPrivateTx,
} from './runPrivateTx.ts'

/** A private transaction of a block, and the index of its marker. */
export interface PrivateJob {
  readonly index: number
  /** Whether it is for this chain; if not it is not run. */
  readonly isValid: boolean
  readonly message: PrivateMessage
}

export interface PrivateExecutorParts {
  readonly consensus: Pick<ConsensusEngine, 'beneficiary'>
  /** From this block on the EVM runs as everyone knows it, and not as Besu runs it in private; undefined: never. */
  readonly exactFrom: bigint | undefined
}

/** Runs private transactions, of one group at a time. */
export interface PrivateExecutor {
  /** Runs those of a block on the group's state before it, one block at a time; `chain` and `state` must stay open. */
  runBlock(
    chain: ChainView,
    block: HashedBlock,
    group: Uint8Array,
    state: StateView,
    jobs: readonly PrivateJob[],
  ): Promise<{ readonly receipts: readonly PrivateReceipt[]; readonly changes: StateChanges }>
  /** Lets a run that goes on reject. */
  stop(): void
  /** Tries a call out on the state after a block. */
  call(
    chain: ChainView,
    at: HashedHeader,
    group: Uint8Array,
    state: StateView,
    message: Omit<PrivateMessage, 'nonce'>,
  ): PrivateOutcome
}

export function createPrivateExecutor({ consensus, exactFrom }: PrivateExecutorParts): PrivateExecutor {
  const createEvms = () => ({
    besu: createEvm('sliced', { sharedChanges: true }),
    exact: createEvm('sliced'),
  })
  const evms = createEvms()
  // Calls come while a transaction pauses.
  const evmsOfCalls = createEvms()
  const publicEvm = createEvm('fast')
  let isStopped = false

  function enter({ spec, rulesOf }: ChainView, { header }: HashedHeader, host: Host, from = evms): Evm {
    const evm = exactFrom !== undefined && header.number >= exactFrom ? from.exact : from.besu
    const rules = rulesOf(header)
    evm.reset(host)
    evm.setBlock(blockEnvOf(header, rules, spec.chainId, consensus.beneficiary(header)), rules)
    return evm
  }

  /** The public state as it is before each transaction of a block; to be asked for in ascending order. */
  function createPublicStates(chain: ChainView, hashed: HashedBlock): (index: number) => Host {
    const { block, header } = hashed
    const before = createHost(chain.stateAt(header.number - 1n), chain.hashAt)
    // Markers alone leave nothing that contracts could read.
    const first = block.transactions.findIndex((tx) => !markedKey(tx))
    let run: ReturnType<typeof startBlock> | undefined
    let done = 0
    return (index) => {
      if (first < 0 || index <= first) return before
      if (!run) {
        publicEvm.reset(before)
        const { spec } = chain
        const rules = chain.rulesOf(header)
        const beneficiary = consensus.beneficiary(header)
        const rootOf = (changes: StateChanges) => chain.stateAt(header.number - 1n).rootOf(changes)
        run = startBlock(publicEvm, block, { spec, rules, rootOf, beneficiary })
      }
      for (; done < index; done++) run.add(block.transactions[done]!, senderOf(block.transactions[done]!))
      return hostOfRunning(publicEvm, before)
    }
  }

  return {
    async runBlock(chain, block, group, state, jobs) {
      const publicAt = createPublicStates(chain, block)
      const pending = createPendingState(createHost(state, chain.hashAt))
      const receipts: PrivateReceipt[] = []
      for (const { index, isValid, message } of jobs) {
        if (!isValid) {
          receipts.push(invalidReceipt)
          continue
        }
        const evm = enter(chain, block, createPrivateHost(pending, publicAt(index), [message.sender]))
        const receipt = await finishInTurns(runPrivateTx(evm, message, group), () => isStopped)
        if (receipt.status === 1) pending.add(evm.changes())
        receipts.push(receipt)
      }
      return { receipts, changes: pending.changes() }
    },
    stop() {
      isStopped = true
    },
    call(chain, at, group, state, call) {
      const open = createHost(chain.stateAt(at.header.number), chain.hashAt)
      const host = createPrivateHost(createHost(state, chain.hashAt), open, [call.sender])
      const evm = enter(chain, at, host, evmsOfCalls)
      return finish(runPrivateTx(evm, { ...call, nonce: evm.nonce(call.sender) }, group, false))
    },
  }
}
