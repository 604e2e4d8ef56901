import { readFileSync, statSync } from 'node:fs'
import { CliError, failed } from '../../config/fault.ts'
import { isJsonObject } from '../../primitives/json.ts'
import type { NamesPort } from '../../rpc/protocol/context.ts'
import type { Logger } from '../../system/logger.ts'

const option = '--address-names-file'
const address = /^0x[0-9a-f]{40}$/i
/** Longer names would not be read, and would push everything else away. */
const maxName = 64
/** Every page of an explorer asks for all of them. */
const maxNames = 10_000

/** Reads a file of names: a JSON object of addresses with their names. */
function readNames(file: string): ReadonlyMap<string, string> {
  const refuse = (reason: string, cause?: unknown) => failed(`${option}: ${file} ${reason}`, cause)
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw refuse(code ? `cannot be read (${code})` : 'is not JSON', error)
  }
  if (!isJsonObject(json)) throw refuse('is not a JSON object of addresses with their names')
  const names = new Map<string, string>()
  for (const [key, value] of Object.entries(json)) {
    if (!address.test(key)) throw refuse(`has '${key.slice(0, maxName)}', which is no address`)
    if (typeof value !== 'string' || value.trim() === '' || value.length > maxName)
      throw refuse(`has no name of 1 to ${maxName} characters for ${key}`)
    names.set(key.toLowerCase(), value.trim())
  }
  if (names.size > maxNames) throw refuse(`has more than ${maxNames} names`)
  return names
}

const textOf = ({ at }: CliError): string => at.text

/** Changes of a file show in these. */
const versionOf = (file: string): string => {
  const { mtimeMs, size, ino } = statSync(file)
  return `${mtimeMs} ${size} ${ino}`
}

/** The names in the operator's file, which may be edited while the node runs; a file that is invalid at the start is refused. */
export function createAddressNames(file: string | undefined, log: Logger): NamesPort {
  if (file === undefined) return { all: () => new Map() }
  let names = readNames(file)
  let version = versionOf(file)

  function readAgain(): void {
    let now = 'none'
    try {
      now = versionOf(file!)
      if (now === version) return
      names = readNames(file!)
      log.info({ file, names: names.size }, '{file} is read again: {names} names of addresses')
    } catch (error) {
      if (now === version) return
      const { code } = error as NodeJS.ErrnoException
      const problem = error instanceof CliError ? textOf(error) : `${option}: ${file} cannot be read (${code})`
      log.warn({ problem }, '{problem}; the names of addresses stay as they were')
    } finally {
      version = now
    }
  }

  return {
    all() {
      readAgain()
      return names
    },
  }
}
