import type { NodeKey, RemoteKey } from '../../keys/nodeIdentity.ts'
import type { Agreeing } from './ecies.ts'

/**
 * Does work with the key of the node, at once where the key is here; throws what the work throws. Where it is elsewhere, `done` or
 * `failed` is called later, unless nothing had to be agreed on.
 */
export function agreeWith<T>(
  key: NodeKey,
  work: Agreeing<T>,
  done: (result: T) => void,
  failed: (error: unknown) => void,
): void {
  let step = work.next()
  if (key.kind === 'local') while (!step.done) step = work.next(key.agree(step.value))
  if (step.done) done(step.value)
  else finish(key as RemoteKey, work, step.value).then(done, failed)
}

async function finish<T>(key: RemoteKey, work: Agreeing<T>, first: Uint8Array): Promise<T> {
  for (let asked = first; ; ) {
    const step = work.next(await key.agree(asked))
    if (step.done) return step.value
    asked = step.value
  }
}
