import type { DevProducer } from '../../consensus/dev/devProducer.ts'
import type { PoolPort } from '../../rpc/protocol/context.ts'
import type { Pooling } from '../createPooling.ts'

/** The pool as clients see it: what a client submits is a local transaction. */
export function createPoolPort(
  { pool, intake }: Pick<Pooling, 'pool' | 'intake'>,
  dev: Pick<DevProducer, 'settled'> | undefined,
): PoolPort {
  if (!dev) return { ...pool, submit: (tx) => intake.submit(tx, true) }
  return {
    ...pool,
    async submit(tx) {
      const fault = await intake.submit(tx, true)
      if (!fault) await minedSoon(dev)
      return fault
    },
  }
}

/** Milliseconds that a client waits for the block of its transaction. */
const patience = 100

/** Waits until the block of a transaction is made, so that what its sender asks next is answered with it. */
export function minedSoon({ settled }: Pick<DevProducer, 'settled'>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, patience)
    settled().then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
