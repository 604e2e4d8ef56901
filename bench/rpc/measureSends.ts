import type { Address } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'
import { users } from '../sync/cliqueChain.ts'
import { createClient, requestBody } from './client.ts'
import type { Subject } from './contenders/contender.ts'
import { type LoadOptions, sendRequests } from './load.ts'
import { signed } from './signed.ts'

/** More transactions than any of the servers takes in a second. */
const sendsPerSecond = 15_000

/** So many that none has two transactions under way. */
const senders = users.slice(0, 500)

/** Bodies of transfers, their senders in turn, each from the nonce that is its next one. */
function transferBodies(nonces: readonly number[]): string[] {
  const to = bigIntToFixed(0xbeefn, 20) as Address
  return Array.from({ length: sendsPerSecond }, (_, i) => {
    const sender = i % senders.length
    const nonce = nonces[sender]! + Math.floor(i / senders.length)
    return requestBody(['eth_sendRawTransaction', signed(senders[sender]!.key, nonce, { to, value: 1n })])
  })
}

async function nextNonces({ url, headers }: Subject): Promise<number[]> {
  const { batch } = createClient(url, headers)
  const counts = await batch(senders.map(({ address }) => ['eth_getTransactionCount', toHex(address), 'pending']))
  return counts.map(Number)
}

/** Sends for a second. */
export interface Sends {
  /** Signs what is sent. */
  prepare(): Promise<void>
  /** Transactions that the server took, of which it makes blocks meanwhile: those that count in the senders' nonces. */
  send(): Promise<number>
}

export function sendsTo(subject: Subject, load: LoadOptions): Sends {
  const { url, name, headers } = subject
  let before: number[]
  let bodies: string[]
  return {
    async prepare() {
      before = await nextNonces(subject)
      bodies = transferBodies(before)
    },
    async send() {
      await sendRequests(url, bodies, { ...load, headers, seconds: 1 })
      const after = await nextNonces(subject)
      const taken = after.reduce((sum, nonce, i) => sum + nonce - before[i]!, 0)
      if (taken >= sendsPerSecond) throw new Error(`${name} took all ${taken} transactions`)
      if (taken === 0) throw new Error(`${name} took no transaction`)
      return taken
    },
  }
}
