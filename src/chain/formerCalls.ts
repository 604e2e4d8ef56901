import { publicSystemContracts } from '../forks/systemContracts.ts'
import { type Address, equalBytes, type Hash32, trimZeros } from '../primitives/bytes.ts'
import { toWord } from '../primitives/u256.ts'
import type { StateStore } from '../state/stateStore.ts'
import type { Store } from '../store/store.ts'
import { createChainView } from './createChainView.ts'
import type { ConsensusEngine } from './engine.ts'
import { ChainError } from './fault.ts'
import type { ChainView } from './view.ts'

/** Slots of the contracts of EIP-4788 and EIP-2935, after which they begin again. */
const kept = 8191n

/**
 * Until November 2026 blocks called the system contracts of Cancun and Prague wherever `alloc` has them, as Besu up to 25.12 does; Besu since
 * 26.1 calls them only where the genesis file names them. Those of EIP-4788 and EIP-2935 show which of the two made the head.
 */
export function hasFormerCalls(view: Pick<ChainView, 'spec' | 'head' | 'stateAt'>): boolean {
  const { header } = view.head
  const { number, timestamp, parentHash } = header
  const rules = view.spec.rulesAt(header)
  if (number === 0n || !rules.beaconRoot || rules.systemContracts) return false
  const { beaconRoots, history } = publicSystemContracts
  const state = view.stateAt(number)
  const has = (contract: Address, slot: bigint, value: Uint8Array) =>
    equalBytes(state.storage(contract, toWord(slot % kept) as Hash32), trimZeros(value))
  return has(beaconRoots, timestamp, toWord(timestamp)) || (rules.requests && has(history, number - 1n, parentHash))
}

/** Refuses a chain whose blocks call what the genesis file does not say: the next block would be another than the network's. */
export function refuseFormerCalls(
  store: Store,
  parts: Pick<ChainView, 'spec'> & { readonly states: StateStore; readonly consensus: ConsensusEngine },
): void {
  store.read((reader) => {
    const view = createChainView(parts, reader, () => {})
    if (hasFormerCalls(view)) throw new ChainError({ code: 'FORMER_SYSTEM_CALLS' })
  })
}
