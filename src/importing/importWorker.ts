import { parentPort, workerData } from 'node:worker_threads'
import { importBlockFile } from '../blockfiles/importBlockFile.ts'
import { loadNetwork } from '../chainData/network.ts'
import { openChain } from '../chainData/openChain.ts'
import { Fault } from '../primitives/fault.ts'
import { createRecoverPool } from '../recovery/recoverPool.ts'
import type { ImportJob, ImportMessage } from './importThread.ts'

// The thread behind `importInThread`.
const job = workerData as ImportJob
const port = parentPort!
const stop = new AbortController()
port.on('message', () => stop.abort())

const post = (message: ImportMessage): void => port.postMessage(message)

async function run(): Promise<void> {
  const network = loadNetwork(job.genesisFile, job.networkId, job.dev)
  const { chain, consensus, close } = await openChain({ ...job.chain, network, isBulk: true })
  const recover = createRecoverPool()
  try {
    for (const file of job.files) {
      const started = performance.now()
      const progress = await importBlockFile(
        file,
        { chain, consensus, recover },
        {
          startBlock: job.startBlock,
          endBlock: job.endBlock,
          stop: stop.signal,
          onProgress: (progress) => post({ kind: 'progress', file, progress }),
        },
      )
      const seconds = (performance.now() - started) / 1000
      const { header, hash } = chain.head()
      const head = { number: header.number, hash, stateRoot: header.stateRoot }
      post({ kind: 'imported', file, outcome: { ...progress, seconds, head } })
      if (stop.signal.aborted) return
    }
  } finally {
    await recover.close()
    await close()
  }
}

try {
  await run()
} catch (error) {
  // Faults and errors of the operating system explain themselves; anything else is a bug.
  const isPlain = error instanceof Fault || (error instanceof Error && 'code' in error)
  const message = error instanceof Error ? error.message : String(error)
  post({ kind: 'failed', message, stack: isPlain ? undefined : error instanceof Error ? error.stack : message })
} finally {
  port.close()
}
