import { accessSync, constants, readFileSync, realpathSync, statSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { parse, TomlError } from 'smol-toml'
import { writeFileAtomically } from '../system/writeFileAtomically.ts'
import { type ArrayChange, editArray } from './editArray.ts'
import { PermissionsFileError } from './fault.ts'

/** The key of a list, and the one that older versions of Besu used. */
export interface ListKeys {
  readonly key: string
  readonly oldKey: string
}

/** A list as it stands in a permissions file. */
export interface ListInFile {
  readonly text: string
  /** The key that the file uses. */
  readonly key: string
  readonly items: readonly string[]
}

/** Reads a list from a permissions file; throws a PermissionsFileError. */
export function readList(path: string, keys: ListKeys): ListInFile {
  const text = readText(path)
  const values = parseToml(path, text)
  const key = values[keys.key] === undefined && values[keys.oldKey] !== undefined ? keys.oldKey : keys.key
  const items = values[key]
  if (items === undefined) throw new PermissionsFileError({ code: 'KEY_MISSING', path, key: keys.key })
  if (!Array.isArray(items)) throw new PermissionsFileError({ code: 'NOT_AN_ARRAY', path, key })
  return { text, key, items: items.map(String) }
}

/** Changes a list in a permissions file, and nothing else there: the old file or the new one is found after a crash. */
export function writeList(path: string, { text, key, items }: ListInFile, change: ArrayChange): void {
  const edited = editArray(text, key, change)
  const kept = items.filter((_, index) => !change.removed.includes(index))
  const wanted = { ...parseToml(path, text), [key]: [...kept, ...change.added] }
  if (edited === undefined || !isDeepStrictEqual({ ...parseToml(path, edited) }, wanted))
    throw new PermissionsFileError({ code: 'UNREADABLE', path, reason: `${key} cannot be changed in place` })
  // A file that must not be written could still be replaced.
  accessSync(path, constants.W_OK)
  const target = realpathSync(path)
  writeFileAtomically(target, edited, statSync(target).mode & 0o777)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? `Configuration file does not exist: ${path}` : `cannot be read (${code})`
    throw new PermissionsFileError({ code: 'UNREADABLE', path, reason }, error)
  }
}

function parseToml(path: string, text: string): Record<string, unknown> {
  const fault = (reason: string, cause?: unknown) =>
    new PermissionsFileError({ code: 'UNREADABLE', path, reason }, cause)
  let values: Record<string, unknown>
  try {
    values = parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    // Only the first line: those after it show the text of the file, which may be any file by mistake.
    const [reason] = error.message.split('\n')
    throw fault(`Invalid TOML configuration: ${reason} (line ${error.line}, column ${error.column})`, error)
  }
  if (Object.keys(values).length === 0) throw fault('Empty TOML result: no key in the file')
  return values
}
