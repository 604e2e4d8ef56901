import { describe, expect, test } from 'vitest'
import { assemble, contract, send, slotOf, startWorld } from '../../test/support/evmWorld.ts'
import { toWord } from '../primitives/u256.ts'
import { opcodes } from './opcodes.ts'

/**
 * Jumps to where its input says, by JUMP or by JUMPI, past what ends a block without a JUMPDEST: calls, SSTORE, GAS, and a
 * push whose data looks like a JUMPDEST. What comes after each of them changes a slot.
 */
const code = assemble(`32 CALLDATALOAD @conditional JUMPI
  0 CALLDATALOAD @plain JUMPI
  0 0 0 0 0 4 0 CALL 1 0 SSTORE GAS 2 SSTORE
  23387 3 SSTORE
  0 4 JUMPI 4 4 SSTORE STOP
  plain: 0 CALLDATALOAD JUMP
  conditional: 1 0 CALLDATALOAD JUMPI STOP
  last: 5 5 SSTORE`)

/** Positions of the JUMPDESTs: what a push carries is none. */
const destinations = new Set<number>()
for (let at = 0; at < code.length; at++) {
  const op = code[at]!
  if (op === opcodes.JUMPDEST) destinations.add(at)
  if (op >= opcodes.PUSH1 && op <= opcodes.PUSH32) at += op - opcodes.PUSH1 + 1
}

describe('jumps of both EVMs', () => {
  test.each(['JUMP', 'JUMPI'])('a %s to every position of the code goes to JUMPDESTs only', (op) => {
    for (let target = 1; target <= code.length; target++) {
      const data = [BigInt(target), op === 'JUMPI' ? 1n : 0n].flatMap((n) => [...toWord(n)])
      const seen = (['fast', 'exact'] as const).map((each) => {
        const evm = startWorld([[contract, { code }]], { kind: each })
        const { status, gasLeft, halt } = send(evm, { gas: 200_000n, data: Uint8Array.from(data) })
        const slots = [0n, 2n, 3n, 4n, 5n].map((slot) => evm.storage(contract, slotOf(slot)))
        return { target, status, gasLeft, slots, jumps: halt !== 'invalidJump' }
      })
      expect(seen[0]).toEqual(seen[1])
      // A jump to itself ends too: without gas.
      expect(seen[0]!.jumps).toBe(destinations.has(target))
    }
  })
})
