import type { Clock } from '../../primitives/clock.ts'
import type { Logger } from '../../primitives/logger.ts'
import { NetError } from '../fault.ts'
import { type Gateway, openGateway, type Transport } from './openGateway.ts'
import { type SearchOptions, searchGateways } from './searchGateways.ts'

/** A port of this machine that is to be reached from outside the local network. */
export interface WantedPort {
  readonly transport: Transport
  readonly port: number
  readonly name: string
}

/** Where the node is seen from outside. */
export interface OuterPlace {
  readonly ip: string
  /** Undefined where the router would not forward that port. */
  outerPort(wanted: WantedPort): number | undefined
}

export interface PortMapperParts {
  readonly search: SearchOptions
  readonly clock: Clock
  readonly log: Logger
  /** Told whenever the router has agreed, which happens again and again. */
  onPlace(place: OuterPlace): void
}

/** Has the router forward ports to this node, and keeps it at that. */
export interface PortMapper {
  start(): void
  /** Has the router forget the ports. */
  stop(): Promise<void>
}

/** Seconds after which a router forgets a port that nobody renews. */
const leaseTime = 3600
const renewEvery = (leaseTime * 1000) / 2
/** Milliseconds until the next attempt where no router helped. */
const retryAfter = 10 * 60_000
/** Milliseconds that routers get to answer the search. */
const searchTime = 4000
/** Milliseconds that a node which stops spends on taking leave. */
const leaveTime = 2000
/** Routers that are tried. */
const maxGateways = 8
/** Outer ports that are tried for one port. */
const maxPorts = 5

/** What routers answer, by the numbers of UPnP. */
const refusals = { portTaken: 718, onlyPermanent: 725 }

const isRefusal = (error: unknown, refusal: number): boolean =>
  error instanceof NetError && error.at.code === 'GATEWAY_FAILED' && error.at.refusal === refusal

/** Nothing happens before it is started; without a router the node goes on as it is. */
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

  /** The first router that answers and has an address outside. */
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
        reject(new NetError({ code: 'GATEWAY_FAILED', reason: 'no router that speaks UPnP was found' }))
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
          (error) => log.debug({ url: url.href, error: String(error) }, 'a router is of no use'),
        )
      })
      signal.addEventListener('abort', giveUp)
    })
  }

  async function add(to: Gateway, { transport, port, name }: WantedPort, outerPort: number): Promise<void> {
    const mapping = { transport, outerPort, innerPort: port, name }
    try {
      await to.addMapping({ ...mapping, lease }, signal)
    } catch (error) {
      if (!isRefusal(error, refusals.onlyPermanent) || lease === 0) throw error
      lease = 0
      await to.addMapping({ ...mapping, lease }, signal)
    }
  }

  /** Another machine may have the port: then the next one that is free is taken. */
  async function map(to: Gateway, port: WantedPort): Promise<void> {
    const first = outer.get(port) ?? port.port
    for (let at = first; at < Math.min(first + maxPorts, 65_536); at++)
      try {
        // Noted before: what is cut short by the end of the node may have happened.
        outer.set(port, at)
        await add(to, port, at)
        return
      } catch (error) {
        if (!isRefusal(error, refusals.portTaken)) throw error
      }
    outer.delete(port)
    log.warn({ port: port.port, transport: port.transport }, 'the router forwards this port to another machine')
  }

  async function renew(): Promise<void> {
    const now = (gateway ??= await findGateway())
    for (const port of wanted) await map(now, port)
    const ip = await now.outerIp(signal)
    if (works !== true) log.info({ router: now.url, ip, ports: [...outer.values()] }, 'the router forwards our ports')
    works = true
    parts.onPlace({ ip, outerPort: (port) => outer.get(port) })
  }

  function run(): void {
    running = renew().then(
      () => scheduleNext(renewEvery),
      (error) => {
        if (signal.aborted) return
        if (works !== false) log.warn({ reason: reasonOf(error) }, 'no ports are forwarded by UPnP; the node goes on')
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
      const cancel = clock.after(leaveTime, () => leaving.abort())
      const goodbyes = [...outer].map(([{ transport }, outerPort]) =>
        last.deleteMapping({ transport, outerPort }, leaving.signal),
      )
      await Promise.allSettled(goodbyes)
      cancel()
    },
  }
}

function reasonOf(error: unknown): string {
  return error instanceof NetError && error.at.code === 'GATEWAY_FAILED' ? error.at.reason : String(error)
}
