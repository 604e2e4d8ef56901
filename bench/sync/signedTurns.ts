import type { Address } from '../../src/primitives/bytes.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'
import { rememberSender, signTx } from '../../src/types/signTx.ts'
import { noAccessList, type Tx } from '../../src/types/transaction.ts'
import { benchChainId } from '../signedTransfers.ts'
import { users } from './cliqueChain.ts'

/** Every so many transfers go to someone new. */
const newcomers = 10

/** What differs between transfers of ether and of tokens. */
export type TransferTo = (receiver: Address) => Pick<Tx, 'gasLimit' | 'value' | 'data'> & { readonly to: Address }

/** The transfer of that number: users take turns as senders. */
export function signTurn(index: number, transferTo: TransferTo): { tx: Tx; sender: Address } {
  const { key, address } = users[index % users.length]!
  const receiver =
    index % newcomers === 0
      ? (bigIntToFixed(BigInt(0x1_0000_0000 + index), 20) as Address)
      : users[(index * 7919 + 1) % users.length]!.address
  const tx = signTx(
    {
      type: 2,
      chainId: benchChainId,
      nonce: BigInt(Math.floor(index / users.length)),
      maxFee: 2_000_000_000n,
      maxPriorityFee: 1n,
      ...transferTo(receiver),
      accessList: noAccessList,
    },
    key,
  )
  rememberSender(tx, address)
  return { tx, sender: address }
}
