import { since } from '../../src/forks/rules.ts'
import type { Frame } from './frame.ts'
import type { Machine } from './machine.ts'

/** What an opcode pays since Berlin for an account that it names, which is warm from then on (EIP-2929). */
export function chargeAccount(frame: Frame, { world, rules }: Machine, address: bigint): void {
  if (!since(rules, 'berlin')) return
  frame.charge(world.isWarm(address) ? 100n : 2600n)
  world.warmAddress(address)
}
