import type { Address, Hash32 } from '../../primitives/bytes.ts'
import { emptyBytes } from '../../primitives/bytes.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import {
  decodeRlp,
  encodeRlp,
  RlpError,
  type RlpItem,
  rlpBytes,
  rlpList,
  rlpScalar,
  scalar,
} from '../../primitives/rlp.ts'
import { curveOrder, recoverAddress } from '../../primitives/secp256k1.ts'
import { bigIntToBytes } from '../../primitives/u256.ts'
import { groupIdOf } from '../enclave/groupId.ts'
import { PrivacyError } from '../fault.ts'

/** Who takes part beside the sender: these keys, or the members of a group. */
export type PrivateRecipients = { readonly privateFor: readonly Uint8Array[] } | { readonly privacyGroupId: Uint8Array }

/** A signed private transaction; keys and ids are raw bytes. */
export interface PrivateTx {
  readonly nonce: bigint
  readonly gasPrice: bigint
  readonly gasLimit: bigint
  /** Undefined creates a contract. */
  readonly to: Address | undefined
  readonly value: bigint
  readonly data: Uint8Array
  /** 27, 28, or with the chain id in it (EIP-155). */
  readonly v: bigint
  readonly r: bigint
  readonly s: bigint
  readonly privateFrom: Uint8Array
  readonly recipients: PrivateRecipients
  /** `restricted`, or what this node refuses. */
  readonly restriction: string
}

/** The chain id that the signature is for; undefined without one. */
export function privateChainIdOf({ v }: Pick<PrivateTx, 'v'>): bigint | undefined {
  return v >= 35n ? (v - 35n) / 2n : undefined
}

/** The group of a transaction: the one that it names, or that of its sender and recipients. */
export function txGroupId({ privateFrom, recipients }: Pick<PrivateTx, 'privateFrom' | 'recipients'>): Uint8Array {
  if ('privacyGroupId' in recipients) return recipients.privacyGroupId
  return groupIdOf([privateFrom, ...recipients.privateFor])
}

/** What is signed; the chain id, if any, stands between the data and the sender's key. */
export function privateSigningHash(tx: Omit<PrivateTx, 'r' | 's'>): Hash32 {
  const chainId = privateChainIdOf(tx)
  const chain = chainId === undefined ? [] : [scalar(chainId), emptyBytes, emptyBytes]
  return keccak256(encodeRlp([...head(tx), ...chain, ...tail(tx)]))
}

export function encodePrivateTx(tx: PrivateTx): Uint8Array {
  return encodeRlp(privateTxToRlp(tx))
}

export function privateTxToRlp(tx: PrivateTx): RlpItem {
  return [...head(tx), scalar(tx.v), scalar(tx.r), scalar(tx.s), ...tail(tx)]
}

function head({ nonce, gasPrice, gasLimit, to, value, data }: Omit<PrivateTx, 'r' | 's'>): RlpItem[] {
  return [scalar(nonce), scalar(gasPrice), scalar(gasLimit), to ?? emptyBytes, scalar(value), data]
}

function tail({ privateFrom, recipients, restriction }: Omit<PrivateTx, 'r' | 's'>): RlpItem[] {
  const to = 'privacyGroupId' in recipients ? recipients.privacyGroupId : recipients.privateFor
  return [privateFrom, to, new TextEncoder().encode(restriction)]
}

/** Decodes a private transaction whose signature is in range; throws a PrivacyError. */
export function decodePrivateTx(bytes: Uint8Array): PrivateTx {
  return decodeOrThrow(() => privateTxFromRlp(decodeRlp(bytes)))
}

/** Runs a decoder; what RLP refuses becomes a PrivacyError. */
export function decodeOrThrow<T>(decode: () => T): T {
  try {
    return decode()
  } catch (error) {
    if (error instanceof RlpError) throw undecodable(error.at.code, error)
    throw error
  }
}

function undecodable(reason: string, cause?: unknown): PrivacyError {
  return new PrivacyError({ code: 'UNDECODABLE_TRANSACTION', reason }, cause)
}

/** Reads a private transaction as `decodePrivateTx` does; RLP that does not fit is an RlpError. */
export function privateTxFromRlp(item: RlpItem | undefined): PrivateTx {
  const [nonce, gasPrice, gasLimit, to, value, data, v, r, s, privateFrom, recipients, restriction] = rlpList(item, 12)
  const tx: PrivateTx = {
    nonce: rlpScalar(nonce, 64),
    gasPrice: rlpScalar(gasPrice),
    gasLimit: rlpScalar(gasLimit, 64),
    to: rlpBytes(to).length === 0 ? undefined : (rlpBytes(to, 20).slice() as Address),
    value: rlpScalar(value),
    data: rlpBytes(data).slice(),
    v: rlpScalar(v),
    r: rlpScalar(r),
    s: rlpScalar(s),
    privateFrom: rlpBytes(privateFrom).slice(),
    recipients: recipientsFromRlp(recipients),
    restriction: new TextDecoder().decode(rlpBytes(restriction)),
  }
  if (!inRange(tx.r) || !inRange(tx.s)) throw undecodable('the signature is out of range')
  if (tx.v !== 27n && tx.v !== 28n && tx.v < 37n) throw undecodable('v is neither 27, 28 nor that of a chain id')
  return tx
}

function recipientsFromRlp(item: RlpItem | undefined): PrivateRecipients {
  if (Array.isArray(item)) return { privateFor: rlpList(item).map((key) => rlpBytes(key).slice()) }
  return { privacyGroupId: rlpBytes(item, 32).slice() }
}

function inRange(n: bigint): boolean {
  return n > 0n && n < curveOrder
}

const senders = new WeakMap<PrivateTx, Address | null>()

/** The account that signed; undefined if the signature belongs to no key. Computed once per object. */
export function privateSenderOf(tx: PrivateTx): Address | undefined {
  const known = senders.get(tx)
  if (known !== undefined) return known ?? undefined
  const parity = tx.v < 35n ? Number(tx.v - 27n) : Number((tx.v - 35n) & 1n)
  const sender = recoverAddress(privateSigningHash(tx), bigIntToBytes(tx.r), bigIntToBytes(tx.s), parity)
  senders.set(tx, sender ?? null)
  return sender
}
