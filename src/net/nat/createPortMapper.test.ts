import { afterEach, describe, expect, test } from 'vitest'
import { until } from '../../../test/support/netHarness.ts'
import { createSilentLogs } from '../../../test/support/silentLogs.ts'
import { type GatewayBehaviour, startTestGateway, type TestGateway } from '../../../test/support/testGateway.ts'
import { type Clock, systemClock } from '../../system/clock.ts'
import { createPortMapper, type ExternalEndpoint, type PortMapper, type WantedPort } from './createPortMapper.ts'

const tcp: WantedPort = { transport: 'TCP', port: 30_303, name: 'p2p' }
const udp: WantedPort = { transport: 'UDP', port: 30_303, name: 'discovery' }

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A clock whose long waits end when told; the others take their part of the time. */
function createPatientClock(part: number) {
  let waiting: { readonly milliseconds: number; readonly action: () => void }[] = []
  const clock: Clock = {
    now: systemClock.now,
    after(milliseconds, action) {
      if (milliseconds < 60_000) return systemClock.after(milliseconds * part, action)
      const timer = { milliseconds, action }
      waiting.push(timer)
      return () => {
        waiting = waiting.filter((other) => other !== timer)
      }
    },
  }
  return {
    clock,
    waits: () => waiting.map(({ milliseconds }) => milliseconds),
    endWaits(): void {
      for (const { action } of waiting.splice(0)) action()
    },
  }
}

interface Started {
  readonly gateway: TestGateway
  readonly mapper: PortMapper
  readonly places: ExternalEndpoint[]
  readonly said: string[]
  readonly time: ReturnType<typeof createPatientClock>
}

async function start(behaviour: GatewayBehaviour = {}, part = 1): Promise<Started> {
  const gateway = await startTestGateway(behaviour)
  const places: ExternalEndpoint[] = []
  const said: string[] = []
  const note = (fields: object, message?: string) => void said.push(`${message} ${JSON.stringify(fields)}`)
  const time = createPatientClock(part)
  const mapper = createPortMapper([tcp, udp], {
    search: { address: gateway.place, interface: '0.0.0.0' },
    clock: time.clock,
    log: { ...createSilentLogs(), warn: note, debug: note },
    onForwarded: (place) => places.push(place),
  })
  ends.push(gateway.stop, mapper.stop)
  mapper.start()
  return { gateway, mapper, places, said, time }
}

const heard = ({ said }: Started, words: string) => until(() => said.some((line) => line.includes(words)), words)

