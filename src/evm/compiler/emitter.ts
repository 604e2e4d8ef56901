import { type ByteWriter, createByteWriter } from './byteWriter.ts'
import { i64, v128, type WasmType } from './wasmModule.ts'

const vectorPrefix = 0xfd

/** Instructions of WebAssembly that are used. */
export const wasm = {
  if: [0x04, 0x40],
  else: [0x05],
  end: [0x0b],
  return: [0x0f],
  returnCallIndirect: [0x13, 0, 0],
  drop: [0x1a],
  select: [0x1b],
  i32Eqz: [0x45],
  i32LtS: [0x48],
  i32LtU: [0x49],
  i32GtU: [0x4b],
  i64Eqz: [0x50],
  i64Eq: [0x51],
  i64Ne: [0x52],
  i64LtS: [0x53],
  i64LtU: [0x54],
  i64GeU: [0x5a],
  i32Add: [0x6a],
  i32Sub: [0x6b],
  i32And: [0x71],
  i32Or: [0x72],
  i32Shl: [0x74],
  i64Add: [0x7c],
  i64Sub: [0x7d],
  i64And: [0x83],
  i64Or: [0x84],
  i64Xor: [0x85],
  i64Shl: [0x86],
  i64ShrS: [0x87],
  i64ShrU: [0x88],
  i32WrapI64: [0xa7],
  i64ExtendI32U: [0xad],
  /** Reverses the bytes of two equal vectors, of which one is taken. */
  reverseBytes: [0xfd, 0x0d, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
  i64x2Splat: [0xfd, 0x12],
  i64x2ReplaceHigh: [0xfd, 0x1e, 1],
} as const

/** Writes the body of one function. */
export interface Emitter {
  readonly bytes: ByteWriter
  /** Types of the locals behind the parameters. */
  readonly locals: WasmType[]
  emit(...instructions: readonly (readonly number[])[]): void
  newLocal(type: WasmType): number
  get(local: number): void
  set(local: number): void
  tee(local: number): void
  constI32(value: number): void
  constI64(value: bigint): void
  constV128(low: bigint, high: bigint): void
  constZeroV128(): void
  getGlobal(global: number): void
  call(fn: number): void
  returnCall(fn: number): void
  loadI32(offset: number): void
  loadU16(offset: number): void
  loadI64(offset: number): void
  storeI64(offset: number): void
  loadV128(offset: number): void
  storeV128(offset: number): void
  extractI64(lane: number): void
}

/** Creates an emitter for a function with this many parameters. */
export function createEmitter(params: number): Emitter {
  const bytes = createByteWriter()
  const { byte, unsigned, signed } = bytes
  const locals: WasmType[] = []

  function emit(...instructions: readonly (readonly number[])[]): void {
    for (const instruction of instructions) for (const part of instruction) byte(part)
  }

  const withIndex = (op: number) => (n: number) => {
    byte(op)
    unsigned(n)
  }
  // The alignment is only a hint.
  const onMemory = (op: number, align: number) => (offset: number) => {
    byte(op)
    byte(align)
    unsigned(offset)
  }
  const onVector = (op: number) => (offset: number) => {
    byte(vectorPrefix)
    byte(op)
    byte(0)
    unsigned(offset)
  }

  return {
    bytes,
    locals,
    emit,
    newLocal(type) {
      locals.push(type)
      return params + locals.length - 1
    },
    get: withIndex(0x20),
    set: withIndex(0x21),
    tee: withIndex(0x22),
    constI32(value) {
      byte(0x41)
      signed(value | 0)
    },
    constI64(value) {
      byte(0x42)
      const number = BigInt.asIntN(64, value)
      if (BigInt.asIntN(32, number) === number) signed(Number(number))
      else bytes.signedBig(number)
    },
    constV128(low, high) {
      byte(vectorPrefix)
      byte(0x0c)
      for (const limb of [low, high]) for (let i = 0n; i < 64n; i += 8n) byte(Number((limb >> i) & 0xffn))
    },
    constZeroV128() {
      byte(vectorPrefix)
      byte(0x0c)
      for (let i = 0; i < 16; i++) byte(0)
    },
    getGlobal: withIndex(0x23),
    call: withIndex(0x10),
    returnCall: withIndex(0x12),
    loadI32: onMemory(0x28, 2),
    loadU16: onMemory(0x2f, 1),
    loadI64: onMemory(0x29, 3),
    storeI64: onMemory(0x37, 3),
    loadV128: onVector(0x00),
    storeV128: onVector(0x0b),
    extractI64(lane) {
      byte(vectorPrefix)
      byte(0x1d)
      byte(lane)
    },
  }
}

/** Temporary locals for a move of words through vectors; free again when it is done. */
export function createVectorPool(emitter: Emitter): (i: number) => number {
  const pool: number[] = []
  return (i) => {
    while (pool.length <= i) pool.push(emitter.newLocal(v128))
    return pool[i]!
  }
}

/** A new local with the 64-bit value on top of the stack. */
export function keep(emitter: Emitter): number {
  const local = emitter.newLocal(i64)
  emitter.set(local)
  return local
}
