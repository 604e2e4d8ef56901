import { assemble } from '../../bench/workloads/assemble.ts'
import { batchTopic, singleTopic, transferTopic } from '../../src/chain/tokens/tokenEvents.ts'
import { type Address, concatBytes, type Hash32 } from '../../src/primitives/bytes.ts'
import { bigIntToFixed, toWord } from '../../src/primitives/u256.ts'

/** An event as a contract may emit it: any topics, any data. */
export interface AnyLog {
  readonly topics: readonly Uint8Array[]
  readonly data: Uint8Array
}

/** Emits a log with so many topics; on the stack are the length of the data, which is in memory, and below two others where the entry begins. */
const emit = (topics: number) => {
  const loads = Array.from({ length: topics }, (_, i) => `DUP${3 + i} ${64 + 32 * (topics - 1 - i)} ADD CALLDATALOAD`)
  return `log${topics}: ${loads.join(' ')} DUP${1 + topics} 0 LOG${topics} @next JUMP`
}

const counts = [0, 1, 2, 3, 4]

/** Emits the logs in its call data, each of them a number of topics, a length, the topics and the data. */
const runtime = assemble(`0
  loop: CALLDATASIZE DUP2 LT ISZERO @end JUMPI
  DUP1 32 ADD CALLDATALOAD DUP2 CALLDATALOAD
  DUP1 32 MUL DUP4 ADD 64 ADD
  DUP3 DUP2 0 CALLDATACOPY
  DUP3 ADD SWAP3 SWAP2
  ${counts.map((count) => `DUP2 ${count} EQ @log${count} JUMPI`).join(' ')}
  end: STOP
  ${counts.map(emit).join('\n')}
  next: POP POP POP @loop JUMP`)

const copier = (at: number) => assemble(`${runtime.length} ${at} 0 CODECOPY ${runtime.length} 0 RETURN`)

/** Creates a contract that emits whatever logs it is asked for. */
export const anyLogsCode = concatBytes(copier(copier(0xff).length), runtime)

/** Call data that asks for these logs. */
export function inputOfLogs(logs: readonly AnyLog[]): Uint8Array {
  return concatBytes(
    ...logs.flatMap(({ topics, data }) => [
      toWord(BigInt(topics.length)),
      toWord(BigInt(data.length)),
      ...topics,
      data,
    ]),
  )
}

const topicOf = (account: Address) => concatBytes(new Uint8Array(12), account)

/** `Transfer` of ERC-20. */
export const erc20Transfer = (from: Address, to: Address, amount: bigint): AnyLog => ({
  topics: [transferTopic, topicOf(from), topicOf(to)],
  data: toWord(amount),
})

/** `Transfer` of ERC-721. */
export const erc721Transfer = (from: Address, to: Address, item: bigint): AnyLog => ({
  topics: [transferTopic, topicOf(from), topicOf(to), toWord(item)],
  data: new Uint8Array(0),
})

const by = (from: Address, to: Address, event: Hash32) => [event, topicOf(from), topicOf(from), topicOf(to)]

/** `TransferSingle` of ERC-1155. */
export const singleTransfer = (from: Address, to: Address, item: bigint, amount: bigint): AnyLog => ({
  topics: by(from, to, singleTopic),
  data: concatBytes(toWord(item), toWord(amount)),
})

/** `TransferBatch` of ERC-1155. */
export const batchTransfer = (
  from: Address,
  to: Address,
  items: readonly (readonly [item: bigint, amount: bigint])[],
): AnyLog => ({
  topics: by(from, to, batchTopic),
  data: concatBytes(
    toWord(64n),
    toWord(BigInt(96 + 32 * items.length)),
    ...[0, 1].flatMap((part) => [toWord(BigInt(items.length)), ...items.map((item) => toWord(item[part]!))]),
  ),
})

/** An account whose number is its address. */
export const accountOf = (number: number): Address => bigIntToFixed(BigInt(number), 20) as Address
