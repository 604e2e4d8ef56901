import { keep, wasm } from './emitter.ts'
import { indexOfGlobal } from './engineImports.ts'
import type { Limb, Limbs } from './limbs.ts'
import type { TraceWriter } from './traceWriter.ts'
import { wordBytes } from './wordStack.ts'

const far = 1n << 63n
const limit = 1n << 31n

/** Sets the writer's `address` to where a word in the frame's memory is, which grows if need be. */
function reachMemory(writer: TraceWriter, offset: Limbs): void {
  const { emitter, math } = writer
  const { emit } = emitter
  const low = offset[0]
  const upper = math.anyUpperBit(offset)
  const isKnown = typeof low === 'bigint' && upper === 0n && low < limit
  const pushLow = () => {
    math.push(low)
    emit(wasm.i32WrapI64)
  }
  if (!isKnown) {
    math.push(upper)
    math.push(low)
    emitter.constI64(31n)
    emit(wasm.i64ShrU, wasm.i64Or, wasm.i64Eqz, wasm.i32Eqz)
  }
  emitter.getGlobal(indexOfGlobal('memoryBytes'))
  pushLow()
  emitter.constI32(wordBytes)
  emit(wasm.i32Add, wasm.i32LtU)
  if (!isKnown) emit(wasm.i32Or)
  emit(wasm.if)
  writer.tryGas(() => {
    emitter.constI64(far)
    math.push(low)
    math.push(upper)
    emit(wasm.i64Eqz, wasm.i32Eqz, wasm.select)
    writer.pushGas()
    writer.callEngine('reachWord')
    writer.takeGas()
  })
  emit(wasm.end)
  emitter.getGlobal(indexOfGlobal('memoryAt'))
  pushLow()
  emit(wasm.i32Add)
  emitter.set(writer.address)
}

/** MLOAD */
export function loadMemory(writer: TraceWriter): void {
  const { emitter, stack, address } = writer
  const vector = writer.vector()
  reachMemory(writer, stack.popLimbs())
  const limbs: Limb[] = []
  for (const half of [16, 0]) {
    emitter.get(address)
    emitter.loadV128(half)
    emitter.tee(vector)
    emitter.get(vector)
    emitter.emit(wasm.reverseBytes)
    emitter.set(vector)
    for (const lane of [0, 1]) {
      emitter.get(vector)
      emitter.extractI64(lane)
      limbs.push(keep(emitter))
    }
  }
  stack.pushLimbs(limbs as unknown as Limbs)
}

/** MSTORE */
export function storeMemory(writer: TraceWriter): void {
  const { emitter, stack, address } = writer
  const vector = writer.vector()
  reachMemory(writer, stack.popLimbs())
  const word = stack.pop()
  for (const half of [0, 1] as const) {
    emitter.get(address)
    stack.pushHalf(word, half)
    emitter.tee(vector)
    emitter.get(vector)
    emitter.emit(wasm.reverseBytes)
    emitter.storeV128(half === 0 ? 16 : 0)
  }
}
