import { tokenCode } from '../../../bench/rpc/token.ts'
import { inputOf } from '../../../bench/workloads/contracts.ts'
import { devAccounts } from '../../../src/forks/devGenesis.ts'
import { fromHex, hexToAddress, toHex } from '../../../src/primitives/hex.ts'
import { encodeTx } from '../../../src/types/encodeTx.ts'
import { signTx } from '../../../src/types/signTx.ts'
import { noAccessList, type UnsignedTx } from '../../../src/types/transaction.ts'
import { eventually, type RpcNode } from '../../interop/rpcNode.ts'

/** Values of the chain that requests can ask for. */
export interface ChainWords {
  /** Of blocks and of transactions. */
  readonly hashes: readonly string[]
  readonly addresses: readonly string[]
  readonly numbers: readonly string[]
}

interface Receipt {
  readonly blockHash: string
  readonly blockNumber: string
  readonly contractAddress: string | null
}

const key = fromHex(devAccounts[0].privateKey)
const common = { chainId: 1337n, value: 0n, gasLimit: 1_000_000n }
const recipients = 4

/** Deploys a token and moves some of it, with transactions of several types, one of which fails. */
export async function populate(node: RpcNode): Promise<ChainWords> {
  const hashes: string[] = []
  const numbers: string[] = ['0x0']
  let nonce = 0n

  async function send(build: (nonce: bigint) => UnsignedTx): Promise<Receipt> {
    const raw = toHex(encodeTx(signTx(build(nonce++), key)))
    const hash = await node.call<string>('eth_sendRawTransaction', raw)
    const receipt = await eventually('a transaction is mined', () =>
      node.call<Receipt | null>('eth_getTransactionReceipt', hash),
    )
    hashes.push(hash, receipt.blockHash)
    numbers.push(receipt.blockNumber)
    return receipt
  }

  const { contractAddress } = await send((nonce) => ({
    ...common,
    type: 0,
    nonce,
    gasPrice: 0n,
    to: undefined,
    data: tokenCode,
  }))
  const token = hexToAddress(contractAddress!)
  const others = devAccounts.map(({ address }) => `0x${address}`)
  for (let i = 0; i < recipients; i++) {
    // More than there is, in the last one.
    const amount = i === recipients - 1 ? 10n ** 30n : 1n
    const data = fromHex(inputOf('transfer(address,uint256)', others[i % others.length]!, amount))
    const fees = { maxFee: 0n, maxPriorityFee: 0n, accessList: noAccessList }
    await send((nonce) => ({ ...common, ...fees, type: 2, nonce, to: token, data }))
  }
  return { hashes, numbers, addresses: [contractAddress!, ...others] }
}
