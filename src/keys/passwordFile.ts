import { KeyError } from './fault.ts'
import { readSecretFile } from './readSecretFile.ts'

/** Reads a password as bytes, which whoever uses it overwrites; a line break at the end is not part of it. */
export function readPasswordFile(path: string): Uint8Array {
  let bytes: Uint8Array
  try {
    bytes = readSecretFile(path)
  } catch (error) {
    throw new KeyError({ code: 'PASSWORD_UNREADABLE', path }, error)
  }
  return bytes.subarray(0, bytes.length - lineBreakAt(bytes))
}

/** Reads a password that a key is going to be encrypted with: not an empty one. */
export function readNewPassword(path: string): Uint8Array {
  const password = readPasswordFile(path)
  if (password.length === 0) throw new KeyError({ code: 'PASSWORD_EMPTY', path })
  return password
}

const [lineFeed, carriageReturn] = [0x0a, 0x0d]

/** Bytes of the line break at the end. */
export function lineBreakAt(bytes: Uint8Array): 0 | 1 | 2 {
  if (bytes.at(-1) !== lineFeed) return 0
  return bytes.at(-2) === carriageReturn ? 2 : 1
}
