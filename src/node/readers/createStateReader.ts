import { badMessage } from '../../net/snap/fault.ts'
import { kindOf } from '../../net/snap/messages.ts'
import type { StateServer } from '../../net/snap/stateServer.ts'
import { workerUrl } from '../../primitives/packageRoot.ts'
import { createReaders } from '../../readers/createReaders.ts'
import { startReaderProcess } from '../../readers/readerProcess.ts'
import type { ReaderReply } from '../../readers/readers.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import type { StateReaderSettings } from './stateReaderWorker.ts'

export interface StateReaderParts {
  readonly dataPath: string
  readonly clock: Pick<Clock, 'after'>
  readonly log: Logger
}

/** Milliseconds that a request may wait, and that it may run: peers give up after about as long. */
const requestTime = 10_000

/** A process that answers peers' requests for state; it starts with the first one, and ends when there are none for a while. */
export function createStateReader({ dataPath, clock, log }: StateReaderParts): StateServer & { stop(): void } {
  const program = workerUrl('node/readers/stateReaderWorker.ts')
  const settings: StateReaderSettings = { dataPath }
  const readers = createReaders(
    { max: 1, callTime: requestTime, minTime: 0 },
    {
      clock,
      now: () => performance.now(),
      // It reads the newest commit each time.
      heads: () => 0,
      start: (listener) => startReaderProcess(program, settings, listener),
      onLost: ({ pid, how }) => log.warn({ pid, how }, 'process {pid}, which serves state to peers, ended by {how}'),
      onInternalError: (error) => log.error({ error }, 'internal error'),
      onPrinted: () => {},
    },
  )

  return {
    async ask({ code, payload, peer, isGone }) {
      const { status, body } = await readers.ask({
        kind: 'snap',
        // The pipe carries text.
        text: String.fromCharCode(0x30 + code) + Buffer.from(payload).toString('base64'),
        method: `snap_${kindOf(code).kind}`,
        client: Buffer.from(peer).toString('hex'),
        isGone,
        time: requestTime,
      })
      if (status === 400) throw badMessage(textOf(body))
      if (status !== 200) throw new Error('the state could not be read')
      return new Uint8Array(Buffer.from(textOf(body), 'base64'))
    },
    stop: readers.stop,
  }
}

function textOf(body: ReaderReply['body']): string {
  return typeof body === 'string' ? body : [...body].join('')
}
