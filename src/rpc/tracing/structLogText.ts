import { halts } from '../../evm/message.ts'
import { opcodes } from '../../evm/opcodes.ts'
import { opTableOf } from '../../evm/opTables.ts'
import type { ByteLog } from '../../execution/tracing/byteLog.ts'
import { endFlags, kinds, newWords, type StepOptions, sizeOf, stepFlags } from '../../execution/tracing/stepLog.ts'
import type { Rules } from '../../forks/rules.ts'
import { haltNames } from '../calls/executionError.ts'
import { createHexWords, type HexWords } from './hexWords.ts'

/** Slots by account, as far as a frame and those that it started have set them. */
type Storages = Map<string, Map<string, string>>

interface Frame {
  readonly owner: string
  readonly stack: HexWords
  readonly memory: HexWords
  readonly storages: Storages
  /** Text of the owner's slots; undefined when it must be made again. */
  storageText: string | undefined
  op: number
  pc: number
  gas: number
}

const { DUP1, DUP16, SWAP1, SWAP16 } = opcodes
const pieceBytes = 1 << 17

function mergeInto(outer: Frame, inner: Frame): void {
  for (const [owner, slots] of inner.storages) {
    const known = outer.storages.get(owner)
    if (!known) outer.storages.set(owner, slots)
    else for (const [slot, value] of slots) known.set(slot, value)
  }
  outer.storageText = undefined
}

function storageTextOf(frame: Frame): string {
  if (frame.storageText !== undefined) return frame.storageText
  const slots = [...(frame.storages.get(frame.owner) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))
  frame.storageText = `{${slots.map(([slot, value]) => `"${slot}":"${value}"`).join(',')}}`
  return frame.storageText
}

/** Revert data as a number, as Besu shows it. */
function reasonText(reason: Buffer): string {
  const digits = reason.toString('hex').replace(/^0+/, '')
  return `"0x${digits}"`
}

interface StructLogText {
  pieces(): Generator<string>
}

/**
 * Reads what was written down step by step, keeps the stack, memory and storage of each frame, and writes them as JSON. As text, piece by
 * piece: the objects of a transaction with a million steps would not fit into memory.
 */
class StructLogWriter implements StructLogText {
  private readonly log: ByteLog
  private readonly options: StepOptions
  private readonly ops: ReturnType<typeof opTableOf>
  private readonly names
  private readonly out: readonly number[]
  private readonly memoryStart: Buffer<ArrayBuffer>
  private readonly storageStart: string
  private readonly plainEnd: Buffer<ArrayBuffer>
  private readonly frames: Frame[] = []
  private piece = Buffer.allocUnsafe(pieceBytes)
  private used = 0
  private ready: string | undefined
  private isFirst = true
  private chunk: Buffer = Buffer.alloc(0)
  private at = 0

  constructor(log: ByteLog, rules: Rules, options: StepOptions) {
    this.options = options
    this.log = log
    this.ops = opTableOf(rules)
    this.names = Array.from({ length: 256 }, (_, op) => this.ops[op]?.name ?? 'INVALID')
    this.out = newWords(this.ops)
    this.memoryStart = Buffer.from(`${options.stack ? ']' : ''},"memory":${options.memory ? '[' : 'null'}`)
    this.storageStart = `${options.memory ? ']' : ''},"storage":`
    this.plainEnd = Buffer.from(`${this.storageStart}{},"reason":null}`)
  }

  private u32(): number {
    this.at += 4
    return this.chunk.readUInt32LE(this.at - 4)
  }

