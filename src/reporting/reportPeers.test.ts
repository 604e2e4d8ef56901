import { expect, test } from 'vitest'
import { createManualClock } from '../../test/support/manualClock.ts'
import { createRecordedLogs } from '../../test/support/recordedLogs.ts'
import type { EthPeer } from '../net/eth/ethPeer.ts'
import { createEthPeers } from '../net/eth/ethPeers.ts'
import { toAddress } from '../primitives/bytes.ts'
import { reportPeers } from './reportPeers.ts'

const peer = {
  info: {
    address: toAddress(new Uint8Array(20).fill(1)),
    remote: { ip: '10.0.0.2', port: 30303 },
    clientId: 'besu/v23.10',
    inbound: true,
  },
} as EthPeer

test('peers that come and go are told with their reason, and with how many are left', () => {
  const log = createRecordedLogs()
  const peers = createEthPeers()
  const end = reportPeers(peers, createManualClock(0), log)
  peers.add(peer)
  expect(log.fields('peer connected')).toMatchObject({
    address: `0x${'01'.repeat(20)}`,
    remote: '10.0.0.2:30303',
    client: 'besu/v23.10',
    inbound: true,
    peers: 1,
  })
  peers.remove(peer, { reason: 'tooManyPeers', by: 'peer' })
  expect(log.fields('peer disconnected')).toMatchObject({ reason: 'tooManyPeers', by: 'peer', peers: 0 })
  end()
  peers.add(peer)
  expect(log.lines()).toHaveLength(2)
})

test('one that comes and goes forever does not fill the log', () => {
  const log = createRecordedLogs()
  const peers = createEthPeers()
  const clock = createManualClock(0)
  reportPeers(peers, clock, log)
  const knock = () => {
    for (let i = 0; i < 1000; i++) {
      peers.add(peer)
      peers.remove(peer)
    }
  }
  knock()
  expect(log.lines()).toHaveLength(60)
  clock.run(60_000)
  knock()
  expect(log.lines()).toHaveLength(120)
})
