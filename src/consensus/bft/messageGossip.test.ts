import { describe, expect, test } from 'vitest'
import { authorities } from '../../../test/support/authorityChain.ts'
import { cheapCryptoOf, createBftNetwork } from '../../../test/support/machineNetwork.ts'
import type { Tx } from '../../types/transaction.ts'
import { ibft2Protocol } from '../ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../qbft/qbftProtocol.ts'
import { createMessageGossip } from './messageGossip.ts'
import type { BftProtocol } from './protocol.ts'

const five = [1, 2, 3, 4, 5]
/** Pairs of the seven that are connected; two of them are away, so that each of the others is needed. */
const topologies: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  line: [
    [1, 2],
    [2, 3],
    [3, 4],
    [4, 5],
  ],
  star: five.flatMap((one) => (one === 3 ? [] : [[one, 3] as const])),
  tree: [
    [3, 2],
    [3, 4],
    [2, 1],
    [2, 5],
  ],
}

const txOf = (bytes: number): Tx => ({
  type: 0,
  nonce: 0n,
  gasPrice: 0n,
  gasLimit: 21_000n,
  to: undefined,
  value: 0n,
  data: new Uint8Array(bytes),
  v: 27n,
  r: 1n,
  s: 1n,
})

/** Seconds until those of seven validators who are not away have some blocks, though nobody's first commits arrive. */
function secondsToGoOn(
  protocol: BftProtocol,
  pairs: readonly (readonly [number, number])[],
  skew: (index: number) => number,
): number {
  const network = createBftNetwork({
    protocol,
    crypto: cheapCryptoOf,
    linked: (a, b) => pairs.some((pair) => pair.includes(a) && pair.includes(b)),
    validators: 7,
    skew,
    // A block that makes messages long that have it in them.
    pending: () => [txOf(5000)],
    loses: ({ kind, height, round }) => kind === 'commit' && height === 2n && round === 0,
  })
  const start = network.now()
  for (const index of five) network.start(index)
  network.runUntil(() => network.heights().every((height) => height >= 4n) || network.now() - start > 600_000, 100_000)
  return (network.now() - start) / 1000
}

describe.each([ibft2Protocol, qbftProtocol])('$name', (protocol) => {
  test.each(Object.entries(topologies))('%s: round changes with a prepared block reach everyone', (_, pairs) => {
    // Who comes first into the next round differs.
    for (let turn = 0; turn < 5; turn++)
      expect(secondsToGoOn(protocol, pairs, (index) => ((index * 7 + turn * 3) % 5) * 9)).toBeLessThan(30)
  })
})

test('a long proposal that waits is passed on also where a round change comes first, and nothing else waits', () => {
  const [self, author, peer] = authorities(3).map(({ address }) => address)
  const sent: number[] = []
  let ring = () => {}
  let round = 0
  const gossip = createMessageGossip({
    clock: {
      now: () => 0,
      after(_, action) {
        ring = action
        return () => {}
      },
    },
    address: self!,
    validators: () => [self!, author!, peer!],
    status: () => ({ height: 1n, round, quorum: 2, isValidator: true, heard: () => [self!] }),
    send: (code, _, isFor) => void (isFor(peer!) && sent.push(code)),
    roundTime: 4000,
  })
  const message = { type: 'gossip', data: new Uint8Array(5000), author: author!, except: [author!] } as const
  gossip({ ...message, code: 0, mayWait: true })
  gossip({ ...message, code: 1, mayWait: false })
  expect(sent).toEqual([1])
  round = 1
  ring()
  expect(sent).toEqual([1, 0])
})

test('a line of ten knows after its first blocks who needs what, and does not forget it all at once', () => {
  const network = createBftNetwork({
    protocol: qbftProtocol,
    crypto: cheapCryptoOf,
    linked: (a, b) => Math.abs(a - b) === 1,
    validators: 10,
    pending: () => [txOf(5000)],
  })
  network.startAll()
  network.runUntil(() => network.heights().every((height) => height >= 125n), 1_000_000)
  const late = network.validators[0]!.chain.slice(25).filter(({ round }) => round > 0)
  expect(late.map(({ header }) => header.number)).toEqual([])
})
