import { createHash, hash } from 'node:crypto'

/** A digest of Node's own; the one-shot function, twice as fast on short input, came with Node 20.12. */
export const digest: (algorithm: 'sha256' | 'ripemd160', input: Uint8Array) => Uint8Array =
  typeof hash === 'function'
    ? (algorithm, input) => hash(algorithm, input, 'buffer')
    : (algorithm, input) => createHash(algorithm).update(input).digest()
