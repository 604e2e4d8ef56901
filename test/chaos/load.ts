import { setTimeout as delay } from 'node:timers/promises'
import type { Address } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'
import { encodeTx, txHash } from '../../src/types/encodeTx.ts'
import { signTx } from '../../src/types/signTx.ts'
import type { Random } from '../fuzz/random.ts'
import { ask, Refused } from './ask.ts'
import type { Witness } from './witness.ts'

/** Transactions under way all the time, one of each account. */
export interface Load {
  /** Sends no new ones, and waits until those that were accepted are mined, or for so many milliseconds. */
  finish(patience: number): Promise<void>
  readonly counts: { readonly accepted: number; readonly mined: number; readonly sentAgain: number }
  /** Refusals that nothing explains. */
  readonly unexplained: ReadonlySet<string>
  /** Hashes of those that were accepted and never mined. */
  lost(): readonly string[]
}

const accounts = 40
/** Milliseconds after which a transaction that is not mined is sent to another node: pools do not survive kill -9. */
const sendAgainAfter = 6_000
const lookEvery = 200
const recipient = bigIntToFixed(0xbeefn, 20) as Address
const chainId = 1337n

/** The transaction is there already, or in a block that the witness has not seen yet. */
const explained = /known transaction|already known|nonce too low|nonce below/i

export function applyLoad(urls: readonly string[], witness: Witness, random: Random): Load {
  const counts = { accepted: 0, mined: 0, sentAgain: 0 }
  const unexplained = new Set<string>()
  const waiting = new Set<string>()
  let ended = false
  let givenUp = false

  /** True when a node has it. */
  async function submit(raw: string): Promise<boolean> {
    try {
      await ask(random.pick(urls), 'eth_sendRawTransaction', raw)
      return true
    } catch (error) {
      if (!(error instanceof Refused)) return false
      if (explained.test(error.message)) return true
      unexplained.add(`${error.code} ${error.message}`)
      return false
    }
  }

  async function waitMined(hash: string): Promise<boolean> {
    const end = performance.now() + sendAgainAfter
    while (!witness.isMined(hash) && performance.now() < end && !givenUp) await delay(lookEvery)
    return witness.isMined(hash)
  }

  async function drive(account: number): Promise<void> {
    const key = bigIntToFixed(BigInt(5000 + account), 32)
    for (let nonce = 0n; !ended; nonce++) {
      const body = { gasPrice: 0n, gasLimit: 21_000n, to: recipient, value: 0n, data: new Uint8Array(0) }
      const tx = signTx({ type: 0, chainId, nonce, ...body }, key)
      const [raw, hash] = [toHex(encodeTx(tx)), toHex(txHash(tx))]
      let isAccepted = false
      for (;;) {
        if (await submit(raw)) {
          if (isAccepted) counts.sentAgain++
          else counts.accepted++
          isAccepted = true
          waiting.add(hash)
          if (await waitMined(hash)) break
        } else await delay(lookEvery)
        if (givenUp || (ended && !isAccepted)) return
      }
      waiting.delete(hash)
      counts.mined++
    }
  }

  const driving = Promise.all(Array.from({ length: accounts }, (_, i) => drive(i)))
  return {
    async finish(patience) {
      ended = true
      await Promise.race([driving, delay(patience)])
      givenUp = true
      await driving
    },
    counts,
    unexplained,
    lost: () => [...waiting],
  }
}
