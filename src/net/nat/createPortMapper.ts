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

/** The ports that a router has been asked to pass on, and when to ask again. */
class RouterPorts implements PortMapper {
  private readonly wanted: readonly WantedPort[]
  private readonly parts: PortMapperParts
  private readonly abort = new AbortController()
  private readonly signal: AbortSignal
  private readonly outer = new Map<WantedPort, number>()
  private gateway: Gateway | undefined
  private lease = leaseTime
  private cancelNext = () => {}
  private running: Promise<void> | undefined
  private works: boolean | undefined
  readonly start: PortMapper['start']

  constructor(wanted: readonly WantedPort[], parts: PortMapperParts) {
    this.parts = parts
    this.wanted = wanted
    const { signal } = this.abort
    this.signal = signal
    this.start = this.run
  }

  /** Finds the first router that answers and has an external address. */
  private findGateway(): Promise<Gateway> {
    return new Promise((resolve, reject) => {
      const seen = new Set<string>()
      let ended = false
      const end = () => {
        if (ended) return
        ended = true
        cancel()
        stopSearch()
        this.signal.removeEventListener('abort', giveUp)
      }
      const giveUp = () => {
        end()
        reject(new NetError({ code: 'GATEWAY_FAILED', reason: 'no UPnP router found' }))
      }
      const cancel = this.parts.clock.after(searchTime, giveUp)
      const stopSearch = searchGateways(this.parts.search, this.parts.clock, (url) => {
        if (seen.has(url.href) || seen.size >= maxGateways) return
        seen.add(url.href)
        openGateway(url, this.parts.clock, this.signal).then(
          (found) => {
            end()
            resolve(found)
          },
          (error) => this.parts.log.debug({ url: url.href, error: String(error) }, 'UPnP router is not usable'),
        )
      })
      this.signal.addEventListener('abort', giveUp)
    })
  }

  private async add(to: Gateway, { transport, port, name }: WantedPort, externalPort: number): Promise<void> {
    const mapping = { transport, externalPort, innerPort: port, name }
    try {
      await to.addMapping({ ...mapping, lease: this.lease }, this.signal)
    } catch (error) {
      if (!isRefusal(error, refusals.onlyPermanent) || this.lease === 0) throw error
      this.lease = 0
      await to.addMapping({ ...mapping, lease: this.lease }, this.signal)
    }
  }

  /** Forwards a port; if another machine uses it on the router, tries the next ones. */
  private async map(to: Gateway, port: WantedPort): Promise<void> {
    const first = this.outer.get(port) ?? port.port
    for (let at = first; at < Math.min(first + maxPorts, 65_536); at++)
      try {
        // Noted before the call, because the router may execute it although the node stops meanwhile.
        this.outer.set(port, at)
        await this.add(to, port, at)
        return
      } catch (error) {
        if (!isRefusal(error, refusals.portTaken)) throw error
      }
    this.outer.delete(port)
    this.parts.log.warn({ port: port.port, transport: port.transport }, 'UPnP port is forwarded to another machine')
  }

  private async renew(): Promise<void> {
    const now = (this.gateway ??= await this.findGateway())
    for (const port of this.wanted) await this.map(now, port)
    const ip = await now.externalIp(this.signal)
    if (this.works !== true)
      this.parts.log.info({ router: now.url, ip, ports: [...this.outer.values()] }, 'UPnP ports forwarded')
    this.works = true
    this.parts.onForwarded({ ip, externalPort: (port) => this.outer.get(port) })
  }

  private readonly run = (): void => {
    this.running = this.renew().then(
      () => this.scheduleNext(renewEvery),
      (error) => {
        if (this.signal.aborted) return
        if (this.works !== false) this.parts.log.warn({ reason: reasonOf(error) }, 'UPnP port forwarding failed')
        this.works = false
        this.gateway = undefined
        this.scheduleNext(retryAfter)
      },
    )
  }

  private scheduleNext(delay: number): void {
    if (!this.signal.aborted) this.cancelNext = this.parts.clock.after(delay, this.run)
  }

  readonly stop: PortMapper['stop'] = async () => {
    this.abort.abort()
    this.cancelNext()
    await this.running
    const last = this.gateway
    if (!last) return
    const leaving = new AbortController()
    const cancel = this.parts.clock.after(stopTime, () => leaving.abort())
    const goodbyes = [...this.outer].map(([{ transport }, externalPort]) =>
      last.deleteMapping({ transport, externalPort }, leaving.signal),
    )
    await Promise.allSettled(goodbyes)
    cancel()
  }
}

/** Creates a port mapper, which does nothing before it is started; if there is no router, it keeps trying. */
export function createPortMapper(wanted: readonly WantedPort[], parts: PortMapperParts): PortMapper {
  return new RouterPorts(wanted, parts)
}

function reasonOf(error: unknown): string {
  return error instanceof NetError && error.at.code === 'GATEWAY_FAILED' ? error.at.reason : String(error)
}
