import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'

/**
 * Has each thread collect its own garbage where there are few cores. V8 shares the collection of a young generation among five
 * threads: on two cores, which other threads of the node keep busy anyway, that takes more time altogether, and lasts longer.
 */
export function collectAlone(): void {
  if (availableParallelism() <= 2) setFlagsFromString('--no-parallel-scavenge')
}

/**
 * Lets V8 grow the young generation again, which `bin/quoin` keeps small while the program is loaded. Loading grows it by several
 * megabytes that an idle node would never give back.
 */
export function letYoungGenerationGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
}

/**
 * Lets the heap double between collections; V8's default is several times what is alive. Under load most of what a node allocates is
 * garbage after a few blocks, and several nodes often share one machine. Less growth costs more than collecting: each collection
 * drops the compiled code of functions of which no instance is alive, and V8 compiles them again (docs/adr/0006).
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=100')
}
