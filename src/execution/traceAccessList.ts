import type { Tracer } from '../evm/tracer.ts'
import { type Address, type Hash32, keyOf } from '../primitives/bytes.ts'
import { bigIntToFixed } from '../primitives/u256.ts'
import type { AccessList } from '../types/transaction.ts'

const sload = 0x54
const sstore = 0x55

interface Slots {
  readonly address: Address
  readonly slots: Map<string, Hash32>
}
type Touched = Map<string, Slots>

function add(touched: Touched, address: Address, slot: Hash32): void {
  const key = keyOf(address)
  let entry = touched.get(key)
  if (!entry) touched.set(key, (entry = { address: address.slice() as Uint8Array as Address, slots: new Map() }))
  entry.slots.set(keyOf(slot), slot)
}

/** Collects the storage slots that a run reads or writes; what a failed frame touched is forgotten, as the EVM does. */
export function createSlotCollector(given: AccessList): { tracer: Tracer; slots(): AccessList } {
  const outermost: Touched = new Map()
  for (const { address, slots } of given) for (const slot of slots) add(outermost, address, slot)
  const frames: Touched[] = []

  const tracer: Tracer = {
    onEnter: () => frames.push(new Map()),
    onExit({ halt }) {
      const touched = frames.pop()!
      if (halt !== 'stop' && halt !== 'return' && halt !== 'selfdestruct') return
      const below = frames.at(-1) ?? outermost
      for (const { address, slots } of touched.values()) for (const slot of slots.values()) add(below, address, slot)
    },
    onStep(step) {
      if (step.op !== sload && step.op !== sstore) return
      const slot = step.peek(0)
      if (slot !== undefined) add(frames.at(-1) ?? outermost, step.address, bigIntToFixed(slot, 32) as Hash32)
    },
  }
  return {
    tracer,
    slots: () => [...outermost.values()].map(({ address, slots }) => ({ address, slots: [...slots.values()] })),
  }
}
