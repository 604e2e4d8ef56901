import type { ToSign } from '../../keys/nodeIdentity.ts'
import type { BftCrypto, BftEffect } from './machine.ts'

/** How a machine has something signed: at once, or by an effect whose answer is an event. */
export interface Signing {
  /** Calls `then` with the signature unless it is not wanted any more when it comes. */
  sign(what: ToSign, isWanted: () => boolean, then: (signature: Uint8Array) => void): void
  /** A signature that was asked for has come. */
  take(id: number, signature: Uint8Array): void
  /** Whether it would still be used. */
  awaits(id: number): boolean
  /** Nothing that was asked for is wanted any more. */
  clear(): void
}

interface Waiting {
  isWanted(): boolean
  then(signature: Uint8Array): void
}

/** Without `sign` the key is elsewhere. */
export function createSigning(sign: BftCrypto['sign'] | undefined, emit: (effect: BftEffect) => void): Signing {
  const waiting = new Map<number, Waiting>()
  let last = 0
  return {
    sign(what, isWanted, then) {
      if (sign) {
        then(sign(what.digest))
        return
      }
      waiting.set(++last, { isWanted, then })
      emit({ type: 'sign', id: last, what })
    },
    take(id, signature) {
      const asked = waiting.get(id)
      waiting.delete(id)
      if (asked?.isWanted()) asked.then(signature)
    },
    awaits: (id) => waiting.get(id)?.isWanted() ?? false,
    clear: () => waiting.clear(),
  }
}
