import { readPasswordFile } from '../keys/passwordFile.ts'
import { ckf, cku } from './constants.ts'
import { TokenError } from './fault.ts'
import { type Cryptoki, loadLibrary } from './loadLibrary.ts'
import { copyOf } from './structures.ts'

/** Where a token is: its label, the number of its slot, or the place of that in the list of slots that have tokens. */
export type SlotChoice =
  | { readonly kind: 'label'; readonly label: string }
  | { readonly kind: 'slot'; readonly slot: number }
  | { readonly kind: 'index'; readonly index: number }

export interface TokenPlace {
  readonly library: string
  readonly slot: SlotChoice
  /** Undefined for a token that asks for none, or has a keypad. */
  readonly pinFile: string | undefined
}

/** A user who is logged in to a token. */
export interface Session {
  readonly library: Cryptoki
  readonly handle: bigint
}

interface Token {
  readonly slot: bigint
  readonly label: string
  readonly flags: number
}

function callFailure(error: unknown): string | undefined {
  return error instanceof TokenError && error.at.code === 'CALL_FAILED' ? error.at.name : undefined
}

/** Makes a call whose failure for one of these reasons is none. */
function unless(expected: readonly string[], action: () => void): void {
  try {
    action()
  } catch (error) {
    if (!expected.includes(callFailure(error) ?? '')) throw error
  }
}

function slotsWithTokens(library: Cryptoki): bigint[] {
  const count = new BigUint64Array(1)
  library.call('C_GetSlotList', 1, null, count)
  const slots = new BigUint64Array(Number(count[0]))
  if (slots.length === 0) return []
  library.call('C_GetSlotList', 1, slots, count)
  return [...slots.subarray(0, Number(count[0]))]
}

/** Bytes of CK_TOKEN_INFO, and more. */
const tokenInfoLength = 256
const flagsAt = 96

/** Undefined where there is none any more, or one that does not answer. */
function tokenIn(library: Cryptoki, slot: bigint): Token | undefined {
  const info = Buffer.alloc(tokenInfoLength)
  try {
    library.call('C_GetTokenInfo', slot, info)
  } catch {
    return undefined
  }
  const flags = new BigUint64Array(info.buffer, info.byteOffset + flagsAt, 1)
  return { slot, label: info.toString('utf8', 0, 32).trimEnd(), flags: Number(flags[0]) }
}

function describe(choice: SlotChoice): string {
  if (choice.kind === 'label') return `"${choice.label}"`
  return choice.kind === 'slot' ? `in slot ${choice.slot}` : `at place ${choice.index} of its list`
}

function findToken(library: Cryptoki, choice: SlotChoice): Token {
  const tokens = slotsWithTokens(library).map((slot) => tokenIn(library, slot))
  const fits = (token: Token | undefined, index: number): boolean => {
    if (choice.kind === 'label') return token?.label === choice.label
    return choice.kind === 'slot' ? token?.slot === BigInt(choice.slot) : index === choice.index
  }
  const token = tokens.find(fits)
  if (token) return token
  const used = tokens.filter((other) => other !== undefined && (other.flags & ckf.tokenInitialized) !== 0)
  const found = used.map((other) => `"${other!.label}" in slot ${other!.slot}`)
  throw new TokenError({ code: 'NO_TOKEN', wanted: describe(choice), found })
}

/** What is wrong with a PIN: it must not be tried again, since tokens lock themselves. */
const pinFaults: Readonly<Record<string, string>> = {
  CKR_PIN_INCORRECT: 'the PIN is wrong',
  CKR_PIN_INVALID: 'the PIN is wrong',
  CKR_PIN_LEN_RANGE: 'the PIN is wrong: too short or too long',
  CKR_PIN_EXPIRED: 'the PIN has expired',
  CKR_PIN_LOCKED: 'the PIN is locked after wrong ones',
  CKR_USER_PIN_NOT_INITIALIZED: 'the token has no PIN for its user yet',
}

function logIn({ library, handle }: Session, { label, flags }: Token, pinFile: string | undefined): void {
  if ((flags & ckf.loginRequired) === 0) return
  const hasKeypad = (flags & ckf.protectedAuthenticationPath) !== 0
  const fault = (reason: string) => new TokenError({ code: 'PIN', reason: `token "${label}": ${reason}` })
  if (pinFile === undefined && !hasKeypad)
    throw fault('it asks for a PIN, and no file names one: see --pkcs11-pin-file')
  const pin = pinFile === undefined ? null : copyOf(Buffer.from(readPasswordFile(pinFile)))
  try {
    unless(['CKR_USER_ALREADY_LOGGED_IN'], () => library.call('C_Login', handle, cku.user, pin, pin?.length ?? 0))
  } catch (error) {
    const reason = pinFaults[callFailure(error) ?? '']
    throw reason === undefined ? error : fault(reason)
  } finally {
    pin?.fill(0)
  }
}

/** Loads a library, finds a token in it, and logs in. Throws a `TokenError`. */
export async function openSession({ library: path, slot: choice, pinFile }: TokenPlace): Promise<Session> {
  const library = await loadLibrary(path)
  unless(['CKR_CRYPTOKI_ALREADY_INITIALIZED'], () => library.call('C_Initialize', null))
  const token = findToken(library, choice)
  const handle = new BigUint64Array(1)
  // Some tokens have no sessions that only read.
  library.call('C_OpenSession', token.slot, ckf.serialSession | ckf.rwSession, null, null, handle)
  const session = { library, handle: handle[0]! }
  logIn(session, token, pinFile)
  return session
}
