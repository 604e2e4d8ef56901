import { type FileHandle, open } from 'node:fs/promises'
import { TesseraError } from './fault.ts'

/** A row of Tessera's database: values by the names of columns, in upper case. */
export interface ExportedRow {
  readonly table: string
  readonly line: number
  readonly values: ReadonlyMap<string, Uint8Array | string | undefined>
}

/** The tables that hold payloads and groups. */
export const payloadTable = 'ENCRYPTED_TRANSACTION'
export const groupTable = 'PRIVACY_GROUP'
const wanted: ReadonlySet<string> = new Set([payloadTable, groupTable])

const createHead = /^CREATE .*\bTABLE (?:IF NOT EXISTS )?(\S+?)\(\s*$/
const insertHead = /^INSERT INTO (\S+?)(?:\(([^)]*)\))? VALUES\s*$/
/** A value: bytes, text, NULL, a number or a name. */
const value = /\s*(?:X'([0-9a-fA-F]*)'|'((?:[^']|'')*)'|(NULL)|([-+.\w]+))\s*(,|\))/y

const plain = (name: string) => name.replaceAll('"', '').toUpperCase().split('.').at(-1)!.trim()

/** Reads the rows that matter of what H2's tool `Script` has written: each is a line. */
export async function* readExport(path: string): AsyncGenerator<ExportedRow> {
  const columns = new Map<string, string[]>()
  let declared: string[] | undefined
  let table: string | undefined
  let names: readonly string[] = []
  let line = 0
  for await (const text of (await openExport(path)).readLines()) {
    line++
    if (declared) {
      const column = /^\s+"?(\w+)"? /.exec(text)?.[1]
      if (column === undefined) declared = undefined
      else declared.push(column.toUpperCase())
      continue
    }
    const created = createHead.exec(text)
    if (created) columns.set(plain(created[1]!), (declared = []))
    const inserted = insertHead.exec(text)
    if (inserted) {
      table = plain(inserted[1]!)
      names = inserted[2] === undefined ? (columns.get(table) ?? []) : inserted[2].split(',').map(plain)
    } else if (table !== undefined && text.startsWith('(')) {
      if (wanted.has(table)) yield { table, line, values: valuesIn(text, names, path, line) }
    } else table = undefined
  }
}

function openExport(path: string): Promise<FileHandle> {
  return open(path).catch((error: NodeJS.ErrnoException) => {
    throw new TesseraError({ code: 'FILE_UNREADABLE', path, reason: error.code ?? error.message }, error)
  })
}

function valuesIn(text: string, names: readonly string[], path: string, line: number): ExportedRow['values'] {
  const values = new Map<string, Uint8Array | string | undefined>()
  value.lastIndex = 1
  for (const name of names) {
    const match = value.exec(text)
    if (!match) break
    const [, bytes, quoted, empty, other] = match
    if (bytes !== undefined) values.set(name, new Uint8Array(Buffer.from(bytes, 'hex')))
    else values.set(name, empty === undefined ? (quoted?.replaceAll("''", "'") ?? other) : undefined)
  }
  if (names.length > 0 && values.size === names.length) return values
  throw new TesseraError({ code: 'EXPORT_INVALID', path, line, reason: 'the row is not as H2 exports it' })
}
