import type { ChainView, HashedBlock } from '../../chain/view.ts'
import type { Evm } from '../../evm/evm.ts'
import type { Host } from '../../evm/host.ts'
import { startBlock } from '../../execution/applyBlock.ts'
import { createHost } from '../../state/createHost.ts'
import { senderOf } from '../../types/signTx.ts'
import type { StateChanges } from '../../types/stateChanges.ts'
import { markedKey } from '../sending/markers.ts'
import { hostOfRunning } from './privateHost.ts'
import type { PrivateExecutorParts } from './privateJobs.ts'

/** The public state as it is before each transaction of a block, which contracts of groups read; to be asked for in ascending order. */
export function createPublicStates(
  evm: Evm,
  chain: ChainView,
  hashed: HashedBlock,
  { kind, consensus }: Pick<PrivateExecutorParts, 'kind' | 'consensus'>,
  pause: () => Promise<void>,
): (index: number) => Promise<Host> {
  const { block, header } = hashed
  const before = createHost(chain.stateAt(header.number - 1n), chain.hashAt)
  // Markers alone leave nothing that contracts could read.
  const first = block.transactions.findIndex((tx) => !markedKey(tx, kind))
  let run: ReturnType<typeof startBlock> | undefined
  let done = 0
  return async (index) => {
    if (first < 0 || index <= first) return before
    if (!run) {
      evm.reset(before)
      const { spec } = chain
      const rules = chain.rulesOf(header)
      const beneficiary = consensus.beneficiary(header)
      const rootOf = (changes: StateChanges) => chain.stateAt(header.number - 1n).rootOf(changes)
      run = startBlock(evm, block, { spec, rules, rootOf, beneficiary })
    }
    for (; done < index; done++) {
      await pause()
      run.add(block.transactions[done]!, senderOf(block.transactions[done]!))
    }
    return hostOfRunning(evm, before)
  }
}
