import type { Header } from '../../types/header.ts'
import { SimulationError } from './fault.ts'
import type { BlockCalls } from './simulation.ts'

/** A block whose number and time are settled. */
export interface PlannedBlock extends BlockCalls {
  readonly number: bigint
  readonly time: bigint
}

const maxBlocks = 256
/** Seconds between blocks whose time is not given. */
const interval = 12n

/** Settles numbers and times after `base`; gaps in the numbers are filled with empty blocks. */
export function planBlocks(base: Header, blocks: readonly BlockCalls[]): PlannedBlock[] {
  if (blocks.length === 0) throw new SimulationError({ code: 'NO_BLOCKS' })
  if (blocks.length > maxBlocks) throw new SimulationError({ code: 'TOO_MANY_BLOCKS' })
  const planned: PlannedBlock[] = []
  let { number: lastNumber, timestamp: lastTime } = base
  for (const one of blocks) {
    const number = one.block.number ?? lastNumber + 1n
    if (number <= lastNumber) throw new SimulationError({ code: 'NUMBER_ORDER', have: number, last: lastNumber })
    if (number - base.number > BigInt(maxBlocks)) throw new SimulationError({ code: 'TOO_MANY_BLOCKS' })
    while (lastNumber + 1n < number)
      planned.push({ block: {}, state: [], calls: [], number: ++lastNumber, time: (lastTime += interval) })
    const time = one.block.time ?? lastTime + interval
    if (time <= lastTime) throw new SimulationError({ code: 'TIMESTAMP_ORDER', have: time, last: lastTime })
    planned.push({ ...one, number, time })
    lastNumber = number
    lastTime = time
  }
  return planned
}
