import type { KeyPlace } from './tokenSigner.ts'

/** What a node asks the process that has the library. */
export type TokenRequest =
  | { readonly kind: 'sign'; readonly digest: Uint8Array }
  | { readonly kind: 'agree'; readonly publicKey: Uint8Array }

/** What it sends: where the key is, before all others. */
export type ToToken = { readonly kind: 'open'; readonly place: KeyPlace } | TokenRequest

/** What that process sends: one answer to each request, in their order. */
export type FromToken =
  | { readonly kind: 'open'; readonly publicKey: Uint8Array }
  | { readonly kind: 'done'; readonly bytes: Uint8Array }
  /** The token answers others still. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** The process ends after it. */
  | Unusable

export interface Unusable {
  readonly kind: 'unusable'
  readonly reason: string
  readonly trouble: Trouble
}

/** How to go on: `passing` troubles end by themselves, the operator has to end others, and what is wrong with a PIN must not be tried again. */
export type Trouble = 'passing' | 'operator' | 'pin'
