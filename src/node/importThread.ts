import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ImportProgress } from '../blockfiles/importBlockFile.ts'
import type { Hash32 } from '../primitives/bytes.ts'
import { Fault } from '../primitives/fault.ts'
import { workerUrl } from '../primitives/packageRoot.ts'
import type { OpenChainOptions } from './openChain.ts'

/** An import from files of RLP blocks: plain values, which can be handed to a thread. */
export interface ImportJob {
  readonly chain: Pick<OpenChainOptions, 'dataPath' | 'keepRevertReasons' | 'indexLogs' | 'checkWork'>
  readonly genesisFile: string | undefined
  readonly networkId: bigint | undefined
  readonly files: readonly string[]
  readonly startBlock: bigint
  readonly endBlock: bigint | undefined
}

/** What came of a file, all of it on disk. */
export interface ImportedFile extends ImportProgress {
  readonly seconds: number
  readonly head: { readonly number: bigint; readonly hash: Hash32 }
}

/** What the thread tells. */
export type ImportMessage =
  | { readonly kind: 'progress'; readonly file: string; readonly progress: ImportProgress }
  | { readonly kind: 'imported'; readonly file: string; readonly outcome: ImportedFile }
  /** With a stack where it is a mistake of ours. */
  | { readonly kind: 'failed'; readonly message: string; readonly stack: string | undefined }

export interface ImportListener {
  onProgress(file: string, progress: ImportProgress): void
  onImported(file: string, outcome: ImportedFile): void
}

/** The message is what the thread's fault said. */
export class ImportError extends Fault<{ readonly code: 'IMPORT_FAILED'; readonly reason: string }> {}

/**
 * Blocks leave much garbage behind, and with four times the default room far less of it is copied before it is dead: late
 * in a chain of full blocks that took a fifth off an import. A process gets its room at its start, a thread can be given more.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 192 }

/** Imports files in a thread of their own; ends early, between two transactions, when `stop` says so. */
export async function importInThread(job: ImportJob, listener: ImportListener, stop: AbortSignal): Promise<void> {
  const worker = new Worker(workerUrl('node/importWorker.ts'), { workerData: job, resourceLimits, execArgv: [] })
  let failure: Error | undefined
  worker.on('message', (message: ImportMessage) => {
    if (message.kind === 'progress') listener.onProgress(message.file, message.progress)
    else if (message.kind === 'imported') listener.onImported(message.file, message.outcome)
    else failure = errorOf(message)
  })
  const tell = () => worker.postMessage('stop')
  if (stop.aborted) tell()
  else stop.addEventListener('abort', tell, { once: true })
  try {
    await once(worker, 'exit')
  } finally {
    stop.removeEventListener('abort', tell)
  }
  if (failure) throw failure
}

function errorOf({ message, stack }: Extract<ImportMessage, { kind: 'failed' }>): Error {
  if (stack === undefined) return new ImportError({ code: 'IMPORT_FAILED', reason: message }, undefined, message)
  return Object.assign(new Error(message), { stack })
}
