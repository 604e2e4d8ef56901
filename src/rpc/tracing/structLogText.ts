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

/** The `structLogs` of a transaction, from what was written down while it ran. */
export function* structLogText(log: ByteLog, rules: Rules, options: StepOptions): Generator<string> {
  const ops = opTableOf(rules)
  const names = Array.from({ length: 256 }, (_, op) => ops[op]?.name ?? 'INVALID')
  const out = newWords(ops)
  const memoryStart = Buffer.from(`${options.stack ? ']' : ''},"memory":${options.memory ? '[' : 'null'}`)
  const storageStart = `${options.memory ? ']' : ''},"storage":`
  const plainEnd = Buffer.from(`${storageStart}{},"reason":null}`)
  const frames: Frame[] = []
  let piece = Buffer.allocUnsafe(pieceBytes)
  let used = 0
  let ready: string | undefined
  let isFirst = true
  let chunk: Buffer = Buffer.alloc(0)
  let at = 0

  function u32(): number {
    at += 4
    return chunk.readUInt32LE(at - 4)
  }

  function varint(): number {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const part = chunk[at++]!
      value += (part & 127) * scale
      if (part < 128) return value
    }
  }

  /** Takes what the step before left off the stack, and puts what it brought onto it. */
  function applyToStack(frame: Frame) {
    const { op, stack } = frame
    if (op < 0 || !options.stack) return
    if (op >= DUP1 && op <= DUP16) return stack.duplicate(1 + op - DUP1)
    if (op >= SWAP1 && op <= SWAP16) return stack.swap(1 + op - SWAP1)
    stack.drop(ops[op]?.in ?? 0)
    for (let count = out[op]!; count > 0; count--) {
      const length = chunk[at++]!
      stack.push(chunk, at, length)
      at += length
    }
  }

  function readStep(flags: number, frame: Frame): void {
    const op = chunk[at++]!
    if (flags & stepFlags.pc) frame.pc = u32()
    else if (frame.op >= 0) frame.pc += sizeOf(frame.op)
    if (flags & stepFlags.gas) {
      frame.gas = chunk.readDoubleLE(at)
      at += 8
    }
    applyToStack(frame)
    frame.op = op
  }

  function writeTo(memory: HexWords): void {
    const offset = u32()
    const length = u32()
    memory.write(offset, chunk, at, length)
    at += length
  }

  /** Makes room; a piece that is full waits to be handed on. */
  function make(room: number): void {
    if (used + room <= piece.length) return
    if (used > 0) ready = piece.toString('latin1', 0, used)
    used = 0
    if (room > piece.length) piece = Buffer.allocUnsafe(room)
  }

  function text(part: string): void {
    used += piece.write(part, used, 'latin1')
  }

  function fixed(part: Buffer): void {
    piece.set(part, used)
    used += part.length
  }

  function showEnd(flags: number, frame: Frame): void {
    const halt = chunk[at++]!
    const cost = varint()
    if (flags & endFlags.size) frame.memory.resize(u32())
    if (flags & endFlags.write) writeTo(frame.memory)
    if (flags & endFlags.storage) {
      const slots = frame.storages.get(frame.owner) ?? new Map<string, string>()
      slots.set(chunk.toString('hex', at, at + 32), chunk.toString('hex', at + 32, at + 64))
      frame.storages.set(frame.owner, slots)
      frame.storageText = undefined
      at += 64
    }
    let reason = 'null'
    if (flags & endFlags.reason) {
      u32()
      const length = u32()
      reason = reasonText(chunk.subarray(at, at + length))
      at += length
    }
    const storage = options.storage ? storageTextOf(frame) : 'null'
    make(512 + frame.stack.size() + frame.memory.size() + storage.length + reason.length)
    const start = `{"pc":${frame.pc},"op":"${names[frame.op]}","gas":${frame.gas},"gasCost":${cost}`
    text(`${isFirst ? '' : ','}${start},"depth":${frames.length}${options.stack ? ',"stack":[' : ',"stack":null'}`)
    if (options.stack) used += frame.stack.copyTo(piece, used)
    fixed(memoryStart)
    if (options.memory) used += frame.memory.copyTo(piece, used)
    const error = halt === 0 ? '' : `,"error":["${haltNames[halts[halt - 1]!]}"]`
    if (storage === '{}' && reason === 'null' && error === '') fixed(plainEnd)
    else text(`${storageStart}${storage},"reason":${reason}${error}}`)
    isFirst = false
    frame.gas -= cost
  }

  function showVirtual(): void {
    const isStop = chunk[at++] === 1
    const depth = chunk.readUInt16LE(at)
    const gas = chunk.readDoubleLE(at + 2)
    at += 10
    const list = (shown: boolean, empty: string) => (isStop && shown ? empty : 'null')
    const start = `{"pc":0,"op":"${isStop ? 'STOP' : ''}","gas":${gas},"gasCost":0,"depth":${depth}`
    const middle = `,"stack":${list(options.stack, '[]')},"memory":${list(options.memory, '[]')}`
    make(512)
    text(`${isFirst ? '' : ','}${start}${middle},"storage":${list(options.storage, '{}')},"reason":null}`)
    isFirst = false
  }

  function readRecord() {
    const tag = chunk[at++]!
    const flags = tag & 0xf8
    switch (tag & 7) {
      case kinds.step:
        return readStep(flags, frames.at(-1)!)
      case kinds.end:
        return showEnd(flags, frames.at(-1)!)
      case kinds.enter: {
        const owner = chunk.toString('latin1', at, at + 20)
        at += 20
        const [stack, memory] = [createHexWords(), createHexWords()]
        frames.push({ owner, stack, memory, storages: new Map(), storageText: undefined, op: -1, pc: 0, gas: 0 })
        return
      }
      case kinds.exit: {
        const inner = frames.pop()!
        const outer = frames.at(-1)
        if (outer) mergeInto(outer, inner)
        return
      }
      case kinds.fail:
        frames.pop()
        return
      case kinds.returned:
        return writeTo(frames.at(-1)!.memory)
      default:
        return showVirtual()
    }
  }

  yield '['
  for (chunk of log.read())
    for (at = 0; at < chunk.length; ) {
      readRecord()
      if (ready === undefined) continue
      yield ready
      ready = undefined
    }
  if (used > 0) yield piece.toString('latin1', 0, used)
  yield ']'
}
