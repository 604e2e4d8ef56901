import { describe, expect, test } from 'vitest'
import { CallError } from './fault.ts'
import { createNonces } from './nonces.ts'

const account = `0x${'01'.repeat(20)}`
const never = new AbortController().signal
const refusal = (message: string) => new CallError({ code: 'NODE_ERROR', error: { code: -32000, message } })

/** A node's pool of one account, which takes each nonce once and in order. */
function createPool(first = 0n) {
  const taken: bigint[] = []
  let next = first
  let reads = 0
  return {
    taken,
    get reads() {
      return reads
    },
    /** Another program sends with the same key. */
    sendElsewhere: () => void next++,
    /** The chain was set back, and the pool is empty. */
    reset: (to: bigint) => void (next = to),
    read: async () => {
      reads++
      return next
    },
    send: async (nonce: bigint) => {
      await Promise.resolve()
      if (nonce < next) throw refusal('Nonce too low')
      if (nonce > next) throw new Error(`a gap: ${nonce} after ${next}`)
      taken.push(nonce)
      next++
      return nonce
    },
  }
}

const range = (from: number, count: number) => Array.from({ length: count }, (_, i) => BigInt(from + i))

describe('nonces', () => {
  test('of concurrent sends are consecutive, and read once', async () => {
    const pool = createPool(7n)
    const nonces = createNonces(pool.read)
    const results = await Promise.all(range(0, 50).map(() => nonces.use(account, never, pool.send)))
    expect(results).toEqual(range(7, 50))
    expect(pool.reads).toBe(1)
  })

  test('of refused transactions go to the next ones', async () => {
    const pool = createPool()
    const nonces = createNonces(pool.read)
    const results = await Promise.allSettled(
      range(0, 60).map((i) =>
        nonces.use(account, never, (nonce) => {
          if (i % 3n === 0n) return Promise.reject(refusal('Upfront cost exceeds account balance'))
          if (i % 7n === 0n) return Promise.reject(new CallError({ code: 'NODE_TIMED_OUT' }))
          return pool.send(nonce)
        }),
      ),
    )
    expect(pool.taken).toEqual(range(0, pool.taken.length))
    const sent = range(0, 60).filter((i) => i % 3n !== 0n && i % 7n !== 0n)
    expect(pool.taken).toHaveLength(sent.length)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(sent.length)
  })

  test('that others have used are replaced', async () => {
    const pool = createPool()
    const nonces = createNonces(pool.read)
    const all = range(0, 10).map((i) =>
      nonces.use(account, never, (nonce) => {
        if (i === 4n && nonce === 4n) pool.sendElsewhere()
        return pool.send(nonce)
      }),
    )
    await Promise.all(all)
    expect(pool.taken).toEqual([...range(0, 4), ...range(5, 6)])
  })

  test('are read again after each burst', async () => {
    const pool = createPool(5n)
    const nonces = createNonces(pool.read)
    await nonces.use(account, never, pool.send)
    pool.reset(2n)
    expect(await nonces.use(account, never, pool.send)).toBe(2n)
  })

  test('that the client chose are sent in turn, and the next is read again', async () => {
    const pool = createPool()
    const nonces = createNonces(pool.read)
    const results = await Promise.all([
      nonces.use(account, never, pool.send),
      nonces.useOwn(account, never, () => pool.send(1n)),
      nonces.use(account, never, pool.send),
    ])
    expect(results).toEqual(range(0, 3))
  })

  test('that are refused though the node names them are not tried forever', async () => {
    const nonces = createNonces(async () => 3n)
    let tries = 0
    const attempt = nonces.use(account, never, async () => {
      tries++
      throw refusal('Known transaction')
    })
    await expect(attempt).rejects.toMatchObject({ at: { code: 'NODE_ERROR' } })
    expect(tries).toBe(2)
  })

  test('of several accounts do not wait for each other', async () => {
    const nonces = createNonces(async () => 0n)
    let open: (value: string) => void = () => {}
    const first = nonces.use('0xa', never, () => new Promise<string>((resolve) => (open = resolve)))
    expect(await nonces.use('0xb', never, async () => 'b')).toBe('b')
    open('a')
    expect(await first).toBe('a')
  })

  test('are not asked for after the time is up', async () => {
    const nonces = createNonces(() => Promise.reject(new Error('asked')))
    const attempt = nonces.use(account, AbortSignal.abort(), async () => 1)
    await expect(attempt).rejects.toMatchObject({ at: { code: 'NODE_TIMED_OUT' } })
  })
})
