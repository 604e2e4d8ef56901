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
import { invalidReceipt, type PrivateMessage, type PrivateOutcome, runPrivateTx } from './runPrivateTx.ts'

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
  /** Runs those of a block on the group's state before it. */
  runBlock(
    chain: ChainView,
    block: HashedBlock,
    group: Uint8Array,
    state: StateView,
    jobs: readonly PrivateJob[],
  ): { readonly receipts: readonly PrivateReceipt[]; readonly changes: StateChanges }
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
  const besuEvm = createEvm('fast', { sharedChanges: true })
  const exactEvm = createEvm('fast')
  const publicEvm = createEvm('fast')

  function enter({ spec, rulesOf }: ChainView, { header }: HashedHeader, host: Host): Evm {
    const evm = exactFrom !== undefined && header.number >= exactFrom ? exactEvm : besuEvm
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
    runBlock(chain, block, group, state, jobs) {
      const publicAt = createPublicStates(chain, block)
      const pending = createPendingState(createHost(state, chain.hashAt))
      const receipts = jobs.map(({ index, isValid, message }) => {
        if (!isValid) return invalidReceipt
        const host = createPrivateHost(pending, publicAt(index), [message.sender])
        const evm = enter(chain, block, host)
        const receipt = runPrivateTx(evm, message, group)
        pending.add(evm.changes())
        return receipt
      })
      return { receipts, changes: pending.changes() }
    },
    call(chain, at, group, state, call) {
      const open = createHost(chain.stateAt(at.header.number), chain.hashAt)
      const evm = enter(chain, at, createPrivateHost(createHost(state, chain.hashAt), open, [call.sender]))
      return runPrivateTx(evm, { ...call, nonce: evm.nonce(call.sender) }, group, false)
    },
  }
}
