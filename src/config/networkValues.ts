import { isIP } from 'node:net'
import { type Enode, formatEnode, parseEnode, parseNodeId } from '../net/enode.ts'
import { decodeRecord, parseRecord, recordToEnode } from '../net/enr.ts'
import { toHex } from '../primitives/hex.ts'
import { RlpError } from '../primitives/rlp.ts'
import { badValue } from './fault.ts'
import { natural, type OptionCodec, oneOf, splitList } from './values.ts'

/** An IP address; host names are not resolved. */
export const ip: OptionCodec<string> = {
  label: 'IP',
  arity: 'one',
  decode(given) {
    if (isIP(given) === 0) throw badValue(`'${given}' is not an IP address`)
    return given
  },
  encode: (value) => value,
}

/** A bootnode: an enode URL, or an ENR as in geth. Its host may be a name, which has to be enabled. */
export const bootnode: OptionCodec<Enode> = {
  label: 'ENODE',
  arity: 'one',
  decode(given) {
    let enode: Enode | undefined
    try {
      enode = given.startsWith('enr:')
        ? recordToEnode(decodeRecord(parseRecord(given)))
        : parseEnode(given, { names: true })
    } catch (error) {
      // Its parts are named by codes alone.
      if (error instanceof RlpError) throw badValue(`Invalid node record '${given}': it is cut or damaged`)
      throw badValue((error as Error).message)
    }
    if (!enode) throw badValue(`'${given}' has no IP address`)
    return enode
  },
  encode: formatEnode,
}

/** The public key of a node, with or without `0x`. */
export const nodeId: OptionCodec<Uint8Array> = {
  label: 'NODE-ID',
  arity: 'one',
  decode(given) {
    const id = parseNodeId(given.replace(/^0x/i, ''))
    if (!id) throw badValue(`Invalid ids supplied: '${given}' does not have exactly 128 hexadecimal digits`)
    return id
  },
  encode: (id) => toHex(id).slice(2),
}

/** A public key of a private transaction manager. */
export const managerKey: OptionCodec<Uint8Array> = {
  label: 'KEY',
  arity: 'one',
  decode(given) {
    const bytes = Buffer.from(given, 'base64')
    if (bytes.length !== 32 || bytes.toString('base64') !== given)
      throw badValue(`'${given}' is not the base64 of 32 bytes`)
    return new Uint8Array(bytes)
  },
  encode: (key) => Buffer.from(key).toString('base64'),
}

/** Allowed names: `*` or `all` allows every name (decoded as `['*']`), `none` allows none (`[]`). */
function allowlist(noun: 'hostnames' | 'domains'): OptionCodec<readonly string[]> {
  return {
    label: `${noun === 'hostnames' ? 'HOST' : 'ORIGIN'}[,...]|*|all|none`,
    arity: 'many',
    decode(given) {
      const parts = splitList(given)
      if (parts.length === 0)
        throw badValue(`${noun === 'hostnames' ? 'Hostname' : 'Domain'} cannot be empty string or null string.`)
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

/** Regular expressions that must match the whole Origin header. */
export const origins: OptionCodec<readonly string[]> = {
  ...allowlist('domains'),
  decode(given) {
    const parts = allowlist('domains').decode(given)
    for (const part of parts) {
      if (part === '*') continue
      try {
        new RegExp(part)
      } catch {
        throw badValue(`Domain values result in invalid regex pattern: '${part}'`)
      }
    }
    return parts
  },
}

const syncModes = ['FULL', 'FAST', 'SNAP', 'CHECKPOINT', 'X_SNAP', 'X_CHECKPOINT'] as const
const anySyncMode = oneOf(syncModes, 'any case')

/** Modes of Besu: FAST and CHECKPOINT are FULL. */
export const syncMode: OptionCodec<'FULL' | 'SNAP'> = {
  label: 'FULL|SNAP',
  arity: 'one',
  decode: (text) => (anySyncMode.decode(text).endsWith('SNAP') ? 'SNAP' : 'FULL'),
  encode: (mode) => mode,
}

export function warnOfSyncMode(name: string, given: string): string | undefined {
  const mode = anySyncMode.decode(given)
  if (mode === 'FULL' || mode.endsWith('SNAP')) return undefined
  return `Option '--${name}' is FULL here: every block is downloaded and executed; SNAP takes over the state of a recent block`
}

/** A number of blocks, or all of them. */
export const blockCount: OptionCodec<number> = {
  label: 'all|NUMBER',
  arity: 'one',
  decode: (text) => (text.toLowerCase() === 'all' ? Number.POSITIVE_INFINITY : natural.decode(text)),
  encode: (count) => (count === Number.POSITIVE_INFINITY ? 'all' : String(count)),
}
