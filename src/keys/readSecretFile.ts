import { closeSync, openSync, readSync } from 'node:fs'

/** Bytes of a file with a key or a password; what is longer is none. */
const maxSecret = 1 << 20
const chunk = 4096

/**
 * Reads a file with a secret. Its bytes are in memory of their own, and nowhere else in this process, so that `wipe` forgets them: a string
 * could not be overwritten, and buffers that Node shares out stay as they are. Files without a size, such as pipes, can be read too.
 */
export function readSecretFile(path: string): Uint8Array {
  const file = openSync(path, 'r')
  let bytes: Uint8Array = new Uint8Array(chunk)
  let length = 0
  try {
    for (;;) {
      const read = readSync(file, bytes, length, bytes.length - length, null)
      if (read === 0) break
      length += read
      if (length < bytes.length) continue
      if (length >= maxSecret) throw new RangeError(`${path} is larger than a megabyte`)
      const larger = new Uint8Array(2 * bytes.length)
      larger.set(bytes)
      wipe(bytes)
      bytes = larger
    }
    return bytes.subarray(0, length)
  } catch (error) {
    wipe(bytes)
    throw error
  } finally {
    closeSync(file)
  }
}

/** Overwrites bytes that are not needed any more. */
export function wipe(...secrets: readonly (Uint8Array | undefined)[]): void {
  for (const secret of secrets) secret?.fill(0)
}

/** Calls `use` with a secret, and overwrites it when that is done, whatever comes of it. */
export async function withSecret<T>(secret: Uint8Array, use: (secret: Uint8Array) => T | Promise<T>): Promise<T> {
  try {
    return await use(secret)
  } finally {
    wipe(secret)
  }
}
