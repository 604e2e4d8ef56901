import type { Frame } from './frame.ts'
import { Halt } from './halt.ts'
import { leave, type Machine } from './machine.ts'
import { opcodesOf } from './opcodes.ts'

/** Runs until no frame is left. */
export function runFrames(machine: Machine): void {
  for (let frame = machine.frames.at(-1); frame !== undefined; frame = machine.frames.at(-1)) step(machine, frame)
}

function step(machine: Machine, frame: Frame): void {
  const { rules, onStep } = machine
  // Code is followed by an endless row of STOPs.
  const byte = frame.code[frame.pc] ?? 0
  onStep?.({ depth: frame.depth, pc: frame.pc, op: byte, gas: frame.gas, stack: frame.stack })
  try {
    const op = opcodesOf(rules)[byte]
    if (op === undefined) throw new Halt('invalid opcode')
    if (frame.stack.length < op.takes) throw new Halt('stack underflow')
    if (frame.stack.length - op.takes + op.gives > rules.stackSize) throw new Halt('stack overflow')
    frame.pc++
    frame.charge(op.gas)
    op.run(frame, machine)
  } catch (problem) {
    if (!(problem instanceof Halt)) throw problem
    leave(machine, { status: 'halt', gasLeft: 0n, output: new Uint8Array(0) })
  }
}
