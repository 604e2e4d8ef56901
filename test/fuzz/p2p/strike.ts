import type { Random } from '../random.ts'
import type { Target } from './target.ts'

/** What an attack works with. */
export interface StrikeContext {
  readonly random: Random
  readonly target: Target
  /** Notes an input before it is sent. */
  note(bytes: Uint8Array): Uint8Array
}

/** One attack: it ends by itself, and leaves no connection. */
export type Strike = (context: StrikeContext) => Promise<void>

/** Milliseconds for which an attack waits for the target. */
const patience = 5_000

/** Waits until something happens, or not any longer. */
export async function upTo<T>(event: Promise<T>, milliseconds = patience): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds)
  })
  try {
    return await Promise.race([event, late])
  } finally {
    clearTimeout(timer)
  }
}
