import { readFileSync } from 'node:fs'
import { KeyError } from './fault.ts'

/** Reads a password; a line break at the end is not part of it. */
export function readPasswordFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new KeyError({ code: 'PASSWORD_UNREADABLE', path }, error)
  }
}

/** Reads a password that a key is going to be encrypted with: not an empty one. */
export function readNewPassword(path: string): string {
  const password = readPasswordFile(path)
  if (password === '') throw new KeyError({ code: 'PASSWORD_EMPTY', path })
  return password
}
