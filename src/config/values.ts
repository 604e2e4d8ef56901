import type { Address, Hash32 } from '../primitives/bytes.ts'
import { fromHex, hexToAddress, toHex } from '../primitives/hex.ts'
import { type LogLevelName, logLevelNames } from '../system/logLevel.ts'
import { badValue } from './fault.ts'

/** Decodes and encodes one type of option value. */
export interface OptionCodec<T> {
  /** Placeholder of the value in help and messages. */
  readonly label: string
  /** `flag` needs no value, `many` takes a comma-separated list and may be repeated. */
  readonly arity: 'flag' | 'one' | 'many'
  decode(text: string): T
  /** Returns the text that decodes to the value. */
  encode(value: T): string
}

export const boolean: OptionCodec<boolean> = {
  label: 'BOOLEAN',
  arity: 'flag',
  decode(text) {
    const word = text.toLowerCase()
    if (word !== 'true' && word !== 'false') throw badValue(`'${text}' is not a boolean`)
    return word === 'true'
  },
  encode: String,
}

/** An integer within the safe range of JavaScript numbers. */
export function integer(min: number, max: number): OptionCodec<number> {
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
/** 0 picks any free port. */
export const port = integer(0, 65535)
/** Limited by Node.js timers, which take milliseconds of up to 31 bits. */
export const seconds = integer(1, Math.floor((2 ** 31 - 1) / 1000))

/** Seconds, or milliseconds where the text says so: 250ms, 2s, 2. */
export function duration(max: number): OptionCodec<number> {
  return {
    label: 'DURATION',
    arity: 'one',
    decode(text) {
      const [, digits, unit] = /^(\d+)(ms|s)?$/i.exec(text) ?? []
      if (digits === undefined) throw badValue(`'${text}' is not a time such as 250ms, 2s or 2`)
      const value = unit?.toLowerCase() === 'ms' ? Number(digits) / 1000 : Number(digits)
      if (value === 0) throw badValue(`'${text}' is not more than 0`)
      if (value > max) throw badValue(`'${text}' is above the maximum of ${max}s`)
      return value
    },
    encode: durationText,
  }
}

/** Seconds as `duration` reads them. */
export function durationText(seconds: number): string {
  return Number.isInteger(seconds) ? `${seconds}s` : `${Math.round(seconds * 1000)}ms`
}

export function decimal(min: number, max: number): OptionCodec<number> {
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

/** A ratio, as a fraction (`0.25`) or in percent (`25%`). */
export const ratio: OptionCodec<number> = {
  label: 'RATIO',
  arity: 'one',
  decode: (text) => (text.endsWith('%') ? percent.decode(text.slice(0, -1)) / 100 : fraction.decode(text)),
  encode: String,
}
const percent = decimal(0, 100)
const fraction = decimal(0, 1)

/** A number of up to 256 bits, decimal or `0x` hexadecimal. */
function big(label: string, what: string): OptionCodec<bigint> {
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

export function text(label: string): OptionCodec<string> {
  return { label, arity: 'one', decode: (given) => given, encode: (value) => value }
}

export const host = notEmpty(text('HOST'))

/** A path; it need not exist. */
export function path(label: 'PATH' | 'FILE' | 'DIRECTORY' | 'DIRECTORY|URL' | 'FILE|URL'): OptionCodec<string> {
  return notEmpty(text(label))
}

/**
 * A URL with one of these schemes, in the form that all programs understand; as text, because options are sent to other threads, which objects
 * with methods are not. It must not contain a password, which other users could see among the processes.
 */
export function url(schemes: readonly string[]): OptionCodec<string> {
  return {
    label: 'URL',
    arity: 'one',
    decode(given) {
      const parsed = URL.canParse(given) ? new URL(given) : undefined
      if (!parsed || !schemes.includes(parsed.protocol.slice(0, -1)))
        throw badValue(`'${given}' is not a URL that begins with ${schemes.map((s) => `${s}://`).join(' or ')}`)
      if (parsed.username !== '' || parsed.password !== '')
        throw badValue('the URL must not contain a user or password')
      return parsed.href
    },
    encode: (value) => value.replace(/\/$/, ''),
  }
}

/** A file name without a directory. */
export const fileName: OptionCodec<string> = {
  label: 'FILE',
  arity: 'one',
  decode(given) {
    if (given === '' || given === '.' || given === '..' || /[/\\\0]/.test(given))
      throw badValue(`'${given}' is not a file name without directory`)
    return given
  },
  encode: (value) => value,
}

function notEmpty(codec: OptionCodec<string>): OptionCodec<string> {
  return {
    ...codec,
    decode(given) {
      if (given === '') throw badValue('must not be empty')
      return codec.decode(given)
    },
  }
}

/** A part of the client version, which is separated by slashes. */
export const identity: OptionCodec<string> = {
  label: 'NAME',
  arity: 'one',
  decode(given) {
    if (!/^[^\s/]+$/.test(given)) throw badValue(`'${given}' must not contain spaces or slashes`)
    return given
  },
  encode: (value) => value,
}

export const address: OptionCodec<Address> = {
  label: 'ADDRESS',
  arity: 'one',
  decode(given) {
    try {
      return hexToAddress(given)
    } catch {
      throw badValue(`cannot convert '${given}' to Address (it must be 20 bytes in hexadecimal)`)
    }
  },
  encode: toHex,
}

export function hexData(maxBytes: number): OptionCodec<Uint8Array> {
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
      if (bytes.length > maxBytes) throw badValue(`${bytes.length} bytes exceed the maximum of ${maxBytes}`)
      return bytes
    },
    encode: toHex,
  }
}

/** A block number and a hash, as in `12=0xab…`; a short hash is filled up with zeros in front, as in Besu. */
export const numberedHash: OptionCodec<{ readonly number: bigint; readonly hash: Hash32 }> = {
  label: 'BLOCK=HASH',
  arity: 'one',
  decode(given) {
    const [, number, digits] = /^(\d+)=(?:0x)?([0-9a-f]{1,64})$/i.exec(given) ?? []
    if (number === undefined || digits === undefined) throw badValue(`'${given}' is not a block number, = and its hash`)
    return { number: BigInt(number), hash: fromHex(digits.padStart(64, '0')) as Hash32 }
  },
  encode: ({ number, hash }) => `${number}=${toHex(hash)}`,
}

/** One of the given words, in the spelling of `words`. */
export function oneOf<const W extends string>(words: readonly W[], letters: 'any case' | 'exact case'): OptionCodec<W> {
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

/** The name of a fork. */
export function forkOf<const W extends string>(names: readonly W[]): OptionCodec<W> {
  return { ...oneOf(names, 'any case'), label: 'FORK' }
}

export const logLevel: OptionCodec<LogLevelName> = {
  label: logLevelNames.join('|'),
  arity: 'one',
  decode(given) {
    const word = given.toUpperCase()
    // Log4j has a level above ERROR, which Besu maps to ERROR too.
    const level = word === 'FATAL' ? 'ERROR' : logLevelNames.find((l) => l === word)
    if (level === undefined) throw badValue(`Unknown logging value: ${given}`)
    return level
  },
  encode: (level) => level,
}

/** Comma-separated items; empty ones are dropped. */
export function list<T>(item: OptionCodec<T>): OptionCodec<readonly T[]> {
  return {
    label: `${item.label}[,${item.label}...]`,
    arity: 'many',
    decode: (given) => splitList(given).map((part) => item.decode(part)),
    encode: (values) => values.map((value) => item.encode(value)).join(','),
  }
}

/** Comma-separated words of a fixed set; one message names all invalid ones. */
export function listOf<const W extends string>(words: readonly W[]): OptionCodec<readonly W[]> {
  const isWord = (given: string): given is W => (words as readonly string[]).includes(given)
  return {
    label: 'NAME[,NAME...]',
    arity: 'many',
    decode(given) {
      const parts = splitList(given)
      const wrong = parts.filter((part) => !isWord(part))
      if (wrong.length)
        throw badValue(`invalid entries found [${wrong.join(', ')}], expected some of [${words.join(', ')}]`)
      return [...new Set(parts.filter(isWord))]
    },
    encode: (values) => values.join(','),
  }
}

export function splitList(given: string): string[] {
  return given
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
