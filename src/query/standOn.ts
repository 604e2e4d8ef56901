import type { ChainView, HashedHeader } from '../chain/view.ts'
import type { Evm } from '../evm/evm.ts'
import type { Host } from '../evm/host.ts'
import { createHost } from '../state/createHost.ts'
import type { StateView } from '../state/view.ts'

/** Where an engine stands, and whether the state there is as it was found. */
interface Place {
  readonly chain: ChainView
  readonly at: HashedHeader
  uses: number
  clean: boolean
}

const places = new WeakMap<Evm, Place>()
/** An engine keeps all that it has read: after this many trials it starts afresh. */
const maxUses = 500

/**
 * Puts an engine on the state after a block. One that stands there already, untouched, stays, and what it has read is
 * not read again: most calls are on the head. Engines of the node's `EvmPort` are moved by this alone.
 */
export function standOn(evm: Evm, chain: ChainView, at: HashedHeader, state: StateView): void {
  const place = places.get(evm)
  if (place?.clean && place.chain === chain && place.at === at && place.uses < maxUses) {
    place.clean = false
    place.uses++
    return
  }
  evm.reset(createHost(state, (number) => chain.hashAt(number)))
  places.set(evm, { chain, at, uses: 0, clean: false })
}

/** Puts an engine on a state that is in no block. */
export function standApart(evm: Evm, host: Host): void {
  places.delete(evm)
  evm.reset(host)
}

/** Says that what was run since `standOn` left no trace. */
export function leaveClean(evm: Evm): void {
  const place = places.get(evm)
  if (place) place.clean = true
}
