import { devAccounts } from '../../src/forks/devGenesis.ts'
import type { Address } from '../../src/primitives/bytes.ts'
import { fromHex, hexToAddress, toHex } from '../../src/primitives/hex.ts'
import { privateKeyToAddress } from '../../src/primitives/secp256k1.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'
import { encodeTx } from '../../src/types/encodeTx.ts'
import { signTx } from '../../src/types/signTx.ts'
import { noAccessList } from '../../src/types/transaction.ts'
import { benchChainId } from '../signedTransfers.ts'
import { inputOf } from '../workloads/contracts.ts'
import { type Client, until } from './client.ts'
import { tokenCode } from './token.ts'

/** What requests ask for on one server. */
export interface Prepared {
  readonly token: string
  /** Number of the block with many transactions. */
  readonly fullBlock: string
  /** First and last of the blocks with one transfer of tokens each. */
  readonly logBlocks: readonly [string, string]
}

export const fullBlockSize = 200
export const logBlockCount = 1000
/** Who gets tokens in turn. */
const recipients = 10
export const recipientTopic = toHex(bigIntToFixed(0x1000n, 32))

const rich = { key: fromHex(devAccounts[0].privateKey), address: `0x${devAccounts[0].address}` }
/** Accounts that send in the row of transactions; so many that none has two under way. */
export const senderKeys = Array.from({ length: 500 }, (_, i) => bigIntToFixed(BigInt(i + 1), 32))

const price = { maxFee: 100_000_000_000n, maxPriorityFee: 1_000_000_000n }

interface Sending {
  readonly to?: Address
  readonly value?: bigint
  readonly data?: Uint8Array
  readonly gasLimit?: bigint
}

/** A signed transaction, in hex. */
export function signed(key: Uint8Array, nonce: number, { to, value = 0n, data, gasLimit = 21_000n }: Sending): string {
  const body = { to, value, data: data ?? new Uint8Array(0), gasLimit, accessList: noAccessList }
  return toHex(encodeTx(signTx({ type: 2, chainId: benchChainId, nonce: BigInt(nonce), ...price, ...body }, key)))
}

interface Receipt {
  readonly blockNumber: string
  readonly contractAddress: string
}

/** Gives a server the same content as all others have: a token, senders with money, blocks to ask for. */
export async function prepare({ call, batch }: Client): Promise<Prepared> {
  const [unlocked] = await call<string[]>('eth_accounts')
  if (unlocked !== undefined) {
    const gift = { from: unlocked, to: rich.address, value: '0xd3c21bcecceda1000000' }
    await call('eth_sendTransaction', gift)
    await until(async () => BigInt(await call<string>('eth_getBalance', rich.address, 'latest')) > 0n)
  }
  const receiptOf = (hash: string) => until(() => call<Receipt | null>('eth_getTransactionReceipt', hash))
  let nonce = 0
  const send = async (sending: Sending) =>
    receiptOf(await call<string>('eth_sendRawTransaction', signed(rich.key, nonce++, sending)))

  const { contractAddress: token } = await send({ data: tokenCode, gasLimit: 500_000n })
  const tokenAddress = hexToAddress(token)

  /** The transaction that all others wait for comes last, so that one block takes them all; its number. */
  async function sendTogether(sendings: readonly Sending[]): Promise<string> {
    const raws = sendings.map((sending) => signed(rich.key, nonce++, sending)).reverse()
    // Anvil would make a block of the last one alone.
    const held = await call('evm_setAutomine', false).then(
      () => true,
      () => false,
    )
    const hashes = await batch(raws.map((raw) => ['eth_sendRawTransaction', raw]))
    if (held) await batch([['evm_mine'], ['evm_setAutomine', true]])
    return (await receiptOf(hashes[0] as string)).blockNumber
  }

  const gifts = senderKeys.map((key) => ({ to: privateKeyToAddress(key), value: 10n ** 17n }))
  for (let at = 0; at < gifts.length; at += 100) await sendTogether(gifts.slice(at, at + 100))

  const logBlocks: string[] = []
  for (let i = 0; i < logBlockCount; i++) {
    const input = inputOf('transfer(address,uint256)', 0x1000 + (i % recipients), 1)
    const { blockNumber } = await send({ to: tokenAddress, data: fromHex(input), gasLimit: 100_000n })
    if (i === 0 || i === logBlockCount - 1) logBlocks.push(blockNumber)
  }

  const transfers = Array.from({ length: fullBlockSize }, (_, i) => ({
    to: tokenAddress,
    data: fromHex(inputOf('transfer(address,uint256)', 0x2000 + i, 1)),
    gasLimit: 100_000n,
  }))
  const fullBlock = await sendTogether(transfers)
  return { token, fullBlock, logBlocks: [logBlocks[0]!, logBlocks[1]!] }
}
