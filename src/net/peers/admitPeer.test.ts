import { describe, expect, test } from 'vitest'
import { admitPeer, type PeerCandidate } from './admitPeer.ts'

const peer = (n: number, more: Partial<PeerCandidate> = {}): PeerCandidate => ({
  id: new Uint8Array(64).fill(n),
  inbound: false,
  isStatic: false,
  ...more,
})
const inbound = (n: number) => peer(n, { inbound: true })
const limits = { maxPeers: 3, maxInbound: undefined, salt: undefined }

describe('admission of peers', () => {
  test('is granted until the limit is reached', () => {
    expect(admitPeer(peer(3), [peer(1), peer(2)], limits)).toEqual({ replaces: undefined })
    expect(admitPeer(peer(4), [peer(1), peer(2), peer(3)], limits)).toEqual({ rejected: 'tooManyPeers' })
  })

  test('static nodes are always admitted', () => {
    const full = [peer(1), peer(2), peer(3)]
    expect(admitPeer(peer(4, { isStatic: true }), full, limits)).toEqual({ replaces: undefined })
  })

  test('inbound peers have a limit, in which static ones do not count', () => {
    const half = { ...limits, maxPeers: 10, maxInbound: 2 }
    expect(admitPeer(inbound(3), [inbound(1), inbound(2)], half)).toEqual({ rejected: 'tooManyPeers' })
    expect(admitPeer(peer(3), [inbound(1), inbound(2)], half)).toEqual({ replaces: undefined })
    const known = peer(2, { inbound: true, isStatic: true })
    expect(admitPeer(inbound(3), [inbound(1), known], half)).toEqual({ replaces: undefined })
  })

  test('with a salt: which peers stay does not depend on who came first, and static nodes stay', () => {
    const drawn = { ...limits, salt: Uint8Array.of(1, 2, 3) }
    const kept = (order: readonly PeerCandidate[]) => {
      let peers: PeerCandidate[] = []
      for (const newcomer of order) {
        const admission = admitPeer(newcomer, peers, drawn)
        if (!('rejected' in admission)) peers = [...peers.filter((s) => s !== admission.replaces), newcomer]
      }
      return peers.map(({ id }) => id[0]!).sort((a, b) => a - b)
    }
    const all = [1, 2, 3, 4, 5, 6, 7].map((n) => peer(n))
    expect(kept(all)).toHaveLength(3)
    expect(kept([...all].reverse())).toEqual(kept(all))
    const statics = [1, 2, 3].map((n) => peer(n, { isStatic: true }))
    for (const newcomer of all) expect(admitPeer(newcomer, statics, drawn)).toEqual({ rejected: 'tooManyPeers' })
  })
})
