import type { Config } from '../config/options.ts'
import { systemClock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import { collectAlone, letYoungGenerationGrow, limitHeapGrowth } from '../system/v8Settings.ts'
import { type RunningNode, runNode } from './runNode.ts'
import { serviceUrls } from './serviceUrls.ts'
import type { ServerThreads } from './serving/serverThread.ts'
import { createStdoutLogs } from './stdoutLogs.ts'
import { welcome } from './welcome.ts'

/** Starts a node and runs it until the process gets SIGINT, SIGTERM or SIGHUP; first logs the warnings about its options. */
export async function startNode(
  config: Config,
  warnings: readonly string[] = [],
  threads?: ServerThreads,
): Promise<void> {
  limitHeapGrowth()
  collectAlone()
  const { loggers, isText } = createStdoutLogs(config)
  for (const warning of warnings) loggers.child('config').warn({}, warning)
  const starting = runNode(config, loggers, systemClock, threads)
  stopOnSignals(starting, loggers.child('node'))
  const { version, network, places } = await starting
  letYoungGenerationGrow()
  // Collectors of logs expect nothing but JSON where lines are JSON.
  if (isText && network.isDev)
    process.stdout.write(welcome(version, network, serviceUrls(places), process.stdout.columns ?? 120))
}

/** Milliseconds in which further signals count as the first: Ctrl+C reaches a node twice, from the terminal and from npm. */
const sameSignal = 1000

/** Milliseconds that a start may go on when the node is to stop. */
const startPatience = 10_000

/** Ends the process if the start goes on: what it waits for may never come, and the database survives this as it survives a crash. */
function endUnlessStarted(starting: Promise<unknown>, log: Logger): void {
  const timer = setTimeout(() => {
    log.warn({}, 'the start has not ended; stopped in the midst of it')
    process.exit(1)
  }, startPatience)
  const started = () => clearTimeout(timer)
  starting.then(started, started)
}

/** Stops the node in order and ends the process, with code 0 unless another one is meant; a second signal ends it at once. */
function stopOnSignals(starting: Promise<RunningNode>, log: Logger): void {
  let since: number | undefined
  const stop = (signal: NodeJS.Signals) => {
    if (since !== undefined) {
      if (performance.now() - since > sameSignal) process.exit(1)
      return
    }
    since = performance.now()
    log.info({ signal }, 'stopping')
    endUnlessStarted(starting, log)
    starting
      .then((node) => node.stop())
      .then(
        () => {
          log.info({}, 'stopped')
          process.exit()
        },
        (error) => {
          log.error({ error: String(error) }, 'stopping failed')
          process.exit(1)
        },
      )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
}
