import { parentPort } from 'node:worker_threads'
import type { Delivery, Order } from './crew.ts'
import { tasks } from './tasks.ts'

// Bytes that cannot be read are thrown about in their thousands.
Error.stackTraceLimit = 0
parentPort!.on('message', ({ id, name, args }: Order) => {
  const perform = tasks[name] as (...given: readonly unknown[]) => unknown
  parentPort!.postMessage({ id, result: perform(...args) } satisfies Delivery)
})
