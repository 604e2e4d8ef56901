import { isIP } from 'node:net'
import { type Enode, formatEnode, parseEnode, parseNodeId } from '../net/enode.ts'
import { decodeRecord, parseRecord, recordToEnode } from '../net/enr.ts'
import type { Address } from '../primitives/bytes.ts'
import { fromHex, hexToAddress, toHex } from '../primitives/hex.ts'
import { type LogLevelName, logLevelNames } from '../primitives/logLevel.ts'
import { badValue } from './fault.ts'

/** How one type of option value is written on a command line, in the environment and in a configuration file. */
export interface Codec<T> {
  /** Stands for the value in help texts and messages. */
  readonly label: string
  /** `flag` may stand without a value, `many` takes a comma-separated list and may be repeated. */
  readonly arity: 'flag' | 'one' | 'many'
  decode(text: string): T
  /** The text that decodes to the value. */
  encode(value: T): string
}

export const boolean: Codec<boolean> = {
  label: 'BOOLEAN',
  arity: 'flag',
  decode(text) {
    const word = text.toLowerCase()
    if (word !== 'true' && word !== 'false') throw badValue(`'${text}' is not a boolean`)
    return word === 'true'
  },
  encode: String,
}

/** A whole number that a JavaScript number holds exactly. */
export function integer(min: number, max: number): Codec<number> {
  return {
    label: 'INTEGER',
    arity: 'one',
    decode(text) {
      if (!/^[+-]?\d+$/.test(text)) throw badValue(`'${text}' is not an int`)
      const n = Number(text)
      if (n < min) throw badValue(`'${text}' is below the minimum of ${min}`)
      if (n > max) throw badValue(`'${text}' is above the maximum of ${max}`)
      return n
    },
    encode: String,
  }
}

export const natural = integer(0, Number.MAX_SAFE_INTEGER)
export const positive = integer(1, Number.MAX_SAFE_INTEGER)
/** 0 asks the system for any free port. */
export const port = integer(0, 65535)
/** Node's timers count milliseconds in 31 bits. */
export const seconds = integer(1, Math.floor((2 ** 31 - 1) / 1000))

export function decimal(min: number, max: number): Codec<number> {
  return {
    label: 'NUMBER',
    arity: 'one',
    decode(text) {
      if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) throw badValue(`'${text}' is not a double`)
      const n = Number(text)
      if (n < min || n > max) throw badValue(`'${text}' is not between ${min} and ${max}`)
      return n
    },
    encode: String,
  }
}

/** A share of a whole, as a fraction (`0.25`) or in percent (`25%`). */
export const ratio: Codec<number> = {
  label: 'RATIO',
  arity: 'one',
  decode: (text) => (text.endsWith('%') ? percent.decode(text.slice(0, -1)) / 100 : fraction.decode(text)),
  encode: String,
}
const percent = decimal(0, 100)
const fraction = decimal(0, 1)

/** A number of up to 256 bits, decimal or `0x` hexadecimal. */
function big(label: string, what: string): Codec<bigint> {
  return {
    label,
    arity: 'one',
    decode(text) {
      if (!/^(\d+|0x[0-9a-fA-F]+)$/.test(text)) throw badValue(`'${text}' is not ${what}`)
      const n = BigInt(text)
      if (n >> 256n) throw badValue(`'${text}' does not fit into 256 bits`)
      return n
    },
    encode: String,
  }
}

export const wei = big('WEI', 'an amount in wei')
export const bigInteger = big('INTEGER', 'an unsigned integer')

export function text(label: string): Codec<string> {
  return { label, arity: 'one', decode: (given) => given, encode: (value) => value }
}

export const host = notEmpty(text('HOST'))

/** The name of a file or folder; it need not exist. */
export function path(label: 'PATH' | 'FILE' | 'DIRECTORY'): Codec<string> {
  return notEmpty(text(label))
}

/** The name of a file without a folder. */
export const fileName: Codec<string> = {
  label: 'FILE',
  arity: 'one',
  decode(given) {
    if (given === '' || given === '.' || given === '..' || /[/\\\0]/.test(given))
      throw badValue(`'${given}' is not a plain file name`)
    return given
  },
  encode: (value) => value,
}

function notEmpty(codec: Codec<string>): Codec<string> {
  return {
    ...codec,
    decode(given) {
      if (given === '') throw badValue('must not be empty')
      return codec.decode(given)
    },
  }
}

/** A part of the client's name, which slashes divide. */
export const identity: Codec<string> = {
  label: 'NAME',
  arity: 'one',
  decode(given) {
    if (!/^[^\s/]+$/.test(given)) throw badValue(`'${given}' is not a name without spaces and slashes`)
    return given
  },
  encode: (value) => value,
}

export const address: Codec<Address> = {
  label: 'ADDRESS',
  arity: 'one',
  decode(given) {
    try {
      return hexToAddress(given)
    } catch {
      throw badValue(`'${given}' is not an address of 20 bytes in hexadecimal`)
    }
  },
  encode: toHex,
}

