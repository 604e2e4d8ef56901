import type { SignedKind } from '../keys/nodeIdentity.ts'

/** The paths of the protocol; docs/keys.md describes it. */
export const paths = { key: '/v1/key', sign: '/v1/sign', agree: '/v1/agree', liveness: '/liveness' } as const

/** A proposal contains a whole block, in hexadecimal. */
export const maxRequest = 48 << 20

export interface SignRequest {
  readonly kind: SignedKind
  /** In hexadecimal, as all bytes. */
  readonly content: string
}

export interface SignAnswer {
  readonly signature: string
}

export interface AgreeRequest {
  readonly publicKey: string
}

export interface AgreeAnswer {
  readonly secret: string
}

export interface KeyAnswer {
  readonly address: string
  readonly publicKey: string
}

/** Of statuses 400, where the request makes no sense, and 409, where signing would contradict what was signed. */
export interface Refusal {
  readonly error: string
}
