import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createManualClock } from '../../test/support/manualClock.ts'
import { createSilentLogs } from '../../test/support/silentLogs.ts'
import type { Enode } from '../net/enode.ts'
import type { NetworkOptions } from '../net/p2pNetwork.ts'
import { followNodeNames } from './followNodeNames.ts'
import { nodesToFollow, resolveNames } from './options/networkOptions.ts'

const node = (ip: string, id: number): Enode => ({
  id: new Uint8Array(64).fill(id),
  ip,
  tcpPort: 30303,
  udpPort: 30303,
})

test('a node is called where its name leads, also when that changes', async () => {
  const names = new Map<string, string>()
  const called: string[] = []
  const clock = createManualClock(0)
  const stop = followNodeNames([node('late', 1), node('moving', 2)], {
    lookUp: async (name) => names.get(name),
    clock,
    log: createSilentLogs(),
    add: ({ ip }) => called.push(ip) > 0,
  })
  const pass = async () => {
    clock.run(10_000)
    await setImmediate()
  }
  await pass()
  expect(called).toEqual([])
  names.set('moving', '10.0.0.1')
  await pass()
  names.set('moving', '10.0.0.2').set('late', '10.0.0.3')
  await pass()
  expect(called).toEqual(['10.0.0.1', '10.0.0.3', '10.0.0.2'])
  stop()
  await pass()
  expect(called.length).toBe(3)
})

test('names without an address are left out where they are looked up again, else refused', async () => {
  const lookUp = async (name: string) => (name === 'here' ? '10.0.0.1' : undefined)
  const wanted = {
    staticNodes: [node('here', 1), node('late', 2), node('10.0.0.9', 3)],
    bootnodes: [node('here', 4), node('later', 5)],
  } as unknown as NetworkOptions
  const missing: string[] = []
  const found = await resolveNames(wanted, lookUp, (host) => missing.push(host))
  expect(missing.sort()).toEqual(['late', 'later'])
  expect(found.staticNodes.map(({ ip }) => ip)).toEqual(['10.0.0.1', '10.0.0.9'])
  expect(found.bootnodes.map(({ ip }) => ip)).toEqual(['10.0.0.1'])
  expect(nodesToFollow(wanted, found).map(({ ip }) => ip)).toEqual(['here', 'late', 'later'])
  await expect(resolveNames(wanted, lookUp)).rejects.toThrow('has no IP address')
})
