import { inputOf } from '../workloads/contracts.ts'
import type { Call } from './client.ts'
import { fullBlockSize, logBlockCount, type Prepared, recipientTopic } from './prepare.ts'
import { transferTopic } from './token.ts'

/** A request that is repeated, and what its answer must look like. */
export interface Row {
  readonly name: string
  call(content: Prepared): Call | readonly Call[]
  isRight(result: unknown): boolean
}

const holder = '0xfe3b557e8fb62b89f4916b721be55ceb828dbd73'
const isList = (length: number) => (result: unknown) => Array.isArray(result) && result.length === length

/** Reads, which leave the server as it is. */
export const rows: readonly Row[] = [
  {
    name: 'eth_blockNumber',
    call: () => ['eth_blockNumber'],
    isRight: (number) => Number(number) > logBlockCount,
  },
  {
    name: 'eth_getBalance',
    call: () => ['eth_getBalance', holder, 'latest'],
    isRight: (balance) => BigInt(balance as string) > 0n,
  },
  {
    name: 'eth_call balanceOf',
    call: ({ token }) => ['eth_call', { to: token, data: inputOf('balanceOf(address)', 0x1000) }, 'latest'],
    isRight: (balance) => BigInt(balance as string) === BigInt(logBlockCount / 10),
  },
  {
    name: `eth_getBlockByNumber, ${fullBlockSize} full transactions`,
    call: ({ fullBlock }) => ['eth_getBlockByNumber', fullBlock, true],
    isRight: (block) => isList(fullBlockSize)((block as { transactions: unknown }).transactions),
  },
  {
    name: `eth_getLogs, ${logBlockCount / 10} in ${logBlockCount} blocks`,
    call: ({ token, logBlocks: [fromBlock, toBlock] }) => [
      'eth_getLogs',
      { fromBlock, toBlock, address: token, topics: [transferTopic, null, recipientTopic] },
    ],
    isRight: isList(logBlockCount / 10),
  },
  {
    name: 'batch of 100 eth_getBalance',
    call: () => Array.from({ length: 100 }, (): Call => ['eth_getBalance', holder, 'latest']),
    isRight: isList(100),
  },
]
