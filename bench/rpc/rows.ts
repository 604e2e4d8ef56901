import { toHex } from '../../src/primitives/hex.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'
import {
  fullBlockSize,
  fullRecipient,
  fullRecipients,
  sparseBlocks,
  sparseRecipient,
  sparseRecipients,
  token,
} from '../content/contentBlocks.ts'
import { accountAddress, tokenSlot, tokensOf, weiOf } from '../content/manyAccounts.ts'
import { users } from '../sync/cliqueChain.ts'
import { inputOf } from '../workloads/contracts.ts'
import type { Call } from './client.ts'
import { transferTopic } from './token.ts'

/** What a server can be asked for. */
export interface Content {
  readonly accounts: number
  readonly fullBlocks: number
  /** Number of the first block with one transfer; behind those come the full ones. */
  readonly firstBlock: number
  /** Hashes of transactions in full blocks, from all of them. */
  readonly hashes: readonly string[]
}

/** One request and what its answer has to be. */
export interface Question {
  readonly call: Call | readonly Call[]
  isRight(answer: unknown): boolean
}

/** A kind of request. */
export interface Row {
  /** By which it is chosen on the command line. */
  readonly id: string
  readonly name: string
  readonly transport: 'http' | 'ws'
  /** Whether there is only one question of it. */
  readonly isSingle?: boolean
  /** How many different ones are asked at most, where that is less than of other rows. */
  readonly most?: number
  /** The question of a number; of the numbers that are asked, no two are the same. */
  question(number: number, content: Content): Question
}

const hex = (n: number): string => `0x${n.toString(16)}`
const isList = (length: number) => (answer: unknown) => Array.isArray(answer) && answer.length === length

/** Numbers of accounts, far from each other, that come back only after all others. */
function accountOf(number: number, { accounts }: Content): number {
  return (number * strideFor(accounts)) % accounts
}

/** About 0.618 of the accounts, and without a common divisor with their number. */
export function strideFor(accounts: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
  let stride = Math.max(1, Math.round(accounts * 0.618))
  while (divisor(stride, accounts) !== 1) stride++
  return stride
}

function balance(number: number): Question {
  return {
    call: ['eth_getBalance', toHex(accountAddress(number)), 'latest'],
    isRight: (answer) => BigInt(answer as string) === weiOf(number),
  }
}

const blockNumber = (_: number, { firstBlock }: Content): Question => ({
  call: ['eth_blockNumber'],
  isRight: (number) => Number(number) >= firstBlock + sparseBlocks,
})

/** Logs of one recipient in blocks from one on: `starts` windows, and for each of them every recipient. */
function logs(
  number: number,
  first: number,
  window: { readonly blocks: number; readonly starts: number },
  recipients: readonly string[],
  hits: number,
): Question {
  const fromBlock = first + (number % window.starts)
  const to = recipients[Math.floor(number / window.starts) % recipients.length]!
  const range = { fromBlock: hex(fromBlock), toBlock: hex(fromBlock + window.blocks - 1) }
  return {
    call: ['eth_getLogs', { ...range, address: toHex(token), topics: [transferTopic, null, to] }],
    isRight: isList(hits),
  }
}

const topic = (address: Uint8Array): string => `0x${toHex(address).slice(2).padStart(64, '0')}`
const sparseTopics = Array.from({ length: sparseRecipients }, (_, i) => topic(sparseRecipient(i)))
const fullTopics = Array.from({ length: fullRecipients }, (_, i) => topic(fullRecipient(i)))

/** Blocks that one question for logs is about. */
export const fullWindow = 13
const sparseWindow = 400

interface Receipt {
  readonly transactionHash: string
  readonly status: string
  readonly logs: readonly unknown[]
}

const batchSize = 100

