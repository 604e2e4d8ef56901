import { setFlagsFromString } from 'node:v8'
import type { Config } from '../config/options.ts'
import { systemClock } from '../primitives/clock.ts'
import { createLoggers } from '../primitives/logger.ts'
import { logLevels } from './ports/loggingPort.ts'
import { runNode } from './runNode.ts'
import { welcome } from './welcome.ts'

/** Starts a node and runs it until the process gets SIGINT or SIGTERM. */
export async function startNode(config: Config): Promise<void> {
  limitHeapGrowth()
  const terminal = process.stdout.isTTY === true
  const loggers = createLoggers({
    level: logLevels[config.logging],
    pretty: terminal,
    color: config['color-enabled'] ?? terminal,
    write: (line) => void process.stdout.write(line),
  })
  const log = loggers.child('node')
  const node = await runNode(config, loggers, systemClock)
  const services = new Map([...node.places].map(([name, { host, port }]) => [name, urlOf(name, host, port)]))
  if (node.network.isDev) process.stdout.write(welcome(node.version, node.network, services))
  log.info(
    {
      version: node.version,
      network: node.network.name,
      dataPath: config['data-path'],
      ...Object.fromEntries(services),
    },
    'node started',
  )

  let stopping = false
  const stop = (signal: NodeJS.Signals) => {
    // A second signal ends the process at once.
    if (stopping) process.exit(1)
    stopping = true
    log.info({ signal }, 'stopping')
    node.stop().then(
      () => process.exit(0),
      (error) => {
        log.error({ error: String(error) }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

/** URL schemes of services; those that are not listed use HTTP. */
const schemes: Readonly<Record<string, string>> = { ws: 'ws', p2p: 'tcp' }

function urlOf(name: string, host: string, port: number): string {
  return `${schemes[name] ?? 'http'}://${host}:${port}${name === 'graphql' ? '/graphql' : ''}`
}

/**
 * Lets the heap grow by half between collections; V8's default is several times what is alive. Under load most of what a node
 * allocates is garbage after a few blocks, and several nodes often share one machine.
 */
function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=50')
}
