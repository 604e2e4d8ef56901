import { isSuccess } from '../../evm/message.ts'
import { opcodes } from '../../evm/opcodes.ts'
import type { Step, Tracer } from '../../evm/tracer.ts'
import { type Address, type Hash32, padLeft } from '../../primitives/bytes.ts'
import { hexToAddress, hexToHash } from '../../primitives/hex.ts'
import { bigIntToFixed, toWord } from '../../primitives/u256.ts'
import type { Log } from '../../types/log.ts'

/** Address that movements of ether are logged under, and the topic of ERC-20's Transfer. */
const etherAddress = hexToAddress('ee'.repeat(20))
const transferTopic = hexToHash('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')
const { LOG0, LOG1, LOG2, LOG3, LOG4 } = opcodes
const logOps = [LOG0, LOG1, LOG2, LOG3, LOG4]

function transfer(from: Address, to: Address, value: bigint): Log {
  const topics = [transferTopic, padLeft(from, 32) as Hash32, padLeft(to, 32) as Hash32]
  return { address: etherAddress, topics, data: toWord(value) }
}

/** The log that a step writes. */
function logOf(step: Step): Log | undefined {
  const [at, length] = [step.peek(0), step.peek(1)]
  // Numbers beyond all memory make the step fail.
  if (at === undefined || length === undefined || length > 0xffffffffn) return undefined
  const topics = Array.from({ length: step.op - LOG0 }, (_, i) => bigIntToFixed(step.peek(2 + i) ?? 0n, 32) as Hash32)
  const data = new Uint8Array(Number(length))
  if (length > 0n) data.set(step.memory().subarray(Number(at), Number(at + length)))
  return { address: step.address.slice() as Uint8Array as Address, topics, data }
}

/** Collects logs together with movements of ether, in order; those of failed frames are forgotten. */
export function createTransferLogs(): { tracer: Tracer; logs(): readonly Log[] } {
  const frames: Log[][] = [[]]
  const tracer: Tracer = {
    watches: logOps,
    onEnter({ kind, from, to, value }) {
      frames.push(kind !== 'DELEGATECALL' && value > 0n ? [transfer(from, to, value)] : [])
    },
    onExit({ halt }) {
      const logs = frames.pop()!
      if (isSuccess(halt)) frames.at(-1)!.push(...logs)
    },
    onStep(step) {
      // A step that fails ends its frame, and with it what was logged there.
      const log = logOf(step)
      if (log) frames.at(-1)!.push(log)
    },
  }
  return { tracer, logs: () => frames[0]! }
}
