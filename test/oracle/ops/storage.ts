import { since } from '../../../src/forks/rules.ts'
import type { Frame } from '../frame.ts'
import { Halt } from '../halt.ts'
import type { Machine } from '../machine.ts'
import { type GasByFork, type Opcode, opcode } from '../opcode.ts'

// Since Berlin SLOAD is charged by the slot's being warm or cold.
const loadGas: GasByFork = { frontier: 50n, tangerineWhistle: 200n, istanbul: 800n, berlin: 0n }

export const storage: readonly Opcode[] = [
  opcode(0x54, 'SLOAD', 1, 1, loadGas, (frame, { world, rules }) => {
    const slot = frame.pop()
    if (since(rules, 'berlin')) {
      frame.charge(world.isWarmSlot(frame.address, slot) ? 100n : 2100n)
      world.warmSlot(frame.address, slot)
    }
    frame.push(world.storage(frame.address, slot))
  }),
  opcode(0x55, 'SSTORE', 2, 0, 0n, (frame, machine) => {
    if (frame.isStatic) throw new Halt('static violation')
    const slot = frame.pop()
    const value = frame.pop()
    chargeStore(frame, machine, slot, value)
    machine.world.setStorage(frame.address, slot, value)
  }),
  opcode(
    0x5c,
    'TLOAD',
    1,
    1,
    100n,
    (frame, { world }) => {
      frame.push(world.transient(frame.address, frame.pop()))
    },
    'cancun',
  ),
  opcode(
    0x5d,
    'TSTORE',
    2,
    0,
    100n,
    (frame, { world }) => {
      if (frame.isStatic) throw new Halt('static violation')
      world.setTransient(frame.address, frame.pop(), frame.pop())
    },
    'cancun',
  ),
]

function chargeStore(frame: Frame, machine: Machine, slot: bigint, value: bigint): void {
  const { rules } = machine
  if (since(rules, 'istanbul') || rules.fork === 'constantinople') chargeNetStore(frame, machine, slot, value)
  else chargeSimpleStore(frame, machine, slot, value)
}

/** By the change from the current value alone. */
function chargeSimpleStore(frame: Frame, { world }: Machine, slot: bigint, value: bigint): void {
  const current = world.storage(frame.address, slot)
  frame.charge(current === 0n && value !== 0n ? 20_000n : 5_000n)
  if (current !== 0n && value === 0n) world.addRefund(15_000n)
}

/** By the change from the value at the transaction's start: EIP-1283 and its successors 2200, 2929 and 3529. */
function chargeNetStore(frame: Frame, { world, rules }: Machine, slot: bigint, value: bigint): void {
  const { address } = frame
  const berlin = since(rules, 'berlin')
  const istanbul = since(rules, 'istanbul')
  if (istanbul && frame.gas <= 2300n) throw new Halt('out of gas')

  const touchGas = berlin ? 100n : istanbul ? 800n : 200n
  const coldGas = berlin ? 2100n : 0n
  const setGas = 20_000n
  const resetGas = 5_000n - coldGas
  const clearRefund = since(rules, 'london') ? 4800n : 15_000n

  if (berlin && !world.isWarmSlot(address, slot)) {
    frame.charge(coldGas)
    world.warmSlot(address, slot)
  }
  const original = world.original(address, slot)
  const current = world.storage(address, slot)
  if (current === original && current !== value) {
    frame.charge(original === 0n ? setGas : resetGas)
    if (value === 0n) world.addRefund(clearRefund)
    return
  }
  frame.charge(touchGas)
  if (current === value) return
  if (original !== 0n && current === 0n) world.addRefund(-clearRefund)
  if (original !== 0n && value === 0n) world.addRefund(clearRefund)
  if (value === original) world.addRefund((original === 0n ? setGas : resetGas) - touchGas)
}
