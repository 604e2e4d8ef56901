import { createHash } from 'node:crypto'
import type { Hash32 } from '../primitives/bytes.ts'
import { decodeRlp, encodeRlp, type RlpItem, rlpBytes, rlpList, rlpScalar, scalar } from '../primitives/rlp.ts'
import { decodeTx, txFromRlp } from './decodeTx.ts'
import { encodeTx, txToRlp } from './encodeTx.ts'
import type { BlobTx, Tx } from './transaction.ts'

/** Blobs, commitments and proofs, sent beside a blob transaction but not part of it (EIP-4844, EIP-7594). */
export interface BlobSidecar {
  /** 0: one proof per blob; 1: one proof per cell, since Osaka. */
  readonly version: number
  readonly blobs: readonly Uint8Array[]
  readonly commitments: readonly Uint8Array[]
  readonly proofs: readonly Uint8Array[]
}

/** A transaction as nodes send it to each other. */
export interface NetworkTx {
  readonly tx: Tx
  readonly sidecar: BlobSidecar | undefined
}

export const blobSize = 131_072
/** Bytes of a commitment and of a proof. */
export const curvePointSize = 48
/** Proofs per blob in version 1. */
export const cellsPerBlob = 128

/** Returns the versioned hash by which a transaction names a blob, from the blob's commitment. */
export function blobHashOf(commitment: Uint8Array): Hash32 {
  const hash = new Uint8Array(createHash('sha256').update(commitment).digest())
  hash[0] = 1
  return hash as Hash32
}

/** Approximate size of a sidecar in bytes. */
export function sidecarSize({ blobs, commitments, proofs }: BlobSidecar): number {
  return blobs.length * blobSize + (commitments.length + proofs.length) * curvePointSize
}

function parts(item: RlpItem | undefined, size: number): Uint8Array[] {
  return rlpList(item).map((part) => rlpBytes(part, size).slice())
}

function fromItems(items: readonly RlpItem[]): NetworkTx {
  const versioned = items[1] instanceof Uint8Array
  const [body, ...rest] = rlpList(items, versioned ? 5 : 4)
  const version = versioned ? Number(rlpScalar(rest.shift(), 8)) : 0
  const [blobs, commitments, proofs] = rest
  const sidecar: BlobSidecar = {
    version,
    blobs: parts(blobs, blobSize),
    commitments: parts(commitments, curvePointSize),
    proofs: parts(proofs, curvePointSize),
  }
  return { tx: txFromRlp(3, body!), sidecar }
}

/**
 * Decodes a transaction of any type; a blob transaction may come with or without its sidecar. `hash` is that of the bytes,
 * if it is known.
 */
export function decodeNetworkTx(bytes: Uint8Array, hash?: Hash32): NetworkTx {
  if (bytes[0] !== 3) return { tx: decodeTx(bytes, hash), sidecar: undefined }
  const items = rlpList(decodeRlp(bytes.subarray(1)))
  return Array.isArray(items[0]) ? fromItems(items) : { tx: decodeTx(bytes), sidecar: undefined }
}

/** Encodes a transaction, with its sidecar if it has one, as `decodeNetworkTx` reads it. */
export function encodeNetworkTx(tx: Tx, sidecar: BlobSidecar | undefined): Uint8Array {
  return sidecar && tx.type === 3 ? wrap(tx, sidecar) : encodeTx(tx)
}

function wrap(tx: BlobTx, { version, blobs, commitments, proofs }: BlobSidecar): Uint8Array {
  const lists: RlpItem[] = [blobs, commitments, proofs]
  const payload = encodeRlp([txToRlp(tx), ...(version === 0 ? [] : [scalar(version)]), ...lists])
  const out = new Uint8Array(payload.length + 1)
  out[0] = 3
  out.set(payload, 1)
  return out
}
