import { createLocalKey, type RemoteKey, SigningRefused, type ToSign } from '../../src/keys/nodeIdentity.ts'
import type { Clock } from '../../src/system/clock.ts'

/** How a key behaves; may change at any time. */
export interface KeyMood {
  /** Milliseconds that an answer takes; undefined: the key does not answer, and says so after five seconds. */
  delay: number | undefined
  refuses?(what: ToSign): boolean
}

/**
 * A key elsewhere, in the time of a clock. Its promises are settled in the turn of the event loop in which the clock fires, so that time
 * that is moved by hand can pass.
 */
export function createSlowKey(
  privateKey: Uint8Array,
  clock: Clock,
  mood: KeyMood,
  sign: (what: ToSign) => Uint8Array = ({ digest }) => createLocalKey(privateKey).sign(digest),
): RemoteKey & { asked: ToSign[] } {
  const local = createLocalKey(privateKey)
  const asked: ToSign[] = []
  const later = <T>(answer: () => T): Promise<T> =>
    ({
      // biome-ignore lint/suspicious/noThenProperty: a promise that does not wait for the end of the turn
      then(done: (value: T) => void, failed: (error: unknown) => void) {
        const { delay } = mood
        clock.after(delay ?? 5000, () => {
          if (delay === undefined) return failed(new Error('no answer'))
          let value: T
          try {
            value = answer()
          } catch (error) {
            return failed(error)
          }
          done(value)
        })
      },
    }) as Promise<T>
  return {
    kind: 'remote',
    isGuarded: true,
    publicKey: local.publicKey,
    address: local.address,
    asked,
    sign(what) {
      asked.push(what)
      return later(() => {
        if (mood.refuses?.(what)) throw new SigningRefused('it was told to')
        return sign(what)
      })
    },
    agree: (publicKey) => later(() => local.agree(publicKey)),
  }
}
