import { createHash, hash } from 'node:crypto'

/** Node's own digests. */
export const digest: (algorithm: 'sha256' | 'ripemd160', input: Uint8Array) => Uint8Array =
  // The one-shot function came with Node 20.12; of its forms a character per byte is the fastest, taking it apart included.
  typeof hash === 'function'
    ? (algorithm, input) => fromBinaryText(hash(algorithm, input, 'binary'))
    : (algorithm, input) => createHash(algorithm).update(input).digest()

function fromBinaryText(text: string): Uint8Array {
  const out = new Uint8Array(text.length)
  for (let i = 0; i < out.length; i++) out[i] = text.charCodeAt(i)
  return out
}
