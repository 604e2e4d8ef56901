/** Who sent a request. */
export interface Requester {
  /** Whether the requester may call a method; absent where everybody may. */
  readonly may?: ((method: string) => boolean) | undefined
  /** Counts calls; false if there were too many already. Absent without a limit. */
  readonly spend?: ((calls: number) => boolean) | undefined
  /** Whether the request came with a valid token. */
  readonly isAuthenticated?: boolean | undefined
  /** The requester's key at the private transaction manager, if the token names one. */
  readonly privacyPublicKey?: string | undefined
}
