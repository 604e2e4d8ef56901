import { opcodes } from '../opcodes.ts'
import { i32, i64, type Signature, type WasmType } from './wasmModule.ts'

// What compiled code does not do itself are functions of the engine (assembly/module.ts), so that an opcode that is not a
// few instructions has one meaning. They read and write words of the EVM's stack in memory.

/** Which words' addresses a function of the engine gets: all of the operands from the top, with the result's before, or one. */
type Operands = 'result and operands' | 'operands' | 'lowest'

/** An opcode that a function of the engine runs. */
export interface EngineOp {
  readonly fn: EngineFunction
  readonly operands: Operands
  /** The function gets the gas behind the operands, and returns what is left or the negated halt code. */
  readonly usesGas: boolean
  /** A number before the operands. */
  readonly before?: number
}

const signature = (params: readonly WasmType[], ...results: readonly WasmType[]): Signature => ({ params, results })
const onWords = (count: number) => signature(Array.from({ length: count }, () => i32))
const withGas = (...before: WasmType[]) => signature([...before, i64], i64)

const functions = {
  multiply: onWords(3),
  divide: onWords(3),
  signedDivide: onWords(3),
  modulo: onWords(3),
  signedModulo: onWords(3),
  addModulo: onWords(4),
  multiplyModulo: onWords(4),
  signExtend: onWords(3),
  byteWord: onWords(3),
  shiftLeft: onWords(3),
  shiftRight: onWords(3),
  shiftRightSigned: onWords(3),
  loadDataWord: onWords(1),
  hashMemory: withGas(i32, i32),
  loadSlot: withGas(i32),
  storeSlot: withGas(i32, i32),
  codeSizeOf: withGas(i32),
  copyWithin: withGas(i32, i32, i32),
  copyData: withGas(i32),
  log: withGas(i32, i32),
  reachWord: withGas(i64),
  leaveAtBlock: signature([i32, i64, i32], i32),
  leaveWithinBlock: signature([i32, i64, i32], i32),
  callFrame: signature([i32, i32, i64, i32], i64),
  endFrameWith: signature([i32, i32, i64], i32),
  stopFrame: signature([i64], i32),
} as const satisfies Record<string, Signature>

export type EngineFunction = keyof typeof functions

/** The engine's functions, in the order of their indexes. */
export const engineFunctions = Object.entries(functions) as readonly (readonly [EngineFunction, Signature])[]

const functionNames = engineFunctions.map(([name]) => name)

export const engineGlobals = ['memoryAt', 'memoryBytes', 'dataLength', 'returnLength'] as const
export type EngineGlobal = (typeof engineGlobals)[number]

export const indexOfFunction = (name: EngineFunction): number => functionNames.indexOf(name)
export const indexOfGlobal = (name: EngineGlobal): number => engineGlobals.indexOf(name)

const pure = (fn: EngineFunction): EngineOp => ({ fn, operands: 'result and operands', usesGas: false })
const paid = (fn: EngineFunction, operands: Operands = 'operands'): EngineOp => ({ fn, operands, usesGas: true })
const log = (topics: number): EngineOp => ({ ...paid('log', 'lowest'), before: topics })

const o = opcodes

/** Opcodes that the engine's functions run, by their byte. */
export const engineOps: ReadonlyMap<number, EngineOp> = new Map([
  [o.MUL, pure('multiply')],
  [o.DIV, pure('divide')],
  [o.SDIV, pure('signedDivide')],
  [o.MOD, pure('modulo')],
  [o.SMOD, pure('signedModulo')],
  [o.ADDMOD, pure('addModulo')],
  [o.MULMOD, pure('multiplyModulo')],
  [o.SIGNEXTEND, pure('signExtend')],
  [o.BYTE, pure('byteWord')],
  [o.SHL, pure('shiftLeft')],
  [o.SHR, pure('shiftRight')],
  [o.SAR, pure('shiftRightSigned')],
  [o.CALLDATALOAD, { fn: 'loadDataWord', operands: 'operands', usesGas: false }],
  [o.KECCAK256, paid('hashMemory')],
  [o.SLOAD, paid('loadSlot')],
  [o.SSTORE, paid('storeSlot')],
  [o.EXTCODESIZE, paid('codeSizeOf')],
  [o.MCOPY, paid('copyWithin')],
  [o.CALLDATACOPY, paid('copyData', 'lowest')],
  [o.LOG0, log(0)],
  [o.LOG1, log(1)],
  [o.LOG2, log(2)],
  [o.LOG3, log(3)],
  [o.LOG4, log(4)],
])
