import { createDevChain } from '../../../src/chainData/devChain.ts'
import type { ReaderSettings } from '../../../src/node/readers/readerSettings.ts'
import { workerUrl } from '../../../src/primitives/packageRoot.ts'
import { createReaders, type ReaderPool } from '../../../src/readers/createReaders.ts'
import { startReaderProcess } from '../../../src/readers/readerProcess.ts'
import { systemClock } from '../../../src/system/clock.ts'

/** Set by `--readers`. */
const count = Number(process.env['QUOIN_READERS'] ?? 0)

/** Readers of a chain whose database is in the folder; undefined unless they are asked for. */
export function serveReaders(
  folder: string,
  genesis: unknown,
  settings: Pick<ReaderSettings, 'limits' | 'gasCap' | 'longAsHex'>,
): ReaderPool | undefined {
  if (count === 0) return undefined
  const file = { path: 'genesis.json', text: JSON.stringify(genesis) }
  const all: ReaderSettings = {
    ...{ dataPath: folder, genesis: file, networkId: undefined, dev: createDevChain(), callTime: 300_000 },
    ...settings,
  }
  return createReaders(
    { max: count, callTime: all.callTime, minTime: 0 },
    {
      clock: systemClock,
      now: () => performance.now(),
      heads: () => 0,
      start: (listener) => startReaderProcess(workerUrl('node/readers/readerWorker.ts'), all, listener),
      onLost: ({ how, method }) => process.stderr.write(`a reader ended by ${how} while it ran ${method}\n`),
      onInternalError: () => {},
      onPrinted: () => {},
    },
  )
}
