import { setImmediate } from 'node:timers/promises'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import type { Address } from '../../src/primitives/bytes.ts'
import { fromHex, toHex } from '../../src/primitives/hex.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { encodeRlp, scalar } from '../../src/primitives/rlp.ts'
import { privateKeyToAddress } from '../../src/primitives/secp256k1.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'
import { rememberSender, signTx } from '../../src/types/signTx.ts'
import { noAccessList, type Tx } from '../../src/types/transaction.ts'
import { benchChainId } from '../signedTransfers.ts'
import { users } from '../sync/cliqueChain.ts'
import { inputOf } from '../workloads/contracts.ts'

/** A transaction whose sender need not be recovered. */
export interface SignedTx {
  readonly tx: Tx
  readonly sender: Address
}

/** Blocks with one transfer of tokens each. */
export const sparseBlocks = 1000
/** Who gets those transfers in turn. */
export const sparseRecipients = 20
/** Transactions of a block in the part that has many in each. */
export const fullBlockSize = 200
/** Who gets those transfers in turn. */
export const fullRecipients = 100

const rich = fromHex(devAccounts[0].privateKey)
export const richAddress = privateKeyToAddress(rich)

/** The token has the same address everywhere: that of the first contract of the rich account. */
export const token = keccak256(encodeRlp([richAddress, scalar(0n)])).slice(12) as Address

export const sparseRecipient = (n: number): Address => bigIntToFixed(BigInt(0x1000 + n), 20) as Address
export const fullRecipient = (n: number): Address => bigIntToFixed(BigInt(0x2000 + n), 20) as Address

interface Sending {
  readonly to?: Address
  readonly value?: bigint
  readonly data?: Uint8Array
  readonly gasLimit: bigint
}

function sign(key: Uint8Array, sender: Address, nonce: number, { to, value = 0n, data, gasLimit }: Sending): SignedTx {
  const fields = { to, value, data: data ?? new Uint8Array(0), gasLimit, accessList: noAccessList }
  const fees = { maxFee: 2_000_000_000n, maxPriorityFee: 1n }
  const tx = signTx({ type: 2, chainId: benchChainId, nonce: BigInt(nonce), ...fees, ...fields }, key)
  rememberSender(tx, sender)
  return { tx, sender }
}

export const signRich = (nonce: number, sending: Sending): SignedTx => sign(rich, richAddress, nonce, sending)

export const transferInput = (to: Address, tokens: bigint): Uint8Array =>
  fromHex(inputOf('transfer(address,uint256)', toHex(to), tokens))

/** The transfer of that number: users take turns as senders. */
function transfer(number: number, to: Address): SignedTx {
  const { key, address } = users[number % users.length]!
  const nonce = Math.floor(number / users.length)
  return sign(key, address, nonce, { to: token, data: transferInput(to, 1n), gasLimit: 100_000n })
}

/** Transactions that are signed before the event loop has its turn. */
const signedPerTurn = 1000

async function signAll(fullBlocks: number): Promise<readonly (readonly SignedTx[])[]> {
  const sparse = Array.from({ length: sparseBlocks }, (_, k) => [transfer(k, sparseRecipient(k % sparseRecipients))])
  const full: SignedTx[][] = []
  for (let k = 0; k < fullBlocks; k++) {
    const first = sparseBlocks + k * fullBlockSize
    full.push(Array.from({ length: fullBlockSize }, (_, j) => transfer(first + j, fullRecipient(j % fullRecipients))))
    if (k % (signedPerTurn / fullBlockSize) === 0) await setImmediate()
  }
  return [...sparse, ...full]
}

const signed = new Map<number, Promise<readonly (readonly SignedTx[])[]>>()

/** The transactions of each block that questions are about, the same on every server; signed once. */
export function contentBlocks(fullBlocks: number): Promise<readonly (readonly SignedTx[])[]> {
  const known = signed.get(fullBlocks) ?? signAll(fullBlocks)
  signed.set(fullBlocks, known)
  return known
}
