import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js'
import { argon2d, argon2i, argon2id } from '@noble/hashes/argon2.js'
import { TesseraError } from './fault.ts'

/** A key with a password, as Tessera writes it; texts are base64. */
export interface LockedKey {
  readonly snonce: string
  readonly asalt: string
  readonly sbox: string
  readonly aopts: {
    readonly variant?: string
    readonly algorithm?: string
    readonly iterations: number
    /** KiB. */
    readonly memory: number
    readonly parallelism: number
  }
}

const variants = { i: argon2i, d: argon2d, id: argon2id } as const
const isVariant = (name: string): name is keyof typeof variants => Object.hasOwn(variants, name)

/** KiB that a key may ask for: Tessera's own keys take 1 GiB. */
const maxMemory = 2 << 20

/** Opens a key with its password; with Tessera's own options that takes a minute or two. */
export function unlockKey(locked: LockedKey, password: string, key: string): Uint8Array {
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))
  const { aopts } = locked
  const variant = aopts.variant ?? aopts.algorithm ?? 'i'
  if (!isVariant(variant)) throw new TesseraError({ code: 'KEY_INVALID', key, reason: `argon2 variant ${variant}` })
  if (aopts.memory > maxMemory)
    throw new TesseraError({ code: 'KEY_INVALID', key, reason: 'argon2 takes too much memory' })
  const options = { t: aopts.iterations, m: aopts.memory, p: aopts.parallelism, dkLen: 32, maxmem: 2 ** 32 - 1 }
  const secret = variants[variant](new TextEncoder().encode(password), bytes(locked.asalt), options)
  try {
    return xsalsa20poly1305(secret, bytes(locked.snonce)).decrypt(bytes(locked.sbox))
  } catch (error) {
    throw new TesseraError({ code: 'PASSWORD_WRONG', key }, error)
  }
}
