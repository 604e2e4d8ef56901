import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ImportProgress } from '../blockfiles/importBlockFile.ts'
import type { DevChain } from '../chainData/devChain.ts'
import type { OpenChainOptions } from '../chainData/openChain.ts'
import type { Hash32 } from '../primitives/bytes.ts'
import { workerUrl } from '../primitives/packageRoot.ts'
import { collectAlone } from '../system/v8Settings.ts'
import { ImportError } from './fault.ts'

/** An import of RLP block files; plain values, which can be passed to a thread. */
export interface ImportJob {
  readonly chain: Pick<OpenChainOptions, 'dataPath' | 'keepRevertReasons' | 'indexLogs' | 'indexAccounts' | 'checkWork'>
  readonly genesisFile: string | undefined
  readonly networkId: bigint | undefined
  /** Where there is no genesis file. */
  readonly dev?: DevChain
  readonly files: readonly string[]
  readonly startBlock: bigint
  readonly endBlock: bigint | undefined
}

/** The outcome of a file whose blocks are all on disk. */
export interface ImportedFile extends ImportProgress {
  readonly seconds: number
  readonly head: { readonly number: bigint; readonly hash: Hash32; readonly stateRoot: Hash32 }
}

/** A message of the thread. */
export type ImportMessage =
  | { readonly kind: 'progress'; readonly file: string; readonly progress: ImportProgress }
  | { readonly kind: 'imported'; readonly file: string; readonly outcome: ImportedFile }
  /** `stack` is set if the error is a bug. */
  | { readonly kind: 'failed'; readonly message: string; readonly stack: string | undefined }

export interface ImportListener {
  onProgress(file: string, progress: ImportProgress): void
  onImported(file: string, outcome: ImportedFile): void
}

/**
 * Imports allocate much memory for a short time. With four times the default size of the young generation, far less of it is
 * copied before it is garbage: that saved a fifth of an import of full blocks. Only a thread can be given another size.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 192 }

/** Imports files in a thread; ends early, between two database transactions, when `stop` is aborted. */
export async function importInThread(job: ImportJob, listener: ImportListener, stop: AbortSignal): Promise<void> {
  collectAlone()
  const worker = new Worker(workerUrl('importing/importWorker.ts'), { workerData: job, resourceLimits, execArgv: [] })
  let failure: Error | undefined
  worker.on('message', (message: ImportMessage) => {
    if (message.kind === 'progress') listener.onProgress(message.file, message.progress)
    else if (message.kind === 'imported') listener.onImported(message.file, message.outcome)
    else failure = errorOf(message)
  })
  const askToStop = () => worker.postMessage('stop')
  if (stop.aborted) askToStop()
  else stop.addEventListener('abort', askToStop, { once: true })
  try {
    await once(worker, 'exit')
  } finally {
    stop.removeEventListener('abort', askToStop)
  }
  if (failure) throw failure
}

function errorOf({ message, stack }: Extract<ImportMessage, { kind: 'failed' }>): Error {
  if (stack === undefined) return new ImportError({ code: 'IMPORT_FAILED', reason: message })
  return Object.assign(new Error(message), { stack })
}
