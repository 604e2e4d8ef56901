import * as layout from './assembly/layout.ts'
import type { LinearMemory } from './linearMemory.ts'
import { halts } from './message.ts'
import type { OpTable } from './opTables.ts'
import type { FrameEnter, FrameExit, FrameKind, StepEnd, Tracer } from './tracer.ts'

const kinds: readonly FrameKind[] = [
  'CALL',
  'CALLCODE',
  'DELEGATECALL',
  'STATICCALL',
  'CREATE',
  'CREATE2',
  'SELFDESTRUCT',
]

const runs: readonly FrameEnter['runs'][] = ['code', 'precompile', 'nothing']

const noOp = new Uint8Array(layout.MUTED_BYTES)
const everyOp = new Uint8Array(layout.MUTED_BYTES).fill(1)

/** Returns one byte per opcode: 1 if the tracer does not watch it. */
export function mutedOpsOf(tracer: Tracer | undefined): Uint8Array {
  if (!tracer?.onStep && !tracer?.onStepEnd) return everyOp
  if (!tracer.watches) return noOp
  const muted = everyOp.slice()
  for (const op of tracer.watches) muted[op] = 0
  return muted
}

/** Returns a view of the step record at `at`; one object serves all steps. */
export function viewStep(memory: LinearMemory, at: number, ops: () => OpTable): StepEnd {
  const u32 = (offset: number) => memory.u32(at + offset)
  return {
    get pc() {
      return u32(layout.T_PC)
    },
    get op() {
      return u32(layout.T_OP)
    },
    get opName() {
      return ops()[u32(layout.T_OP)]?.name ?? 'INVALID'
    },
    get depth() {
      return u32(layout.T_DEPTH) + 1
    },
    get gas() {
      return memory.u64(at + layout.T_GAS)
    },
    get refund() {
      return BigInt.asIntN(64, memory.u64(at + layout.T_REFUND))
    },
    get address() {
      return memory.address(u32(layout.T_SELF))
    },
    get stackHeight() {
      return u32(layout.T_STACK_WORDS)
    },
    peek(fromTop) {
      const height = u32(layout.T_STACK_WORDS)
      return fromTop < height ? memory.word(u32(layout.T_STACK) + 32 * (height - 1 - fromTop)) : undefined
    },
    stack() {
      const bottom = u32(layout.T_STACK)
      return Array.from({ length: u32(layout.T_STACK_WORDS) }, (_, i) => memory.word(bottom + 32 * i))
    },
    stackWindow: () => memory.window(u32(layout.T_STACK), 32 * u32(layout.T_STACK_WORDS)),
    get memorySize() {
      return u32(layout.T_MEMORY_BYTES)
    },
    memory: () => memory.slice(u32(layout.T_MEMORY), u32(layout.T_MEMORY_BYTES)),
    memoryWindow: () => memory.window(u32(layout.T_MEMORY), u32(layout.T_MEMORY_BYTES)),
    returnData: () => memory.slice(u32(layout.T_RETURN_DATA), u32(layout.T_RETURN_BYTES)),
    get cost() {
      return memory.u64(at + layout.T_COST)
    },
    get passedGas() {
      return memory.u64(at + layout.T_PASSED_GAS)
    },
    get error() {
      const halt = memory.i32(at + layout.T_HALT)
      return halt < 0 ? undefined : halts[halt]!
    },
  }
}

export function readEnter(memory: LinearMemory, at: number): FrameEnter {
  return {
    kind: kinds[memory.u32(at + layout.F_KIND)]!,
    runs: runs[memory.u32(at + layout.F_RUNS)]!,
    depth: memory.u32(at + layout.F_DEPTH) + 1,
    from: memory.address(at + layout.F_FROM),
    to: memory.address(at + layout.F_TO),
    codeAddress: memory.address(at + layout.F_CODE_ADDRESS),
    value: memory.word(at + layout.F_VALUE),
    gas: memory.u64(at + layout.F_GAS),
    input: memory.slice(memory.u32(at + layout.F_DATA), memory.u32(at + layout.F_DATA_BYTES)),
  }
}

export function readExit(memory: LinearMemory, at: number): FrameExit {
  return {
    depth: memory.u32(at + layout.F_DEPTH) + 1,
    halt: halts[memory.i32(at + layout.F_HALT)]!,
    gasUsed: memory.u64(at + layout.F_GAS),
    output: memory.slice(memory.u32(at + layout.F_DATA), memory.u32(at + layout.F_DATA_BYTES)),
  }
}
