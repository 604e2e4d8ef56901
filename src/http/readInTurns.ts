import { setImmediate } from 'node:timers/promises'
import { isStored } from '../primitives/longText.ts'

/** Milliseconds of sending one text after which everything else has its turn. */
export const maxSending = 5

/** The pieces of a text, for a sender that awaits each: a client that takes all at once does not keep the thread from others. */
export function readInTurns(text: Iterable<string>): AsyncGenerator<string | Uint8Array> {
  return isStored(text) ? text.readBytes() : yieldInTurns(text)
}

async function* yieldInTurns(pieces: Iterable<string>): AsyncGenerator<string> {
  let end = performance.now() + maxSending
  for (const piece of pieces) {
    yield piece
    if (performance.now() < end) continue
    await setImmediate()
    end = performance.now() + maxSending
  }
}
