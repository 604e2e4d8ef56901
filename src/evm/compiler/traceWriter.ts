import * as layout from '../assembly/layout.ts'
import type { OpTable } from '../opTables.ts'
import type { CodeBlocks, Instruction } from './blocks.ts'
import { createEmitter, type Emitter, wasm } from './emitter.ts'
import { type EngineFunction, indexOfFunction } from './engineImports.ts'
import { createWordMath, type WordMath } from './limbs.ts'
import { i32, i64, type Signature, v128 } from './wasmModule.ts'
import { createWordStack, type WordStack, wordBytes } from './wordStack.ts'

/** What a trace is compiled for. */
export interface TraceContext {
  readonly code: CodeBlocks
  readonly ops: OpTable
  /** Addresses of the schedule and the environment in the engine's memory. */
  readonly scheduleAt: number
  readonly environmentAt: number
  /** Index of the function of the trace that begins at a block; undefined: the interpreter runs it. */
  functionOf(at: number): number | undefined
}

/** All traces: the frame's address, the end of its stack and its gas; returns what the engine's `run` returns. */
export const traceSignature: Signature = { params: [i32, i32, i64], results: [i32] }
export const [frame, sp, gas] = [0, 1, 2]

/**
 * Writes one trace. Gas is taken off where something looks at it, and may be negative in between: a frame that runs out of
 * gas loses all that it did.
 */
export interface TraceWriter {
  readonly context: TraceContext
  readonly emitter: Emitter
  readonly stack: WordStack
  readonly math: WordMath
  /** The local with the address of the stack's lowest position. */
  readonly base: number
  /** A local for an address. */
  readonly address: number
  /** A local for half a word; the first call makes it. */
  vector(): number
  /** Gas of a block that the trace enters. */
  owe(amount: number): void
  /** Puts the gas on WebAssembly's stack. */
  pushGas(): void
  /** Makes the local of the gas what is left. */
  settleGas(): void
  /** Ends the frame if there is less than no gas. */
  checkGas(): void
  /** Takes the gas that a function of the engine returned, or ends the frame with the halt code that it returned. */
  takeGas(): void
  /** Runs what lets a function of the engine look at the gas but may not happen: afterwards all is owed as before. */
  tryGas(write: () => void): void
  /** Puts the address of the stack's end, as it is or after `words` more, on WebAssembly's stack. */
  pushEnd(words?: number): void
  callEngine(fn: EngineFunction): void
  /** Goes on at the start of a block, outside of this trace. */
  leaveTo(at: number): void
  /** Lets the interpreter run the rest of a block. */
  leaveAt(at: number, rest: readonly Instruction[]): void
}

/** Creates the writer of a trace that is still empty. */
export function createTraceWriter(context: TraceContext): TraceWriter {
  const { code, ops } = context
  const emitter = createEmitter(traceSignature.params.length)
  const { emit, get, set } = emitter
  const base = emitter.newLocal(i32)
  // What is written to the stack may be where a function returns to.
  const stack = createWordStack(emitter, base, (word) => {
    if (code.isJumpTarget(word) && !code.isFailing(Number(word))) context.functionOf(Number(word))
  })
  let owed = 0n
  /** Whether the gas may be negative. */
  let risky = false
  let isEntered = false
  let vector: number | undefined

  const callEngine = (fn: EngineFunction) => emitter.call(indexOfFunction(fn))

  function pushEnd(words = 0): void {
    get(sp)
    emitter.constI32((stack.top + words) * wordBytes)
    emit(wasm.i32Add)
  }

  function pushGas(): void {
    get(gas)
    if (owed === 0n) return
    emitter.constI64(owed)
    emit(wasm.i64Sub)
  }

  function settleGas(): void {
    if (owed === 0n) return
    pushGas()
    set(gas)
    owed = 0n
  }

  function ifGasNegative(): void {
    emitter.constI64(0n)
    emit(wasm.i64LtS, wasm.if)
  }

  return {
    context,
    emitter,
    stack,
    math: createWordMath(emitter),
    base,
    address: emitter.newLocal(i32),
    vector: () => (vector ??= emitter.newLocal(v128)),
    owe(amount) {
      // The trace's first block is paid for when it begins.
      if (isEntered) risky = true
      isEntered = true
      owed += BigInt(amount)
    },
    pushGas,
    settleGas,
    checkGas() {
      settleGas()
      if (!risky) return
      get(gas)
      ifGasNegative()
      emitter.constI32(layout.HALT_OUT_OF_GAS)
      emit(wasm.return, wasm.end)
      risky = false
    },
    takeGas() {
      emitter.tee(gas)
      ifGasNegative()
      emitter.constI32(0)
      get(gas)
      emit(wasm.i32WrapI64, wasm.i32Sub, wasm.return, wasm.end)
      risky = false
    },
    tryGas(write) {
      const before = { owed, risky }
      write()
      ;({ owed, risky } = before)
      if (owed === 0n) return
      get(gas)
      emitter.constI64(owed)
      emit(wasm.i64Add)
      set(gas)
    },
    pushEnd,
    callEngine,
    leaveTo(at) {
      stack.flush()
      const trace = code.isFailing(at) ? undefined : context.functionOf(at)
      if (trace !== undefined) get(frame)
      pushEnd()
      pushGas()
      if (trace !== undefined) {
        emitter.returnCall(trace)
        return
      }
      emitter.constI32(at)
      callEngine('leaveAtBlock')
      emit(wasm.return)
    },
    leaveAt(at, rest) {
      // The interpreter checks the stack at the next block.
      let height = stack.top
      for (const { code: byte } of rest) {
        const op = ops[byte]!
        stack.expect(height - op.in)
        height += op.out - op.in
        stack.expect(height)
      }
      stack.flush()
      pushEnd()
      pushGas()
      emitter.constI32(at)
      callEngine('leaveWithinBlock')
      emit(wasm.return)
    },
  }
}
