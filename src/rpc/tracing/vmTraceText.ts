import type { Halt } from '../../evm/message.ts'
import type { BesuFrame, BesuFrameSink, MemoryWrite } from '../../execution/tracing/besuFrame.ts'
import { type ByteLog, writeText } from '../../execution/tracing/byteLog.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Tx } from '../../types/transaction.ts'

/** A call whose outcome is told by entries after it. */
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

/**
 * Writes a transaction's vmTrace as Besu makes it. What a call returned is found as Besu finds it: in the entry that
 * stands behind it in the code and, for memory, in the next RETURN of its own message.
 */
export function createVmTraceText(tx: Tx, log: ByteLog): { readonly sink: BesuFrameSink; finish(): Iterable<string> } {
  const root: OpenTrace = { code: tx.to ? '0x' : toHex(tx.data), begun: false }
  const traces: OpenTrace[] = [root]
  const holes: Hole[] = []
  const pending = new Map<number, PendingCall[]>()
  let lastDepth = 0
  let isFirst = true

  function settle({ hole, isLost, mem, push, used }: PendingCall): void {
    holes[hole]!.text = isLost ? 'null' : exText(mem, push, 'null', used)
  }

  /** Lets an entry answer the calls before it. */
  function answer(frame: BesuFrame): void {
    const calls = pending.get(frame.depth)
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
      settle(call)
      return false
    })
    pending.set(frame.depth, open)
  }

  function isIgnored({ op, halt, isVirtual }: BesuFrame, next: BesuFrame | undefined): boolean {
    if (op === 'STOP' && isFirst && !next) return true
    return halt ? halt !== 'invalidJump' && !isGas(halt) : isVirtual
  }

  function close(trace: OpenTrace): void {
    writeText(log, trace.begun ? ']}' : `{"code":"${trace.code}","ops":[]}`)
  }

  function leaveGap(frame: BesuFrame, isLost: boolean): void {
    const { gas, cost, pushed, depth } = frame
    const call = { frame, hole: holes.length, isLost, used: gas - cost, push: pushed, mem: undefined, answered: false }
    holes.push({ at: log.position(), text: 'null' })
    const calls = pending.get(depth)
    if (calls) calls.push(call)
    else pending.set(depth, [call])
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

  function writeOperation(frame: BesuFrame, next: BesuFrame | undefined) {
    const { op, pc, gas, cost, storageWrite, memoryWrite, pushed } = frame
    const isLost = frame.depth > 0 && isGas(frame.halt)
    if (!starts.has(op)) {
      const store = storageWrite
        ? `{"key":${quantity(storageWrite.slot)},"val":${quantity(storageWrite.value)}}`
        : 'null'
      const ex = isLost ? 'null' : exText(toldWrites.has(op) ? memoryWrite : undefined, pushed, store, gas - cost)
      return writeText(log, `{"cost":${cost},"ex":${ex},"pc":${pc},"sub":null}`)
    }
    const [price, sub] = describeCall(frame, next)
    writeText(log, `{"cost":${price},"ex":`)
    leaveGap(frame, isLost)
    writeText(log, `,"pc":${pc},"sub":`)
    if (sub !== undefined) return writeText(log, `${sub}}`)
    traces.push({ code: '0x', begun: false })
  }

  const sink: BesuFrameSink = (frame, next) => {
    answer(frame)
    // A list that was left open by an entry that does not show stays open, as in Besu.
    if (frame.depth < lastDepth && traces.length > 1) {
      close(traces.pop()!)
      writeText(log, '}')
    }
    if (!isIgnored(frame, next)) {
      const trace = traces.at(-1)!
      if (trace.begun) writeText(log, ',')
      else {
        if (trace.code === '0x') trace.code = toHex(frame.code)
        writeText(log, `{"code":"${trace.code}","ops":[`)
        trace.begun = true
      }
      writeOperation(frame, next)
      lastDepth = frame.depth
    }
    isFirst = false
  }

  function* text(): Generator<string> {
    let at = 0
    let hole = 0
    for (const chunk of log.read()) {
      let from = 0
      for (; hole < holes.length && holes[hole]!.at <= at + chunk.length; hole++) {
        const to = holes[hole]!.at - at
        yield chunk.toString('latin1', from, to) + holes[hole]!.text
        from = to
      }
      if (from < chunk.length) yield chunk.toString('latin1', from)
      at += chunk.length
    }
  }

  return {
    sink,
    finish() {
      for (const calls of pending.values()) for (const call of calls) settle(call)
      while (traces.length > 1) {
        close(traces.pop()!)
        writeText(log, '}')
      }
      close(root)
      return text()
    },
  }
}
