import { CallError } from './fault.ts'

/** Gives out the nonces of accounts. */
export interface Nonces {
  /**
   * Calls `send` with the next nonce of the account. Calls for one account run one after another, so that a transaction that the
   * node refuses leaves no gap: the next one gets its nonce.
   */
  use<T>(account: string, signal: AbortSignal, send: (nonce: bigint) => Promise<T>): Promise<T>
  /** Calls `send` in turn, for a transaction that brings its own nonce. */
  useOwn<T>(account: string, signal: AbortSignal, send: () => Promise<T>): Promise<T>
}

/** The sends of one account. */
interface Line {
  /** Settles when the last of them is over. */
  tail: Promise<unknown>
  length: number
  /** The next nonce; undefined if only the node knows. */
  next: bigint | undefined
}

/** Times that a transaction is sent again with a new nonce, as in EthSigner. */
const maxRetries = 5

/** What nodes say about a nonce that is in use, or not the next one. */
const nonceTrouble = /nonce|known transaction|already known|replacement transaction/i

/** Creates the nonces of accounts; `read` asks the node for the number of an account's transactions, pending ones included. */
export function createNonces(read: (account: string, signal: AbortSignal) => Promise<bigint>): Nonces {
  const lines = new Map<string, Line>()

  function inLine<T>(account: string, signal: AbortSignal, work: (line: Line) => Promise<T>): Promise<T> {
    let line = lines.get(account)
    if (!line) lines.set(account, (line = { tail: Promise.resolve(), length: 0, next: undefined }))
    const own = line
    own.length++
    const done = own.tail
      .then(() => {
        if (signal.aborted) throw new CallError({ code: 'NODE_TIMED_OUT' })
        return work(own)
      })
      // What happens between two bursts (other senders, a chain that was set back) only the node knows.
      .finally(() => --own.length === 0 && lines.delete(account))
    own.tail = done.catch(() => {})
    return done
  }

  async function sendNext<T>(line: Line, account: string, signal: AbortSignal, send: (nonce: bigint) => Promise<T>) {
    let refused: bigint | undefined
    for (let retry = 0; ; retry++) {
      const nonce: bigint = line.next ?? (await read(account, signal))
      const isLast = nonce === refused || retry === maxRetries
      // Until the node has answered, it is open whether the nonce is used.
      line.next = undefined
      try {
        const result = await send(nonce)
        line.next = nonce + 1n
        return result
      } catch (error) {
        if (!(error instanceof CallError) || error.at.code !== 'NODE_ERROR') throw error
        if (!nonceTrouble.test(error.at.error.message)) {
          line.next = nonce
          throw error
        }
        if (isLast) throw error
        refused = nonce
      }
    }
  }

  return {
    use: (account, signal, send) => inLine(account, signal, (line) => sendNext(line, account, signal, send)),
    useOwn: (account, signal, send) =>
      inLine(account, signal, (line) => {
        line.next = undefined
        return send()
      }),
  }
}
