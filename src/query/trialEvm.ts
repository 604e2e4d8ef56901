import type { ChainView, HashedHeader } from '../chain/view.ts'
import type { Evm } from '../evm/evm.ts'
import type { Host } from '../evm/host.ts'
import { createHost } from '../state/createHost.ts'
import type { StateView } from '../state/view.ts'

/** The state after a block. */
export interface BlockState {
  readonly chain: ChainView
  readonly at: HashedHeader
  readonly state: StateView
}

/** An interpreter for trying things out. It has one user at a time, for as long as `use` runs. */
export interface TrialEvm {
  /**
   * Lends the interpreter on the state after a block. `use` must undo its changes, as `simulate` does. What it has read is
   * kept for the next use at the same block: most calls are on the head.
   */
  at<T>(where: BlockState, use: (evm: Evm) => T): T
  /** Lends the interpreter on any state. `use` may change it: nothing is kept. */
  apart<T>(host: Host, use: (evm: Evm) => T): T
}

/** An interpreter keeps all that it has read: after this many uses it starts afresh. */
const maxUses = 500

/** The host of the state after a block. */
export function hostOf({ chain, state }: Omit<BlockState, 'at'>): Host {
  return createHost(state, (number) => chain.hashAt(number))
}

/** Takes over an interpreter, which nobody else may use from then on. */
export function createTrialEvm(evm: Evm): TrialEvm {
  /** Block whose state the interpreter has read parts of and left unchanged. */
  let kept: { readonly chain: ChainView; readonly at: HashedHeader; uses: number } | undefined

  return {
    at(where, use) {
      const { chain, at } = where
      const here = kept?.chain === chain && kept.at === at && kept.uses < maxUses ? kept : undefined
      // Forgotten until `use` returns: whatever throws may leave changes behind.
      kept = undefined
      if (!here) evm.reset(hostOf(where))
      const result = use(evm)
      kept = here ?? { chain, at, uses: 0 }
      kept.uses++
      return result
    },
    apart(host, use) {
      kept = undefined
      evm.reset(host)
      return use(evm)
    },
  }
}
