import type { Header } from '../../types/header.ts'
import { invalidParams } from '../protocol/fault.ts'
import { refuse } from './fault.ts'
import type { BlockCalls } from './input.ts'

/** A block whose place is settled. */
export interface PlannedBlock extends BlockCalls {
  readonly number: bigint
  readonly time: bigint
}

const maxBlocks = 256
/** Seconds between blocks whose time is not given. */
const interval = 12n

/** Settles numbers and times after `base`; gaps in the numbers are filled with empty blocks. */
export function planBlocks(base: Header, blocks: readonly BlockCalls[]): PlannedBlock[] {
  if (blocks.length === 0) throw invalidParams('there is no block to simulate')
  if (blocks.length > maxBlocks) throw refuse('TOO_MANY_BLOCKS', 'too many blocks')
  const planned: PlannedBlock[] = []
  let { number: lastNumber, timestamp: lastTime } = base
  for (const one of blocks) {
    const number = one.block.number ?? lastNumber + 1n
    if (number <= lastNumber) throw refuse('NUMBER_ORDER', `block numbers must be in order: ${number} <= ${lastNumber}`)
    if (number - base.number > BigInt(maxBlocks)) throw refuse('TOO_MANY_BLOCKS', 'too many blocks')
    while (lastNumber + 1n < number)
      planned.push({ block: {}, state: [], calls: [], number: ++lastNumber, time: (lastTime += interval) })
    const time = one.block.time ?? lastTime + interval
    if (time <= lastTime) throw refuse('TIMESTAMP_ORDER', `block timestamps must be in order: ${time} <= ${lastTime}`)
    planned.push({ ...one, number, time })
    lastNumber = number
    lastTime = time
  }
  return planned
}
