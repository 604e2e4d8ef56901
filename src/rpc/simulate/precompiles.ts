import type { PrecompileSet } from '../../evm/precompile.ts'
import { keyOf } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import type { AccountOverride } from '../calls/stateOverrides.ts'
import { refuse } from './fault.ts'

/** The precompiled contracts when some are moved or replaced: overriding one in any way takes it from its address. */
export function overridePrecompiles(usual: PrecompileSet, overrides: readonly AccountOverride[]): PrecompileSet {
  const set = new Map(usual)
  const overridden = new Set(overrides.map(({ address }) => keyOf(address)))
  const moved = new Set<string>()
  for (const { address, movePrecompileTo: target } of overrides) {
    const key = keyOf(address)
    const precompile = set.get(key)
    if (moved.has(key))
      throw refuse('NOT_ALLOWED', `account ${toHex(address)} has already been overridden by a precompile`)
    if (target) {
      if (!precompile) throw refuse('NOT_ALLOWED', `account ${toHex(address)} is not a precompile`)
      if (overridden.has(keyOf(target))) throw refuse('NOT_ALLOWED', `account ${toHex(target)} is already overridden`)
      set.set(keyOf(target), precompile)
      moved.add(keyOf(target))
    }
    if (precompile) set.delete(key)
  }
  return set
}
