import type { PrecompileSet } from '../../evm/precompile.ts'
import { keyOf } from '../../primitives/bytes.ts'
import type { AccountOverride } from '../accountOverrides.ts'
import { SimulationError } from './fault.ts'

/** The precompiled contracts when some are moved or replaced: overriding one in any way takes it from its address. */
export function overridePrecompiles(usual: PrecompileSet, overrides: readonly AccountOverride[]): PrecompileSet {
  const set = new Map(usual)
  const overridden = new Set(overrides.map(({ address }) => keyOf(address)))
  const moved = new Set<string>()
  for (const { address, movePrecompileTo: target } of overrides) {
    const key = keyOf(address)
    const precompile = set.get(key)
    if (moved.has(key)) throw new SimulationError({ code: 'TAKEN_BY_PRECOMPILE', address })
    if (target) {
      if (!precompile) throw new SimulationError({ code: 'NOT_A_PRECOMPILE', address })
      if (overridden.has(keyOf(target))) throw new SimulationError({ code: 'TARGET_OVERRIDDEN', address: target })
      set.set(keyOf(target), precompile)
      moved.add(keyOf(target))
    }
    if (precompile) set.delete(key)
  }
  return set
}
