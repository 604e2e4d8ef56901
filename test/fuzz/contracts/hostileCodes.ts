import { concatBytes } from '../../../src/primitives/bytes.ts'
import { hostileCode } from '../../support/hostileCode.ts'
import type { Random } from '../random.ts'

/** Code of a contract, and what it is called in the report. */
export interface NamedCode {
  readonly name: string
  readonly runtime: Uint8Array
}

const named = Object.entries(hostileCode).map(([name, runtime]) => ({ name, runtime }))
/** Opcodes that make random bytes do something: arithmetic, environment, memory, storage, jumps, calls. */
const frequent = [
  0x01, 0x03, 0x14, 0x20, 0x30, 0x31, 0x35, 0x37, 0x3c, 0x51, 0x52, 0x54, 0x55, 0x56, 0x57, 0x5a, 0x5b, 0x80, 0xf1,
  0xf3, 0xfa,
]

/** Hostile code by name, or random bytes that push and use small numbers. */
export function pickCode(random: Random): NamedCode {
  if (random.percent(60)) return random.pick(named)
  const parts = Array.from({ length: random.between(4, 60) }, () =>
    random.percent(55)
      ? Uint8Array.of(0x60, random.percent(70) ? random.below(64) : random.below(256))
      : Uint8Array.of(random.percent(80) ? random.pick(frequent) : random.below(256)),
  )
  return { name: 'random code', runtime: concatBytes(...parts) }
}
