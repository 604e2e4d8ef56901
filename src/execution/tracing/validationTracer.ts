import type { Evm } from '../../evm/evm.ts'
import type { Halt } from '../../evm/message.ts'
import { opcodes } from '../../evm/opcodes.ts'
import type { Step, Tracer } from '../../evm/tracer.ts'
import { type Address, type Hash32, keyOf } from '../../primitives/bytes.ts'
import { bigIntToFixed } from '../../primitives/u256.ts'
import type { TxOutcome } from '../runTx.ts'
import { type CallFrame, createCallTracer } from './callTracer.ts'
import { joinTracers } from './joinTracers.ts'
import { createKeccakInputs } from './keccakInputs.ts'
import { isCall } from './memoryPlace.ts'

/** How a frame used a contract first, and how long that one's code was. */
interface SeenContract {
  readonly address: Address
  readonly codeSize: number
  readonly op: number
}

/** What a frame did that ERC-7562 has rules about, without the frames that it called. */
export interface FrameUse {
  /** Slots that were read before they were written, with the value that they had. */
  readonly reads: Map<bigint, Uint8Array>
  /** How often slots were written. */
  readonly writes: Map<bigint, number>
  readonly transientReads: Map<bigint, number>
  readonly transientWrites: Map<bigint, number>
  /** Accounts whose code was looked at, but for a question whether there is any. */
  readonly codeReads: Address[]
  readonly opCounts: Map<number, number>
  readonly contracts: Map<string, SeenContract>
  isOutOfGas: boolean
  readonly inner: FrameUse[]
}

/** A transaction's frames, what each of them used, and all that they hashed. */
export interface ValidationTrace {
  readonly frame: CallFrame
  readonly use: FrameUse
  readonly hashed: readonly Uint8Array[]
}

export interface ValidationOptions {
  readonly withLog: boolean
  /** Opcodes that are not counted; those that only move and compute when left out. */
  readonly ignored: ReadonlySet<number>
}

const { EXTCODESIZE, EXTCODECOPY, EXTCODEHASH, ISZERO, GAS, RETURN, REVERT, SLOAD, SSTORE, TLOAD, TSTORE } = opcodes
const looksAtCode = (op: number) => op === EXTCODESIZE || op === EXTCODECOPY || op === EXTCODEHASH
const gasHalts: ReadonlySet<Halt> = new Set<Halt>(['outOfGas', 'codeDepositOutOfGas', 'initCodeTooLarge'])
const addressOf = (word: bigint) => bigIntToFixed(BigInt.asUintN(160, word), 20) as Address

/** PUSH0 to SWAP16, and arithmetic that reads nothing. */
export const plainOpcodes: ReadonlySet<number> = new Set([
  ...Array.from({ length: opcodes.SWAP16 - opcodes.PUSH0 + 1 }, (_, i) => opcodes.PUSH0 + i),
  ...[opcodes.POP, opcodes.ADD, opcodes.SUB, opcodes.MUL, opcodes.DIV, opcodes.EQ, opcodes.LT, opcodes.GT, opcodes.SLT],
  ...[opcodes.SGT, opcodes.SHL, opcodes.SHR, opcodes.AND, opcodes.OR, opcodes.NOT, ISZERO],
])

function newUse(): FrameUse {
  return {
    reads: new Map(),
    writes: new Map(),
    transientReads: new Map(),
    transientWrites: new Map(),
    codeReads: [],
    opCounts: new Map(),
    contracts: new Map(),
    isOutOfGas: false,
    inner: [],
  }
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** Reports what bundlers of user operations have to know of a validation, as geth's `erc7562Tracer` does. */
class ValidationTracer {
  private readonly evm: Pick<Evm, 'code' | 'storage'>
  private readonly ignored: ReadonlySet<number>
  private readonly open: FrameUse[] = []
  private readonly keccak = createKeccakInputs()
  private readonly calls: ReturnType<typeof createCallTracer>
  /** The step before, of whatever frame. */
  private last: { readonly op: number; readonly top: bigint } | undefined
  private root: FrameUse | undefined
  readonly tracer: Tracer

  constructor(evm: Pick<Evm, 'code' | 'storage'>, gasLimit: bigint, { withLog, ignored }: ValidationOptions) {
    this.evm = evm
    this.ignored = ignored
    this.calls = createCallTracer(gasLimit, { onlyTopCall: false, withLog })
    this.tracer = joinTracers([
      this.calls.tracer,
      {
        onStep: this.see,
        onEnter: () => {
          const use = newUse()
          this.open.at(-1)?.inner.push(use)
          this.root ??= use
          this.open.push(use)
        },
        onExit: ({ halt, depth }) => {
          const use = this.open.pop()!
          use.isOutOfGas = depth > 1 && gasHalts.has(halt)
        },
      },
    ])
  }

  private readonly see = (step: Step): void => {
    const { op } = step
    const use = this.open.at(-1)!
    // What the step before was followed by does not matter where it is the end of a frame.
    const last = op === RETURN || op === REVERT ? undefined : this.last
    if (last && looksAtCode(last.op) && !(last.op === EXTCODESIZE && op === ISZERO))
      use.codeReads.push(addressOf(last.top))
    this.seeContract(step, use)
    if (last?.op === GAS && !isCall(op)) count(use.opCounts, GAS)
    if (op !== GAS && !this.ignored.has(op)) count(use.opCounts, op)
    this.seeSlot(step, use)
    this.keccak.see(step)
    this.last = { op, top: step.peek(0) ?? 0n }
  }

  private seeContract({ op, peek }: Step, { contracts }: FrameUse): void {
    if (!looksAtCode(op) && !isCall(op)) return
    const word = peek(looksAtCode(op) ? 0 : 1)
    if (word === undefined) return
    const address = addressOf(word)
    const key = keyOf(address)
    if (!contracts.has(key)) contracts.set(key, { address, codeSize: this.evm.code(address).length, op })
  }

  private seeSlot({ op, address, peek }: Step, use: FrameUse): void {
    if (op !== SLOAD && op !== SSTORE && op !== TLOAD && op !== TSTORE) return
    const slot = peek(0)
    if (slot === undefined) return
    if (op === SSTORE) count(use.writes, slot)
    else if (op === TLOAD) count(use.transientReads, slot)
    else if (op === TSTORE) count(use.transientWrites, slot)
    else if (!use.reads.has(slot) && !use.writes.has(slot))
      use.reads.set(slot, this.evm.storage(address, bigIntToFixed(slot, 32) as Hash32).slice())
  }

  /** Undefined where the transaction could not even start: its contract's address was taken. */
  readonly finish = (outcome: TxOutcome): ValidationTrace | undefined => {
    const frame = this.calls.finish(outcome)
    const hashed = this.keccak.all().map(({ input }) => input)
    return frame && { frame, use: this.root!, hashed }
  }
}

export function createValidationTracer(
  evm: Pick<Evm, 'code' | 'storage'>,
  gasLimit: bigint,
  options: ValidationOptions,
): ValidationTracer {
  return new ValidationTracer(evm, gasLimit, options)
}
