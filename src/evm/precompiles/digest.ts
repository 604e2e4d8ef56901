import { createHash, hash } from 'node:crypto'

/** Node's own digests. */
export const digest: (algorithm: 'sha256' | 'ripemd160', input: Uint8Array) => Uint8Array =
  // The one-shot function came with Node 20.12; of its forms hexadecimal is the fastest, decoding included.
  typeof hash === 'function'
    ? (algorithm, input) => Buffer.from(hash(algorithm, input, 'hex'), 'hex')
    : (algorithm, input) => createHash(algorithm).update(input).digest()
