import type { Halt } from '../../evm/message.ts'
import type { BesuFrame, BesuFrameSink, MemoryWrite } from '../../execution/tracing/besuFrame.ts'
import { type ByteLog, writeText } from '../../execution/tracing/byteLog.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Tx } from '../../types/transaction.ts'

/** A call whose outcome is given by entries after it. */
interface PendingCall {
  readonly frame: BesuFrame
  readonly hole: number
  readonly isLost: boolean
  used: bigint
  push: readonly bigint[]
  mem: MemoryWrite | undefined
  answered: boolean
}

/** A list of operations that is being written. */
interface OpenTrace {
  code: string
  begun: boolean
}

/** Text that is put in where a log has a gap. */
interface Hole {
  readonly at: number
  text: string
}

const starts = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL', 'CREATE', 'CREATE2'])
const toldWrites = new Set(['CALLDATACOPY', 'CODECOPY', 'MLOAD', 'MSTORE', 'MSTORE8', 'RETURNDATACOPY'])
const isGas = (halt: Halt | undefined) => halt === 'outOfGas' || halt === 'codeDepositOutOfGas'
const quantity = (n: bigint) => `"0x${n.toString(16)}"`

function memText(mem: MemoryWrite | undefined): string {
  return mem ? `{"data":"${toHex(mem.bytes)}","off":${mem.offset}}` : 'null'
}

function exText(mem: MemoryWrite | undefined, push: readonly bigint[], store: string, used: bigint): string {
  return `{"mem":${memText(mem)},"push":[${push.map(quantity).join(',')}],"store":${store},"used":${used}}`
}

/** Cost of a call, and the list that it starts: undefined opens one for the entries that follow. */
function describeCall(frame: BesuFrame, next: BesuFrame | undefined): [cost: bigint, sub: string | undefined] {
  const { op, cost, gas, gasAfter, code, depth, precompileCost } = frame
  const goesDeeper = (next?.depth ?? 0) > depth
  if (code.length > 0) {
    if (goesDeeper) return [gasAfter + cost, undefined]
    return depth === 0 ? [gas - gasAfter, `{"code":"${toHex(code)}","ops":[]}`] : [cost, 'null']
  }
  const nothing = '{"code":"0x","ops":[]}'
  if (precompileCost !== undefined) return [cost + precompileCost, nothing]
  return [(op === 'STATICCALL' || op === 'CALL') && goesDeeper ? gasAfter + cost : cost, nothing]
}

class VmTraceWriter {
  private readonly log: ByteLog
  private readonly root: OpenTrace
  private readonly traces: OpenTrace[]
  private readonly holes: Hole[] = []
  private readonly pending = new Map<number, PendingCall[]>()
  private lastDepth = 0
  private isFirst = true

  constructor(tx: Tx, log: ByteLog) {
    this.log = log
    this.root = { code: tx.to ? '0x' : toHex(tx.data), begun: false }
    this.traces = [this.root]
  }

  private settle({ hole, isLost, mem, push, used }: PendingCall): void {
    this.holes[hole]!.text = isLost ? 'null' : exText(mem, push, 'null', used)
  }

  /** Lets an entry answer the calls before it. */
  private answer(frame: BesuFrame): void {
    const calls = this.pending.get(frame.depth)
    if (!calls || calls.length === 0) return
    const open = calls.filter((call) => {
      if (!call.answered && frame.pc === call.frame.pc + 1) {
        call.answered = true
        call.used = frame.gas
        if (frame.top !== undefined) call.push = [frame.top]
        if (frame.memoryWrite && !call.frame.op.startsWith('CREATE')) call.mem = frame.memoryWrite
      }
      const { op } = call.frame
      const waits = call.mem === undefined && (op === 'CALL' || op === 'DELEGATECALL')
      if (waits && frame.op === 'RETURN') call.mem = { offset: 0n, bytes: frame.output }
      if (!call.answered || (waits && !call.mem)) return true
      this.settle(call)
      return false
    })
    this.pending.set(frame.depth, open)
  }

