import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import { NetError } from '../fault.ts'
import { type Gateway, openGateway, type PortTransport } from './openGateway.ts'
import { type SearchOptions, searchGateways } from './searchGateways.ts'

/** A port of this machine that the router should forward. */
export interface WantedPort {
  readonly transport: PortTransport
  readonly port: number
  readonly name: string
}

/** The node's endpoint outside the local network. */
export interface ExternalEndpoint {
  readonly ip: string
  /** Undefined if the router does not forward this port. */
  externalPort(wanted: WantedPort): number | undefined
}

export interface PortMapperParts {
  readonly search: SearchOptions
  readonly clock: Clock
  readonly log: Logger
  /** Called whenever the router has forwarded or renewed the ports. */
  onForwarded(place: ExternalEndpoint): void
}

/** Makes the router forward ports to this node, and renews the forwarding. */
export interface PortMapper {
  start(): void
  /** Removes the forwarding. */
  stop(): Promise<void>
}

/** Lease of a forwarded port in seconds. */
const leaseTime = 3600
const renewEvery = (leaseTime * 1000) / 2
/** Milliseconds before the next attempt after a failure. */
const retryAfter = 10 * 60_000
/** Milliseconds to wait for routers to answer the search. */
const searchTime = 4000
/** Milliseconds that removing the ports may take when the node stops. */
const stopTime = 2000
/** Maximum routers tried. */
const maxGateways = 8
/** Maximum external ports tried for one port. */
const maxPorts = 5

/** UPnP error numbers. */
const refusals = { portTaken: 718, onlyPermanent: 725 }

const isRefusal = (error: unknown, refusal: number): boolean =>
  error instanceof NetError && error.at.code === 'GATEWAY_FAILED' && error.at.refusal === refusal

/** Creates a port mapper, which does nothing before it is started; if there is no router, it keeps trying. */
export function createPortMapper(wanted: readonly WantedPort[], parts: PortMapperParts): PortMapper {
  const { clock, log } = parts
  const abort = new AbortController()
  const { signal } = abort
  const outer = new Map<WantedPort, number>()
  let gateway: Gateway | undefined
  let lease = leaseTime
  let cancelNext = () => {}
  let running: Promise<void> | undefined
  let works: boolean | undefined

  /** Finds the first router that answers and has an external address. */
  function findGateway(): Promise<Gateway> {
    return new Promise((resolve, reject) => {
      const seen = new Set<string>()
      let ended = false
      const end = () => {
        if (ended) return
        ended = true
        cancel()
        stopSearch()
        signal.removeEventListener('abort', giveUp)
      }
      const giveUp = () => {
        end()
        reject(new NetError({ code: 'GATEWAY_FAILED', reason: 'no UPnP router found' }))
      }
      const cancel = clock.after(searchTime, giveUp)
      const stopSearch = searchGateways(parts.search, clock, (url) => {
        if (seen.has(url.href) || seen.size >= maxGateways) return
        seen.add(url.href)
        openGateway(url, clock, signal).then(
          (found) => {
            end()
            resolve(found)
          },
          (error) => log.debug({ url: url.href, error: String(error) }, 'UPnP router is not usable'),
        )
      })
      signal.addEventListener('abort', giveUp)
    })
  }

  async function add(to: Gateway, { transport, port, name }: WantedPort, externalPort: number): Promise<void> {
    const mapping = { transport, externalPort, innerPort: port, name }
    try {
      await to.addMapping({ ...mapping, lease }, signal)
    } catch (error) {
      if (!isRefusal(error, refusals.onlyPermanent) || lease === 0) throw error
      lease = 0
      await to.addMapping({ ...mapping, lease }, signal)
    }
  }

  /** Forwards a port; if another machine uses it on the router, tries the next ones. */
  async function map(to: Gateway, port: WantedPort): Promise<void> {
    const first = outer.get(port) ?? port.port
    for (let at = first; at < Math.min(first + maxPorts, 65_536); at++)
      try {
        // Noted before the call, because the router may execute it although the node stops meanwhile.
        outer.set(port, at)
        await add(to, port, at)
        return
      } catch (error) {
        if (!isRefusal(error, refusals.portTaken)) throw error
      }
    outer.delete(port)
    log.warn({ port: port.port, transport: port.transport }, 'UPnP port is forwarded to another machine')
  }

  async function renew(): Promise<void> {
    const now = (gateway ??= await findGateway())
    for (const port of wanted) await map(now, port)
    const ip = await now.externalIp(signal)
    if (works !== true) log.info({ router: now.url, ip, ports: [...outer.values()] }, 'UPnP ports forwarded')
    works = true
    parts.onForwarded({ ip, externalPort: (port) => outer.get(port) })
  }

  function run(): void {
    running = renew().then(
      () => scheduleNext(renewEvery),
      (error) => {
        if (signal.aborted) return
        if (works !== false) log.warn({ reason: reasonOf(error) }, 'UPnP port forwarding failed')
        works = false
        gateway = undefined
        scheduleNext(retryAfter)
      },
    )
  }

  function scheduleNext(delay: number): void {
    if (!signal.aborted) cancelNext = clock.after(delay, run)
  }

  return {
    start: run,
    async stop() {
      abort.abort()
      cancelNext()
      await running
      const last = gateway
      if (!last) return
      const leaving = new AbortController()
      const cancel = clock.after(stopTime, () => leaving.abort())
      const goodbyes = [...outer].map(([{ transport }, externalPort]) =>
        last.deleteMapping({ transport, externalPort }, leaving.signal),
      )
      await Promise.allSettled(goodbyes)
      cancel()
    },
  }
}

function reasonOf(error: unknown): string {
  return error instanceof NetError && error.at.code === 'GATEWAY_FAILED' ? error.at.reason : String(error)
}
