import { type Rules, since } from '../../src/forks/rules.ts'
import { type ForkName, forks } from '../../src/forks/table.ts'
import type { GasByFork, Opcode } from './opcode.ts'
import { arithmetic } from './ops/arithmetic.ts'
import { blockContext } from './ops/block.ts'
import { calls } from './ops/calls.ts'
import { creates } from './ops/creates.ts'
import { environment } from './ops/environment.ts'
import { flow } from './ops/flow.ts'
import { logic } from './ops/logic.ts'
import { logs } from './ops/logs.ts'
import { memory } from './ops/memory.ts'
import { selfdestruct } from './ops/selfdestruct.ts'
import { stack } from './ops/stack.ts'
import { storage } from './ops/storage.ts'

const all: readonly Opcode[] = [
  ...arithmetic,
  ...logic,
  ...environment,
  ...blockContext,
  ...memory,
  ...storage,
  ...flow,
  ...stack,
  ...logs,
  ...creates,
  ...calls,
  selfdestruct,
]

/** An opcode whose price in the fork at hand is settled. */
export type PricedOpcode = Omit<Opcode, 'gas'> & { readonly gas: bigint }

const tables = new Map<ForkName, readonly (PricedOpcode | undefined)[]>()

/** The fork's opcodes by their byte. */
export function opcodesOf(rules: Rules): readonly (PricedOpcode | undefined)[] {
  let table = tables.get(rules.fork)
  if (table === undefined) {
    table = tableOf(rules)
    tables.set(rules.fork, table)
  }
  return table
}

function tableOf(rules: Rules): readonly (PricedOpcode | undefined)[] {
  const table = new Array<PricedOpcode | undefined>(256).fill(undefined)
  for (const op of all) if (since(rules, op.since)) table[op.byte] = { ...op, gas: priceIn(op.gas, rules) }
  return table
}

function priceIn(gas: GasByFork, rules: Rules): bigint {
  if (typeof gas === 'bigint') return gas
  let price = 0n
  for (const { name } of forks) if (since(rules, name)) price = gas[name] ?? price
  return price
}
