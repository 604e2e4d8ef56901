import { expect, test } from 'vitest'
import { createManualClock } from '../../../test/support/manualClock.ts'
import { createRecordedLogs } from '../../../test/support/recordedLogs.ts'
import type { ClosedBy, DisconnectReason } from '../protocol.ts'
import { createKeyWatch } from './keyWatch.ts'

const remote = { ip: '10.0.0.7', port: 30303 }
const id = new Uint8Array(64).fill(7)
const advice = 'give each node a key of its own: two validators with one key may sign contradictions'

function start() {
  const [clock, logs] = [createManualClock(1_000_000), createRecordedLogs()]
  const watch = createKeyWatch(clock, logs)
  const lose = (reason: DisconnectReason, by: ClosedBy, lasted = 50) => watch.onLost({ reason, by, remote, id, lasted })
  return { clock, lines: logs.lines, watch, lose, occupied: () => lose('alreadyConnected', 'peer') }
}

test('who connects with the key of this node is named with its address, once a minute', () => {
  const { clock, lines, watch } = start()
  const call = () => watch.onLost({ reason: 'localIdentity', by: 'us', remote, id: undefined, lasted: 50 })
  const line = `warn another process, at 10.0.0.7:30303, has the key of this node: ${advice}`
  for (let i = 0; i < 3; i++) call()
  expect(lines()).toEqual([line])
  clock.run(59_999)
  call()
  expect(lines()).toEqual([line])
  clock.run(1)
  call()
  expect(lines()).toEqual([line, line])
})

test('a node that says for two minutes that it is connected with this one, and is not, is named', () => {
  const { clock, lines, occupied } = start()
  for (let i = 0; i < 4; i++) {
    occupied()
    expect(lines()).toEqual([])
    clock.run(30_000)
  }
  occupied()
  expect(lines()).toEqual([
    `warn the node at 10.0.0.7:30303 is connected with another process that has the key of this node: ${advice}`,
  ])
})

test('one that still held a connection of before, and then lets this node in, is not', () => {
  const { clock, lines, lose, occupied } = start()
  occupied()
  clock.run(100_000)
  lose('tcpError', 'socket', 40_000)
  occupied()
  clock.run(100_000)
  occupied()
  // A long time after: the first refusal of another restart.
  clock.run(300_000)
  occupied()
  expect(lines()).toEqual([])
})

test('other ends of connections say nothing about the key', () => {
  const { clock, lines, lose } = start()
  for (let i = 0; i < 5; i++) {
    lose('alreadyConnected', 'us')
    lose('localIdentity', 'peer')
    lose('tooManyPeers', 'peer')
    clock.run(60_000)
  }
  expect(lines()).toEqual([])
})
