import type { PoolPort } from '../../rpc/protocol/context.ts'
import type { Pooling } from '../createPooling.ts'

/** The pool as clients see it: what a client submits is a local transaction. */
export function createPoolPort({ pool, intake }: Pick<Pooling, 'pool' | 'intake'>): PoolPort {
  return { ...pool, submit: (tx) => intake.submit(tx, true) }
}
