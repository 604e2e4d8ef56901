import { devAccounts } from '../../../src/forks/devGenesis.ts'
import { zeroAddress } from '../../../src/primitives/bytes.ts'
import { fromHex, hexToAddress } from '../../../src/primitives/hex.ts'
import { createdAddress } from '../../../src/types/createdAddress.ts'
import type { UnsignedTx } from '../../../src/types/transaction.ts'
import {
  type AnyLog,
  anyLogsCode,
  batchTransfer,
  erc20Transfer,
  erc721Transfer,
  inputOfLogs,
  singleTransfer,
} from '../../support/anyLogs.ts'
import { signed } from '../../support/devNode.ts'

const key = fromHex(devAccounts[0].privateKey)
const alice = hexToAddress('a11ce00000000000000000000000000000000000')
const bob = hexToAddress('b0b0000000000000000000000000000000000000')

const txOf = (nonce: bigint, fields: Pick<UnsignedTx, 'to' | 'data'>): UnsignedTx =>
  ({
    type: 0,
    chainId: 1337n,
    nonce,
    gasPrice: 2_000_000_000n,
    gasLimit: 2_000_000n,
    value: 0n,
    ...fields,
  }) as UnsignedTx

const creation = txOf(0n, { to: undefined, data: anyLogsCode })
const contract = createdAddress(signed(creation, key).tx)!

/** One block with the contract, and one for each list of logs. */
const logs: readonly (readonly AnyLog[])[] = [
  [
    erc20Transfer(zeroAddress, alice, 1000n),
    erc20Transfer(alice, bob, 300n),
    { topics: [fromHex(`0x${'ab'.repeat(32)}`)], data: fromHex('0x1234') },
  ],
  [erc721Transfer(zeroAddress, alice, 7n), erc721Transfer(zeroAddress, alice, 8n), singleTransfer(bob, alice, 5n, 2n)],
  [
    batchTransfer(zeroAddress, bob, [
      [1n, 10n],
      [2n, 20n],
    ]),
    erc20Transfer(bob, alice, 100n),
  ],
]

/** Transactions of each block of a chain with a contract of all three standards of tokens. */
export const tokenBlocks: readonly (readonly string[])[] = [
  creation,
  ...logs.map((some, i) => txOf(BigInt(i + 1), { to: contract, data: inputOfLogs(some) })),
].map((tx) => [signed(tx, key).raw])
