import { isSuccess } from '../evm/message.ts'
import { opcodes } from '../evm/opcodes.ts'
import type { Tracer } from '../evm/tracer.ts'
import { type Address, type Hash32, keyOf } from '../primitives/bytes.ts'
import { bigIntToFixed } from '../primitives/u256.ts'
import type { AccessList } from '../types/transaction.ts'

const { SLOAD, SSTORE } = opcodes

interface Touch {
  readonly address: Address
  readonly slot: Hash32
}

/** What a frame touched itself, and what the frames that it started touched. */
interface Frame {
  readonly own: Touch[]
  readonly inner: Touch[]
}

function group(touches: Iterable<Touch>): AccessList {
  const entries = new Map<string, { address: Address; slots: Map<string, Hash32> }>()
  for (const { address, slot } of touches) {
    const key = keyOf(address)
    let entry = entries.get(key)
    if (!entry) entries.set(key, (entry = { address, slots: new Map() }))
    entry.slots.set(keyOf(slot), slot)
  }
  return [...entries.values()].map(({ address, slots }) => ({ address, slots: [...slots.values()] }))
}

/**
 * Collects the storage slots that a run reads or writes, after those that were given; what a failed frame touched is
 * forgotten, as the EVM does. A frame's own slots come before those of the frames that it started.
 */
export function createSlotCollector(given: AccessList): { tracer: Tracer; slots(): AccessList } {
  const announced = given.flatMap(({ address, slots }) => slots.map((slot) => ({ address, slot })))
  const outside: Frame = { own: announced, inner: [] }
  const frames = [outside]

  const tracer: Tracer = {
    onEnter() {
      frames.push({ own: [], inner: [] })
    },
    onExit({ halt }) {
      const { own, inner } = frames.pop()!
      if (isSuccess(halt)) frames.at(-1)!.inner.push(...own, ...inner)
    },
    onStep(step) {
      if (step.op !== SLOAD && step.op !== SSTORE) return
      const slot = step.peek(0)
      if (slot === undefined) return
      const address = step.address.slice() as Uint8Array as Address
      frames.at(-1)!.own.push({ address, slot: bigIntToFixed(slot, 32) as Hash32 })
    },
  }
  return { tracer, slots: () => group([...outside.own, ...outside.inner]) }
}
