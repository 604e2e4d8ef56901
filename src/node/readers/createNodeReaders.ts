import { join } from 'node:path'
import { workerUrl } from '../../primitives/packageRoot.ts'
import { createReaders, type ReaderLoss } from '../../readers/createReaders.ts'
import { startReaderProcess } from '../../readers/readerProcess.ts'
import type { Readers } from '../../readers/readers.ts'
import { clearReplyFiles } from '../../readers/replyFile.ts'
import type { ConnectedNode } from '../connectParts.ts'
import type { StopList } from '../stopList.ts'
import { readerSettingsOf } from './readerSettings.ts'

type ReaderNode = Pick<
  ConnectedNode,
  'config' | 'chain' | 'store' | 'dataPath' | 'clock' | 'metrics' | 'log' | 'loggers'
>

function maxReaders({ config }: ReaderNode): number {
  const isServing = config['rpc-http-enabled'] || config['rpc-ws-enabled'] || config['graphql-http-enabled']
  return isServing ? config['rpc-readers'] : 0
}

/** The readers of a node, of which none is started yet; undefined if the node answers all calls itself. */
export function createNodeReaders(node: ReaderNode, stops: StopList): Readers | undefined {
  const max = maxReaders(node)
  if (max === 0) return undefined
  const { store, dataPath, clock, log, metrics } = node
  const settings = readerSettingsOf(node.config, dataPath)
  const program = workerUrl('node/readers/readerWorker.ts')
  const contractLog = node.loggers.child('console')
  const folder = join(dataPath, 'traces')
  const lost = metrics.metrics.counter({
    category: 'rpc',
    name: 'readers_lost_total',
    help: 'Readers that ended unasked, or were killed because a call took too long.',
  })()
  let heads = 0
  stops.add(node.chain.onHead(() => void heads++))

  function onLost({ pid, how, method }: ReaderLoss): void {
    lost.add()
    log.warn({ pid, how, method: method ?? 'nothing' }, 'reader {pid} ended by {how} while it ran {method}')
    store.forgetDeadReaders()
  }

  const readers = createReaders(
    { max, callTime: settings.callTime, minGas: node.config['rpc-reader-min-gas'] },
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
  const gauge = (name: string, help: string, read: () => number) =>
    metrics.metrics.gauge({ category: 'rpc', name, help }, read)
  gauge('readers', 'Readers that run.', () => readers.counts().running)
  gauge('readers_waiting', 'Requests that wait for a reader.', () => readers.counts().waiting)
  clearReplyFiles(folder)
  stops.add(() => {
    readers.stop()
    clearReplyFiles(folder)
  })
  return readers
}
