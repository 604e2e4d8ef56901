import { randomBytes } from 'node:crypto'
import type { ChainView } from '../../chain/view.ts'
import type { PoolFault } from '../../pool/fault.ts'
import type { Address, Hash32 } from '../../primitives/bytes.ts'
import { curve, privateKeyToAddress } from '../../primitives/secp256k1.ts'
import type { NetworkTx } from '../../types/blobSidecar.ts'
import { txHash } from '../../types/encodeTx.ts'
import { signTx } from '../../types/signTx.ts'
import { toBase64 } from '../enclave/base64.ts'
import { PrivacyError } from '../fault.ts'
import type { Distribution } from './distribution.ts'
import { type GroupKind, precompileOf } from './markers.ts'
import { decodePrivateTx, type PrivateTx, privateChainIdOf, privateSenderOf, txGroupId } from './privateTx.ts'

export interface PrivateSenderParts {
  readonly kind: GroupKind
  readonly distribution: Distribution
  /** Whether several tenants share the node. */
  readonly isShared: boolean
  readonly chainId: bigint
  /** Signs all markers; undefined signs each with a key of its own. */
  readonly markerKey: Uint8Array | undefined
  readonly pool: {
    submit(tx: NetworkTx): PoolFault | undefined | Promise<PoolFault | undefined>
    nextNonce(sender: Address): bigint | undefined
  }
  chain(): ChainView
  /** The private nonce of an account, as of the last block. */
  nonceOf(group: Uint8Array, account: Address): Promise<bigint>
}

/** The result of sending: the hash of the marker, or why the pool refuses it. */
export type SentMarker = { readonly hash: Hash32 } | { readonly fault: PoolFault }

/** Hands private transactions to the manager and marks them in public. */
export interface PrivateSender {
  /** Distributes a private transaction of a key and adds its marker to the pool. */
  send(raw: Uint8Array, publicKey: string): Promise<SentMarker>
  /** Distributes it only; returns the key that a marker has to carry. */
  distribute(raw: Uint8Array, publicKey: string): Promise<Uint8Array>
}

export function createPrivateSender(parts: PrivateSenderParts): PrivateSender {
  const { kind, distribution, isShared, chainId, markerKey, pool, chain, nonceOf } = parts
  /** The last marker of the node's own key: the next one needs the nonce after it. */
  let lastMarker: Promise<unknown> = Promise.resolve()

  function checkSender({ privateFrom }: PrivateTx, publicKey: string): void {
    if (toBase64(privateFrom) !== publicKey) throw new PrivacyError({ code: 'WRONG_PRIVATE_FROM' })
  }

  async function validate(tx: PrivateTx): Promise<void> {
    if (tx.value !== 0n) throw new PrivacyError({ code: 'VALUE_NOT_ZERO' })
    const id = privateChainIdOf(tx)
    if (id !== undefined && id !== chainId) throw new PrivacyError({ code: 'WRONG_CHAIN_ID' })
    const sender = privateSenderOf(tx)
    if (!sender) throw new PrivacyError({ code: 'UNDECODABLE_TRANSACTION', reason: 'the signature is invalid' })
    if (tx.nonce < (await nonceOf(txGroupId(tx), sender))) throw new PrivacyError({ code: 'NONCE_TOO_LOW' })
  }

  async function submitMarker(tx: PrivateTx, data: Uint8Array, key: Uint8Array, nonce: bigint): Promise<SentMarker> {
    const { gasPrice, gasLimit } = tx
    const fields = { type: 0, nonce, gasPrice, gasLimit, to: precompileOf(kind), value: 0n, data } as const
    const marker = signTx({ ...fields, chainId: undefined }, key)
    const fault = await pool.submit({ tx: marker, sidecar: undefined })
    return fault ? { fault } : { hash: txHash(marker) }
  }

  function mark(tx: PrivateTx, data: Uint8Array): Promise<SentMarker> {
    if (!markerKey) return submitMarker(tx, data, randomKey(), 0n)
    const sender = privateKeyToAddress(markerKey)
    const submitNext = () => {
      const view = chain()
      const atHead = view.stateAt(view.head.header.number).account(sender)?.nonce ?? 0n
      return submitMarker(tx, data, markerKey, pool.nextNonce(sender) ?? atHead)
    }
    const sent = lastMarker.then(submitNext, submitNext)
    lastMarker = sent
    return sent
  }

  return {
    async send(raw, publicKey) {
      const tx = decodeRestricted(raw)
      checkSender(tx, publicKey)
      // Before the nonce, which would say something about groups of others.
      if (isShared) await distribution.check(tx)
      await validate(tx)
      if (!isShared) await distribution.check(tx)
      return mark(tx, await distribution.hand(tx))
    },
    async distribute(raw, publicKey) {
      const tx = decodeRestricted(raw)
      checkSender(tx, publicKey)
      await distribution.check(tx)
      await validate(tx)
      return distribution.hand(tx)
    },
  }
}

function decodeRestricted(raw: Uint8Array): PrivateTx {
  const tx = decodePrivateTx(raw)
  const { restriction } = tx
  if (restriction !== 'restricted') throw new PrivacyError({ code: 'UNSUPPORTED_RESTRICTION', restriction })
  return tx
}

function randomKey(): Uint8Array {
  for (;;) {
    const key = new Uint8Array(randomBytes(32))
    if (curve.isPrivateKey(key)) return key
  }
}