export function hexData(maxBytes: number): Codec<Uint8Array> {
  return {
    label: 'HEX',
    arity: 'one',
    decode(given) {
      let bytes: Uint8Array
      try {
        bytes = fromHex(given)
      } catch {
        throw badValue(`'${given}' is not hexadecimal data`)
      }
      if (bytes.length > maxBytes) throw badValue(`${bytes.length} bytes are more than the allowed ${maxBytes}`)
      return bytes
    },
    encode: toHex,
  }
}

/** An address of the internet protocol; names are not resolved. */
export const ip: Codec<string> = {
  label: 'IP',
  arity: 'one',
  decode(given) {
    if (isIP(given) === 0) throw badValue(`'${given}' is not an IP address`)
    return given
  },
  encode: (value) => value,
}

/** A node to start looking from: an enode URL, or a record in text form as geth takes it too. */
export const bootnode: Codec<Enode> = {
  label: 'ENODE',
  arity: 'one',
  decode(given) {
    let enode: Enode | undefined
    try {
      enode = given.startsWith('enr:') ? recordToEnode(decodeRecord(parseRecord(given))) : parseEnode(given)
    } catch (error) {
      throw badValue((error as Error).message)
    }
    if (!enode) throw badValue(`'${given}' does not say where the node is`)
    return enode
  },
  encode: formatEnode,
}

/** The public key of a node, with or without `0x`. */
export const nodeId: Codec<Uint8Array> = {
  label: 'NODE-ID',
  arity: 'one',
  decode(given) {
    const id = parseNodeId(given.replace(/^0x/i, ''))
    if (!id) throw badValue(`Invalid ids supplied: '${given}' has not exactly 128 hexadecimal digits`)
    return id
  },
  encode: (id) => toHex(id).slice(2),
}

/** One of the given words, returned as it stands in `words`. */
export function oneOf<const W extends string>(words: readonly W[], letters: 'any case' | 'exact case'): Codec<W> {
  const fold = (word: string) => (letters === 'any case' ? word.toUpperCase() : word)
  const rule = letters === 'any case' ? 'case-insensitive' : 'case-sensitive'
  return {
    label: words.join('|'),
    arity: 'one',
    decode(given) {
      const word = words.find((w) => fold(w) === fold(given))
      if (word === undefined) throw badValue(`expected one of [${words.join(', ')}] (${rule}) but was '${given}'`)
      return word
    },
    encode: (word) => word,
  }
}

export const logLevel: Codec<LogLevelName> = {
  label: logLevelNames.join('|'),
  arity: 'one',
  decode(given) {
    const word = given.toUpperCase()
    // Log4j knows one level above ERROR; Besu maps it to ERROR too.
    const level = word === 'FATAL' ? 'ERROR' : logLevelNames.find((l) => l === word)
    if (level === undefined) throw badValue(`Unknown logging value: ${given}`)
    return level
  },
  encode: (level) => level,
}

/** Items divided by commas; empty ones are dropped. */
export function list<T>(item: Codec<T>): Codec<readonly T[]> {
  return {
    label: `${item.label}[,${item.label}...]`,
    arity: 'many',
    decode: (given) => splitList(given).map((part) => item.decode(part)),
    encode: (values) => values.map((value) => item.encode(value)).join(','),
  }
}

/** Words of a fixed set; all that are not in it are named in one message. */
export function listOf<const W extends string>(words: readonly W[]): Codec<readonly W[]> {
  const isWord = (given: string): given is W => (words as readonly string[]).includes(given)
  return {
    label: 'NAME[,NAME...]',
    arity: 'many',
    decode(given) {
      const parts = splitList(given)
      const wrong = parts.filter((part) => !isWord(part))
      if (wrong.length) throw badValue(`invalid entries found [${wrong.join(', ')}]`)
      return [...new Set(parts.filter(isWord))]
    },
    encode: (values) => values.join(','),
  }
}

function splitList(given: string): string[] {
  return given
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Names that are let in: `*` or `all` stands for everybody (decoded as `['*']`), `none` for nobody (`[]`). */
function allowlist(noun: 'hostnames' | 'domains'): Codec<readonly string[]> {
  return {
    label: `${noun === 'hostnames' ? 'HOST' : 'ORIGIN'}[,...]|*|all|none`,
    arity: 'many',
    decode(given) {
      const parts = splitList(given)
      if (parts.length === 0) throw badValue(`the list of ${noun} is empty; 'none' allows nobody`)
      const everybody = parts.some((part) => part === '*' || part === 'all')
      if (everybody && parts.length > 1) throw badValue(`Values '*' or 'all' can't be used with other ${noun}`)
      if (everybody) return ['*']
      if (!parts.includes('none')) return parts
      if (parts.length > 1) throw badValue(`Value 'none' can't be used with other ${noun}`)
      return []
    },
    encode: (values) => (values.length ? values.join(',') : 'none'),
  }
}

export const hosts = allowlist('hostnames')

/** Regular expressions over the whole Origin header. */
export const origins: Codec<readonly string[]> = {
  ...allowlist('domains'),
  decode(given) {
    const parts = allowlist('domains').decode(given)
    for (const part of parts) {
      if (part === '*') continue
      try {
        new RegExp(part)
      } catch {
        throw badValue(`'${part}' is not a regular expression`)
      }
    }
    return parts
  },
}
