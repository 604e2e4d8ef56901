import type { SignedKind } from '../keys/nodeIdentity.ts'
import { fromHex, toHex } from '../primitives/hex.ts'
import { curve } from '../primitives/secp256k1.ts'
import { KeyServerError } from './fault.ts'
import type { KeyHolder } from './keyHolder.ts'
import { type AgreeAnswer, type KeyAnswer, paths, type Refusal, type SignAnswer } from './protocol.ts'

export interface Answer {
  readonly status: 200 | 400 | 404 | 409
  readonly body: KeyAnswer | SignAnswer | AgreeAnswer | Refusal | { readonly status: 'UP' }
}

const kinds: ReadonlySet<unknown> = new Set<SignedKind>([
  ...(['packet', 'record', 'ibft2', 'qbft'] as const),
  ...(['ibft2-seal', 'qbft-seal', 'clique'] as const),
])

const isKind = (value: unknown): value is SignedKind => kinds.has(value)

function malformed(reason: string): KeyServerError {
  return new KeyServerError({ code: 'MALFORMED', reason })
}

function membersOf(text: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw malformed('the body is not JSON')
  }
  if (typeof value !== 'object' || value === null) throw malformed('the body is not an object')
  return value as Readonly<Record<string, unknown>>
}

function bytesIn(members: Readonly<Record<string, unknown>>, name: string): Uint8Array {
  const value = members[name]
  if (typeof value !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(value)) throw malformed(`${name} is not hexadecimal`)
  return fromHex(value)
}

async function sign(holder: KeyHolder, text: string): Promise<SignAnswer> {
  const members = membersOf(text)
  const { kind } = members
  if (!isKind(kind)) throw malformed('the kind is unknown')
  return { signature: toHex(await holder.sign(kind, bytesIn(members, 'content'))) }
}

async function agree(holder: KeyHolder, text: string): Promise<AgreeAnswer> {
  const publicKey = bytesIn(membersOf(text), 'publicKey')
  if (publicKey.length !== 64 || !curve.isPublicKey(publicKey)) throw malformed('publicKey is not on the curve')
  return { secret: toHex(await holder.agree(publicKey)) }
}

/** Answers one request; rejects only on what is no fault of the request, such as a full disk, or a token that is not there. */
export async function answerRequest(holder: KeyHolder, method: string, path: string, text: string): Promise<Answer> {
  try {
    if (method === 'GET' && path === paths.liveness) return { status: 200, body: { status: 'UP' } }
    if (method === 'GET' && path === paths.key)
      return { status: 200, body: { address: holder.address, publicKey: holder.publicKey } }
    if (method === 'POST' && path === paths.sign) return { status: 200, body: await sign(holder, text) }
    if (method === 'POST' && path === paths.agree) return { status: 200, body: await agree(holder, text) }
    return { status: 404, body: { error: 'there is nothing at this path' } }
  } catch (error) {
    if (!(error instanceof KeyServerError)) throw error
    if (error.at.code === 'MALFORMED') return { status: 400, body: { error: error.message } }
    if (error.at.code === 'CONTRADICTION') return { status: 409, body: { error: error.message } }
    throw error
  }
}
