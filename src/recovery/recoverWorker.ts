import { parentPort } from 'node:worker_threads'
import { addNiceness } from '../system/threadPriority.ts'
import { recoverBatch } from './recoverBatch.ts'

/** Under load, what is on its way into the pool gives way to the blocks that are being agreed upon. */
const niceness = 5

addNiceness(niceness)
parentPort?.on('message', (inputs: Uint8Array) => {
  const senders = recoverBatch(inputs)
  parentPort?.postMessage(senders, [senders.buffer as ArrayBuffer])
})
