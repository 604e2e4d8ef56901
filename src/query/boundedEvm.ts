import type { Evm } from '../evm/evm.ts'
import type { Outcome } from '../evm/message.ts'
import { Fault } from '../primitives/fault.ts'

/** Thrown when code needs more work than it may do here; the interpreter is as it was before the message. */
export class LongRunError extends Fault<{ readonly code: 'LONG_RUN' }> {
  constructor() {
    super({ code: 'LONG_RUN' })
  }
}

/** The gas that code may still spend, of whatever gas it has. */
export interface Work {
  left: bigint
}

/** More than any code spends. */
export const unlimitedWork = (1n << 62n) - 1n

/** An EVM of a kind that pauses, whose messages draw on `work` and throw a LongRunError when it is used up. */
export function boundedEvm(evm: Evm, work: Work): Evm {
  function within(run: () => Outcome): Outcome {
    evm.setWork(work.left)
    const outcome = run()
    work.left = evm.workLeft()
    if (outcome.status !== 'paused') return outcome
    evm.abandon()
    throw new LongRunError()
  }
  return {
    ...evm,
    call: (message) => within(() => evm.call(message)),
    create: (message) => within(() => evm.create(message)),
  }
}