  private varint(): number {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const part = this.chunk[this.at++]!
      value += (part & 127) * scale
      if (part < 128) return value
    }
  }

  /** Takes what the step before left off the stack, and puts what it brought onto it. */
  private applyToStack(frame: Frame) {
    const { op, stack } = frame
    if (op < 0 || !this.options.stack) return
    if (op >= DUP1 && op <= DUP16) return stack.duplicate(1 + op - DUP1)
    if (op >= SWAP1 && op <= SWAP16) return stack.swap(1 + op - SWAP1)
    stack.drop(this.ops[op]?.in ?? 0)
    for (let count = this.out[op]!; count > 0; count--) {
      const length = this.chunk[this.at++]!
      stack.push(this.chunk, this.at, length)
      this.at += length
    }
  }

  private readStep(flags: number, frame: Frame): void {
    const op = this.chunk[this.at++]!
    if (flags & stepFlags.pc) frame.pc = this.u32()
    else if (frame.op >= 0) frame.pc += sizeOf(frame.op)
    if (flags & stepFlags.gas) {
      frame.gas = this.chunk.readDoubleLE(this.at)
      this.at += 8
    }
    this.applyToStack(frame)
    frame.op = op
  }

  private writeTo(memory: HexWords): void {
    const offset = this.u32()
    const length = this.u32()
    memory.write(offset, this.chunk, this.at, length)
    this.at += length
  }

  /** Makes room; a piece that is full waits to be handed on. */
  private make(room: number): void {
    if (this.used + room <= this.piece.length) return
    if (this.used > 0) this.ready = this.piece.toString('latin1', 0, this.used)
    this.used = 0
    if (room > this.piece.length) this.piece = Buffer.allocUnsafe(room)
  }

  private text(part: string): void {
    this.used += this.piece.write(part, this.used, 'latin1')
  }

  private fixed(part: Buffer): void {
    this.piece.set(part, this.used)
    this.used += part.length
  }

  private showEnd(flags: number, frame: Frame): void {
    const halt = this.chunk[this.at++]!
    const cost = this.varint()
    if (flags & endFlags.size) frame.memory.resize(this.u32())
    if (flags & endFlags.write) this.writeTo(frame.memory)
    if (flags & endFlags.storage) {
      const slots = frame.storages.get(frame.owner) ?? new Map<string, string>()
      slots.set(
        this.chunk.toString('hex', this.at, this.at + 32),
        this.chunk.toString('hex', this.at + 32, this.at + 64),
      )
      frame.storages.set(frame.owner, slots)
      frame.storageText = undefined
      this.at += 64
    }
    let reason = 'null'
    if (flags & endFlags.reason) {
      this.u32()
      const length = this.u32()
      reason = reasonText(this.chunk.subarray(this.at, this.at + length))
      this.at += length
    }
    const storage = this.options.storage ? storageTextOf(frame) : 'null'
    this.make(512 + frame.stack.size() + frame.memory.size() + storage.length + reason.length)
    const start = `{"pc":${frame.pc},"op":"${this.names[frame.op]}","gas":${frame.gas},"gasCost":${cost}`
    this.text(
      `${this.isFirst ? '' : ','}${start},"depth":${this.frames.length}${this.options.stack ? ',"stack":[' : ',"stack":null'}`,
    )
    if (this.options.stack) this.used += frame.stack.copyTo(this.piece, this.used)
    this.fixed(this.memoryStart)
    if (this.options.memory) this.used += frame.memory.copyTo(this.piece, this.used)
    const error = halt === 0 ? '' : `,"error":["${haltNames[halts[halt - 1]!]}"]`
    if (storage === '{}' && reason === 'null' && error === '') this.fixed(this.plainEnd)
    else this.text(`${this.storageStart}${storage},"reason":${reason}${error}}`)
    this.isFirst = false
    frame.gas -= cost
  }

  private showVirtual(): void {
    const isStop = this.chunk[this.at++] === 1
    const depth = this.chunk.readUInt16LE(this.at)
    const gas = this.chunk.readDoubleLE(this.at + 2)
    this.at += 10
    const list = (shown: boolean, empty: string) => (isStop && shown ? empty : 'null')
    const start = `{"pc":0,"op":"${isStop ? 'STOP' : ''}","gas":${gas},"gasCost":0,"depth":${depth}`
    const middle = `,"stack":${list(this.options.stack, '[]')},"memory":${list(this.options.memory, '[]')}`
    this.make(512)
    this.text(
      `${this.isFirst ? '' : ','}${start}${middle},"storage":${list(this.options.storage, '{}')},"reason":null}`,
    )
    this.isFirst = false
  }

  private readRecord() {
    const tag = this.chunk[this.at++]!
    const flags = tag & 0xf8
    switch (tag & 7) {
      case kinds.step:
        return this.readStep(flags, this.frames.at(-1)!)
      case kinds.end:
        return this.showEnd(flags, this.frames.at(-1)!)
      case kinds.enter: {
        const owner = this.chunk.toString('latin1', this.at, this.at + 20)
        this.at += 20
        const [stack, memory] = [createHexWords(), createHexWords()]
        this.frames.push({ owner, stack, memory, storages: new Map(), storageText: undefined, op: -1, pc: 0, gas: 0 })
        return
      }
      case kinds.exit: {
        const inner = this.frames.pop()!
        const outer = this.frames.at(-1)
        if (outer) mergeInto(outer, inner)
        return
      }
      case kinds.fail:
        this.frames.pop()
        return
      case kinds.returned:
        return this.writeTo(this.frames.at(-1)!.memory)
      default:
        return this.showVirtual()
    }
  }

  *pieces(): ReturnType<StructLogText['pieces']> {
    yield '['
    for (const bytes of this.log.read()) {
      this.chunk = bytes
      for (this.at = 0; this.at < this.chunk.length; ) {
        this.readRecord()
        if (this.ready === undefined) continue
        yield this.ready
        this.ready = undefined
      }
    }
    if (this.used > 0) yield this.piece.toString('latin1', 0, this.used)
    yield ']'
  }
}

function createStructLogText(log: ByteLog, rules: Rules, options: StepOptions): StructLogText {
  return new StructLogWriter(log, rules, options)
}

/** The `structLogs` of a transaction, from what was written down while it ran. */
export function structLogText(log: ByteLog, rules: Rules, options: StepOptions): Generator<string> {
  return createStructLogText(log, rules, options).pieces()
}
