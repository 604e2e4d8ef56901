import { devAccounts } from '../../src/forks/devGenesis.ts'
import { fromHex, hexToAddress } from '../../src/primitives/hex.ts'
import { inputOf } from '../workloads/contracts.ts'
import { type Client, until } from './client.ts'
import { type Sending, signed } from './signed.ts'
import { tokenCode } from './token.ts'

export const fullBlockSize = 200

const rich = { key: fromHex(devAccounts[0].privateKey), address: `0x${devAccounts[0].address}` }

interface Receipt {
  readonly blockNumber: string
  readonly contractAddress: string
}

const blocksBefore = 10

/** Has a server make ten blocks of one transfer of tokens each, and one of many; its number, in hex. */
export async function makeFullBlock({ call, batch }: Client): Promise<string> {
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

  const transferTo = (recipient: number): Sending => ({
    to: tokenAddress,
    data: fromHex(inputOf('transfer(address,uint256)', recipient, 1)),
    gasLimit: 100_000n,
  })
  for (let i = 0; i < blocksBefore; i++) await send(transferTo(0x1000 + i))

  const transfers = Array.from({ length: fullBlockSize }, (_, i) => transferTo(0x2000 + i))
  // The transaction that all others wait for comes last, so that one block takes them all.
  const raws = transfers.map((sending) => signed(rich.key, nonce++, sending)).reverse()
  const hashes = await batch(raws.map((raw) => ['eth_sendRawTransaction', raw]))
  return (await receiptOf(hashes[0] as string)).blockNumber
}