describe('with a router', () => {
  test('ports are forwarded, renewed before they expire, and given back', async () => {
    const started = await start()
    const { gateway, mapper, places, time } = started
    await until(() => places.length === 1, 'the external address')
    expect(places[0]!.ip).toBe('203.0.113.7')
    expect(places[0]!.externalPort(tcp)).toBe(30_303)
    const held = new Map([
      ['30303 TCP', '127.0.0.1 30303 3600'],
      ['30303 UDP', '127.0.0.1 30303 3600'],
    ])
    expect(gateway.mappings).toEqual(held)
    gateway.mappings.clear()
    await until(() => time.waits().length === 1, 'the next renewal')
    expect(time.waits()).toEqual([1_800_000])
    time.endWaits()
    await until(() => places.length === 2, 'a renewal')
    expect(gateway.mappings).toEqual(held)
    await mapper.stop()
    expect(gateway.mappings.size).toBe(0)
    expect(time.waits()).toEqual([])
  })

  test('the next port is taken where another machine has ours', async () => {
    const { places, gateway } = await start({
      refuse: ({ args }) =>
        args.get('NewProtocol') === 'TCP' && Number(args.get('NewExternalPort')) < 30_305 ? 718 : undefined,
    })
    await until(() => places.length === 1, 'the external address')
    expect(places[0]!.externalPort(tcp)).toBe(30_305)
    expect(places[0]!.externalPort(udp)).toBe(30_303)
    expect(gateway.mappings.get('30305 TCP')).toBe('127.0.0.1 30303 3600')
  })

  test('it goes on without a port that cannot be had', async () => {
    const refuse = ({ args }: { args: ReadonlyMap<string, string> }) =>
      args.get('NewProtocol') === 'TCP' ? 718 : undefined
    const started = await start({ refuse })
    await until(() => started.places.length === 1, 'the external address')
    expect(started.places[0]!.externalPort(tcp)).toBe(undefined)
    expect(started.places[0]!.externalPort(udp)).toBe(30_303)
    await heard(started, 'to another machine {"port":30303,"transport":"TCP"}')
    expect(started.gateway.calls.filter(({ args }) => args.get('NewProtocol') === 'TCP')).toHaveLength(5)
  })

  test('ports are forwarded for good where the router knows nothing else', async () => {
    const { places, gateway, mapper } = await start({
      refuse: ({ action, args }) =>
        action === 'AddPortMapping' && args.get('NewLeaseDuration') !== '0' ? 725 : undefined,
    })
    await until(() => places.length === 1, 'the external address')
    expect([...gateway.mappings.values()]).toEqual(['127.0.0.1 30303 0', '127.0.0.1 30303 0'])
    await mapper.stop()
    expect(gateway.mappings.size).toBe(0)
  })

  test('one is enough where several answer', async () => {
    const { places, gateway, mapper } = await start({ locations: (url) => [`${url}?1`, `${url}?2`, `${url}?3`] })
    await until(() => places.length === 1 && gateway.requested.length >= 5, 'all of them')
    await mapper.stop()
    expect(gateway.calls.filter(({ action }) => action === 'AddPortMapping')).toHaveLength(2)
  })

  test('it is looked for again after it was gone', async () => {
    const started = await start()
    const { places, gateway, time } = started
    await until(() => places.length === 1 && time.waits().length === 1, 'the external address')
    await gateway.stop()
    time.endWaits()
    await heard(started, 'UPnP port forwarding failed')
    await until(() => time.waits().length === 1, 'the next attempt')
    expect(time.waits()).toEqual([600_000])
    await started.mapper.stop()
  })
})

describe('what answers is not taken at its word', () => {
  test.each([
    [
      'XML that is none',
      { description: () => '<<<service>>><service><serviceType' },
      'does not support port forwarding',
    ],
    ['a device of another kind', { description: () => '<root/>' }, 'does not support port forwarding'],
    ['an endless description', { description: () => '<'.repeat(200_000) }, 'response is too long'],
    [
      'a service on another machine',
      { description: (xml: string) => xml.replace('/control?', 'http://127.0.0.2/control?') },
      'control URL is not on the router',
    ],
    ['refusal', { refuse: () => 606 }, 'the router rejects AddPortMapping: 606'],
  ])('%s', async (_, behaviour: GatewayBehaviour, reason) => {
    const started = await start(behaviour)
    await heard(started, reason)
    expect(started.places).toEqual([])
    await started.mapper.stop()
  })

  test.each([
    ['another machine', (url: string) => url.replace('127.0.0.1', '127.0.0.2')],
    ['a name', (url: string) => url.replace('127.0.0.1', 'localhost')],
    ['another protocol', (url: string) => url.replace('http', 'https')],
    ['no URL', () => 'http://['],
  ])('a location on %s is not visited', async (_, location) => {
    const started = await start({ locations: (url) => [location(url)] }, 1 / 8)
    await heard(started, 'no UPnP router found')
    expect(started.gateway.requested).toEqual([])
  })
})

test('without a router there is a warning, and an end at any time', async () => {
  const place = { ip: '127.0.0.1', port: 9 }
  const mapper = createPortMapper([tcp], {
    search: { address: place, interface: '127.0.0.1' },
    clock: systemClock,
    log: createSilentLogs(),
    onForwarded: () => {
      throw new Error('there is no router')
    },
  })
  mapper.start()
  await mapper.stop()
})
