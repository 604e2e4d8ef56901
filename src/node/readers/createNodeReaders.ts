import { join } from 'node:path'
import type { Config } from '../../config/options.ts'
import { workerUrl } from '../../primitives/packageRoot.ts'
import { createReaders, type ReaderLoss, type ReaderPool } from '../../readers/createReaders.ts'
import { startReaderProcess } from '../../readers/readerProcess.ts'
import { clearReplyFiles } from '../../readers/replyFile.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import type { Feed } from '../serving/feeds.ts'
import type { StopList } from '../stopList.ts'
import type { ReaderSettings } from './readerSettings.ts'

/** What a node's readers need of it. */
export interface NodeReaderParts {
  readonly config: Config
  readonly settings: ReaderSettings
  readonly clock: Pick<Clock, 'after'>
  readonly log: Logger
  /** Takes what contracts print. */
  readonly contractLog: Logger
  readonly onHead: Feed<unknown>
  readonly onLost: (loss: ReaderLoss) => void
}

function maxReaders(config: Config): number {
  const isServing =
    config['rpc-http-enabled'] ||
    config['rpc-ws-enabled'] ||
    config['graphql-http-enabled'] ||
    config['ipc-path'] !== undefined
  return isServing ? config['rpc-readers'] : 0
}

/** The readers of a node, of which none is started yet; undefined if the servers answer all calls themselves. */
export function createNodeReaders(parts: NodeReaderParts, stops: StopList): ReaderPool | undefined {
  const { config, settings, clock, log, contractLog, onHead } = parts
  const max = maxReaders(config)
  if (max === 0) return undefined
  const program = workerUrl('node/readers/readerWorker.ts')
  const folder = join(settings.dataPath, 'traces')
  let heads = 0
  stops.add(onHead(() => void heads++))

  function onLost(loss: ReaderLoss): void {
    const { pid, how, method = 'nothing' } = loss
    log.warn({ pid, how, method }, 'reader {pid} ended by {how} while it ran {method}')
    parts.onLost(loss)
  }

  const readers = createReaders(
    { max, callTime: settings.callTime, minTime: config['rpc-reader-min-milliseconds'] },
    {
      clock,
      now: () => performance.now(),
      heads: () => heads,
      start: (listener) => startReaderProcess(program, settings, listener),
      onLost,
      onInternalError: (error, method) => log.error({ method, error }, 'internal error'),
      onPrinted: (text) => contractLog.info({}, text),
    },
  )
  clearReplyFiles(folder)
  stops.add(() => {
    readers.stop()
    clearReplyFiles(folder)
  })
  return readers
}
