import { setFlagsFromString } from 'node:v8'

/**
 * Lets the heap grow by half between collections, where it would by default be several times what is alive: under load
 * most of what a node keeps is of no use after a few blocks. Several nodes on one machine are the common case.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=50')
}