/** Reads, which leave the server as it is. */
export const rows: readonly Row[] = [
  { id: 'blockNumber', name: 'eth_blockNumber', transport: 'http', isSingle: true, question: blockNumber },
  {
    id: 'balance',
    name: 'eth_getBalance',
    transport: 'http',
    question: (number, content) => balance(accountOf(number, content)),
  },
  {
    id: 'call',
    name: 'eth_call balanceOf',
    transport: 'http',
    question(number, content) {
      const account = accountOf(number, content)
      const data = inputOf('balanceOf(address)', toHex(accountAddress(account)))
      return {
        call: ['eth_call', { to: toHex(token), data }, 'latest'],
        isRight: (answer) => BigInt(answer as string) === tokensOf(account),
      }
    },
  },
  {
    id: 'storage',
    name: 'eth_getStorageAt',
    transport: 'http',
    question(number, content) {
      const account = accountOf(number, content)
      return {
        call: ['eth_getStorageAt', toHex(token), tokenSlot(accountAddress(account)), 'latest'],
        isRight: (answer) => answer === toHex(bigIntToFixed(tokensOf(account), 32)),
      }
    },
  },
  {
    id: 'estimate',
    name: 'eth_estimateGas of a transfer of tokens',
    transport: 'http',
    question(number, content) {
      const from = toHex(users[number % users.length]!.address)
      const data = inputOf('transfer(address,uint256)', toHex(accountAddress(accountOf(number, content))), 1)
      return {
        call: ['eth_estimateGas', { from, to: toHex(token), data }],
        // Clients estimate more than the 34,000 to 35,000 that it takes, some by a few percent.
        isRight: (answer) => Number(answer) > 30_000 && Number(answer) < 60_000,
      }
    },
  },
  {
    id: 'receipt',
    name: 'eth_getTransactionReceipt',
    transport: 'http',
    question(number, { hashes }) {
      const hash = hashes[number % hashes.length]!
      return {
        call: ['eth_getTransactionReceipt', hash],
        isRight(answer) {
          const receipt = answer as Receipt | null
          return receipt?.transactionHash === hash && receipt.status === '0x1' && receipt.logs.length === 1
        },
      }
    },
  },
  {
    id: 'block',
    name: `eth_getBlockByNumber, ${fullBlockSize} full transactions`,
    transport: 'http',
    question: (number, { firstBlock, fullBlocks }) => ({
      call: ['eth_getBlockByNumber', hex(firstBlock + sparseBlocks + (number % fullBlocks)), true],
      isRight: (block) => isList(fullBlockSize)((block as { transactions: unknown } | null)?.transactions),
    }),
  },
  {
    id: 'fullLogs',
    name: `eth_getLogs, ${(fullWindow * fullBlockSize) / fullRecipients} in ${fullWindow} full blocks`,
    transport: 'http',
    question(number, { firstBlock, fullBlocks }) {
      const window = { blocks: fullWindow, starts: fullBlocks - fullWindow + 1 }
      return logs(number, firstBlock + sparseBlocks, window, fullTopics, (fullWindow * fullBlockSize) / fullRecipients)
    },
  },
  {
    id: 'logs',
    name: `eth_getLogs, ${sparseWindow / sparseRecipients} in ${sparseWindow} blocks`,
    transport: 'http',
    question(number, { firstBlock }) {
      const window = { blocks: sparseWindow, starts: sparseBlocks - sparseWindow + 1 }
      return logs(number, firstBlock, window, sparseTopics, sparseWindow / sparseRecipients)
    },
  },
  {
    id: 'batch',
    name: `batch of ${batchSize} eth_getBalance`,
    transport: 'http',
    most: 1000,
    question(number, content) {
      const numbers = Array.from({ length: batchSize }, (_, i) => accountOf(number * batchSize + i + number, content))
      return {
        call: numbers.map((account) => balance(account).call as Call),
        isRight: (answers) => numbers.every((account, i) => balance(account).isRight((answers as unknown[])[i])),
      }
    },
  },
  { id: 'wsBlockNumber', name: 'WebSocket: eth_blockNumber', transport: 'ws', isSingle: true, question: blockNumber },
  {
    id: 'wsBalance',
    name: 'WebSocket: eth_getBalance',
    transport: 'ws',
    question: (number, content) => balance(accountOf(number, content)),
  },
]
