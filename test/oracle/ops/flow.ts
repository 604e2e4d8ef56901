import { emptyBytes } from '../../../src/primitives/bytes.ts'
import type { Frame, FrameResult } from '../frame.ts'
import { Halt } from '../halt.ts'
import { leave } from '../machine.ts'
import { type Opcode, opcode } from '../opcode.ts'

function jump(frame: Frame, target: bigint): void {
  if (!frame.isJumpDest(target)) throw new Halt('invalid jump')
  frame.pc = Number(target)
}

const leaveWithOutput = (status: FrameResult['status']): Opcode['run'] => {
  return (frame, machine) => {
    const offset = frame.pop()
    const size = frame.pop()
    frame.expand(offset, size)
    leave(machine, { status, gasLeft: frame.gas, output: frame.read(offset, size) })
  }
}

export const flow: readonly Opcode[] = [
  opcode(0x00, 'STOP', 0, 0, 0n, (frame, machine) =>
    leave(machine, { status: 'success', gasLeft: frame.gas, output: emptyBytes }),
  ),
  opcode(0x56, 'JUMP', 1, 0, 8n, (frame) => jump(frame, frame.pop())),
  opcode(0x57, 'JUMPI', 2, 0, 10n, (frame) => {
    const target = frame.pop()
    if (frame.pop() !== 0n) jump(frame, target)
  }),
  // The machine has moved on to the next opcode already.
  opcode(0x58, 'PC', 0, 1, 2n, (frame) => frame.push(BigInt(frame.pc - 1))),
  opcode(0x5a, 'GAS', 0, 1, 2n, (frame) => frame.push(frame.gas)),
  opcode(0x5b, 'JUMPDEST', 0, 0, 1n, () => {}),
  opcode(0xf3, 'RETURN', 2, 0, 0n, leaveWithOutput('success')),
  opcode(0xfd, 'REVERT', 2, 0, 0n, leaveWithOutput('revert'), 'byzantium'),
]