  private isIgnored({ op, halt, isVirtual }: BesuFrame, next: BesuFrame | undefined): boolean {
    if (op === 'STOP' && this.isFirst && !next) return true
    return halt ? halt !== 'invalidJump' && !isGas(halt) : isVirtual
  }

  private close(trace: OpenTrace): void {
    writeText(this.log, trace.begun ? ']}' : `{"code":"${trace.code}","ops":[]}`)
  }

  private leaveGap(frame: BesuFrame, isLost: boolean): void {
    const { gas, cost, pushed, depth } = frame
    const call = {
      frame,
      hole: this.holes.length,
      isLost,
      used: gas - cost,
      push: pushed,
      mem: undefined,
      answered: false,
    }
    this.holes.push({ at: this.log.position(), text: 'null' })
    const calls = this.pending.get(depth)
    if (calls) calls.push(call)
    else this.pending.set(depth, [call])
  }

  private writeOperation(frame: BesuFrame, next: BesuFrame | undefined) {
    const { op, pc, gas, cost, storageWrite, memoryWrite, pushed } = frame
    const isLost = frame.depth > 0 && isGas(frame.halt)
    if (!starts.has(op)) {
      const store = storageWrite
        ? `{"key":${quantity(storageWrite.slot)},"val":${quantity(storageWrite.value)}}`
        : 'null'
      const ex = isLost ? 'null' : exText(toldWrites.has(op) ? memoryWrite : undefined, pushed, store, gas - cost)
      return writeText(this.log, `{"cost":${cost},"ex":${ex},"pc":${pc},"sub":null}`)
    }
    const [price, sub] = describeCall(frame, next)
    writeText(this.log, `{"cost":${price},"ex":`)
    this.leaveGap(frame, isLost)
    writeText(this.log, `,"pc":${pc},"sub":`)
    if (sub !== undefined) return writeText(this.log, `${sub}}`)
    this.traces.push({ code: '0x', begun: false })
  }

  readonly sink: BesuFrameSink = (frame, next) => {
    this.answer(frame)
    // A list that was left open by an entry that does not show stays open, as in Besu.
    if (frame.depth < this.lastDepth && this.traces.length > 1) {
      this.close(this.traces.pop()!)
      writeText(this.log, '}')
    }
    if (!this.isIgnored(frame, next)) {
      const trace = this.traces.at(-1)!
      if (trace.begun) writeText(this.log, ',')
      else {
        if (trace.code === '0x') trace.code = toHex(frame.code)
        writeText(this.log, `{"code":"${trace.code}","ops":[`)
        trace.begun = true
      }
      this.writeOperation(frame, next)
      this.lastDepth = frame.depth
    }
    this.isFirst = false
  }

  private *text(): Generator<string> {
    let at = 0
    let hole = 0
    for (const chunk of this.log.read()) {
      let from = 0
      for (; hole < this.holes.length && this.holes[hole]!.at <= at + chunk.length; hole++) {
        const to = this.holes[hole]!.at - at
        yield chunk.toString('latin1', from, to) + this.holes[hole]!.text
        from = to
      }
      if (from < chunk.length) yield chunk.toString('latin1', from)
      at += chunk.length
    }
  }

  readonly finish: { readonly sink: BesuFrameSink; finish(): Iterable<string> }['finish'] = () => {
    for (const calls of this.pending.values()) for (const call of calls) this.settle(call)
    while (this.traces.length > 1) {
      this.close(this.traces.pop()!)
      writeText(this.log, '}')
    }
    this.close(this.root)
    return this.text()
  }
}

/**
 * Writes a transaction's vmTrace as Besu makes it. What a call returned is found as Besu finds it: in the entry that
 * stands behind it in the code and, for memory, in the next RETURN of its own message.
 */
export function createVmTraceText(tx: Tx, log: ByteLog): { readonly sink: BesuFrameSink; finish(): Iterable<string> } {
  return new VmTraceWriter(tx, log)
}
