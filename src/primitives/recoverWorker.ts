import { parentPort } from 'node:worker_threads'
import { recoverBatch } from './recoverBatch.ts'

parentPort?.on('message', (inputs: Uint8Array) => {
  const senders = recoverBatch(inputs)
  parentPort?.postMessage(senders, [senders.buffer as ArrayBuffer])
})
