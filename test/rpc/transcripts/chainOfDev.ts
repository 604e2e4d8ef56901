import { devAccounts } from '../../../src/forks/devGenesis.ts'
import type { Address, Hash32 } from '../../../src/primitives/bytes.ts'
import { fromHex, hexToAddress, toHex } from '../../../src/primitives/hex.ts'
import { keccak256 } from '../../../src/primitives/keccak.ts'
import { encodeRlp, scalar } from '../../../src/primitives/rlp.ts'
import type { UnsignedTx } from '../../../src/types/transaction.ts'
import { signed } from '../../support/devNode.ts'
import { initCodes, words } from './contracts.ts'

const chainId = 1337n
const gwei = 1_000_000_000n
const keys = devAccounts.map(({ privateKey }) => fromHex(privateKey))
const [first, second] = devAccounts.map(({ address }) => hexToAddress(address))
/** Receives ether and sends none. */
const alice = hexToAddress('a11ce00000000000000000000000000000000000')

function creates(sender: Address, nonce: bigint): Address {
  return keccak256(encodeRlp([sender, scalar(nonce)])).slice(12) as Uint8Array as Address
}

const store = creates(first!, 0n)
const forwarder = creates(first!, 1n)
const reverter = creates(first!, 2n)
const bomb = creates(first!, 3n)

interface Fields {
  readonly to?: Address
  readonly value?: bigint
  readonly data?: Uint8Array
  readonly gasLimit?: bigint
}

const common = ({ to, value = 0n, data = new Uint8Array(0), gasLimit = 200_000n }: Fields) => ({
  to,
  value,
  data,
  gasLimit,
})

const legacy = (nonce: bigint, fields: Fields, price = 2n * gwei): UnsignedTx => ({
  type: 0,
  chainId,
  nonce,
  gasPrice: price,
  ...common(fields),
})

const feeMarket = (nonce: bigint, fields: Fields, tip = gwei): UnsignedTx => ({
  type: 2,
  chainId,
  nonce,
  maxFee: 10n * gwei,
  maxPriorityFee: tip,
  accessList: [],
  ...common(fields),
})

const withList = (nonce: bigint, fields: Fields, address: Address): UnsignedTx => ({
  type: 1,
  chainId,
  nonce,
  gasPrice: 3n * gwei,
  accessList: [{ address, slots: [words(1) as Uint8Array as Hash32] }],
  ...common(fields),
})

const raw = (txs: readonly UnsignedTx[], account = 0) => txs.map((tx) => signed(tx, keys[account]).raw)

/** Transactions of each block of the development chain, in the order in which they are sent. */
export const devBlocks: readonly (readonly string[])[] = [
  // Four contracts.
  raw([
    legacy(0n, { data: initCodes.storing }),
    feeMarket(1n, { data: initCodes.forwardingTo(toHex(store).slice(2)) }, 2n * gwei),
    withList(2n, { data: initCodes.reverting }, store),
    legacy(3n, { data: initCodes.vanishing }),
  ]),
  // Slot 1 through the other contract, slot 2 directly; a transfer that any chain may take.
  [
    ...raw([feeMarket(4n, { to: forwarder, data: words(1, 42) }), legacy(5n, { to: store, data: words(2, 7) })]),
    ...raw([{ ...legacy(0n, { to: alice, value: 1_000_000n }, gwei), chainId: undefined } as UnsignedTx], 1),
  ],
  // A revert with a reason, one that runs out of gas, and an end.
  raw([
    feeMarket(6n, { to: reverter }),
    legacy(7n, { to: store, data: words(3, 1), gasLimit: 30_000n }),
    withList(8n, { to: bomb, value: 5n }, bomb),
  ]),
  // Slot 1 is emptied, slot 3 filled.
  raw([legacy(9n, { to: store, data: words(1, 0) }), feeMarket(10n, { to: store, data: words(3, 300) }, 3n * gwei)]),
]

/** What waits in the pool: two senders, and a nonce that leaves a gap. */
export const devPool: readonly string[] = [
  ...raw([
    feeMarket(11n, { to: alice, value: 7n, gasLimit: 21_000n }),
    legacy(12n, { to: store, data: words(4, 4) }),
    legacy(14n, { to: alice, value: 9n, gasLimit: 21_000n }),
  ]),
  ...raw([withList(1n, { data: initCodes.vanishing }, second!)], 1),
]
