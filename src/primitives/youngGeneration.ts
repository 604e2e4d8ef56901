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
