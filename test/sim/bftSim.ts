import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import { privateKeyToAddress } from '../../src/primitives/secp256k1.ts'
import type { Authority } from '../support/authorityChain.ts'
import { createBftNet, protocolOf } from './bftNet.ts'
import type { BftNode, BftTrade } from './bftNode.ts'
import { drawBftSetting } from './bftSetting.ts'
import { recoveryTime } from './bounds.ts'
import { drawFaults } from './faults.ts'
import { createLinks } from './links.ts'
import type { RunFigures, RunOptions } from './run.ts'
import { createSimCrypto } from './simCrypto.ts'
import { createStranger } from './stranger.ts'
import { createWorld, Violation } from './world.ts'

/** Heights that everyone has to gain once nothing goes wrong any more, each within the bound. */
const gain = 3n
/** Milliseconds between looks at what a peer has. */
const syncEvery = 1500

const heights = (nodes: readonly BftNode[]) => nodes.map((node) => node.head().header.number)

const outsiderKey = new Uint8Array(32).fill(0x99)
const outsider: Authority = { key: outsiderKey, address: privateKeyToAddress(outsiderKey) }

/** One run of an IBFT 2.0 or QBFT network; throws a Violation. */
export function runBft(kind: BftProtocol['name'], options: RunOptions, trade: BftTrade = {}): RunFigures {
  const { keys, seed, allowed, trace, topology } = options
  const world = createWorld(seed, trace)
  const { random } = world
  const faults = drawFaults(random, keys.length, allowed, topology)
  const setting = drawBftSetting(random, kind, keys, faults)
  const links = createLinks(world, faults)
  const signatures = createSimCrypto([...keys, outsider], options.realCrypto)
  const isHealed = () => world.now() >= faults.healAt

  const net = createBftNet({
    world,
    setting,
    signatures,
    trade,
    carry: links.carry,
    isLinked: faults.isLinked,
    gossips: faults.gossips,
    trouble: (index, node) => ({
      skew: () => faults.skewOf(index, world.now()),
      dies() {
        if (faults.crashes === 0 || isHealed() || !random.percent(faults.crashes)) return false
        const at = Math.min(world.now() + random.between(50, 5000), faults.healAt)
        world.at(at, () => net.start(node()))
        return true
      },
      forgets: () => setting.forgetful.has(index) && random.percent(50),
      fails: (part) =>
        faults.failures.some(
          (one) => one.index === index && one.part === part && one.from <= world.now() && world.now() < one.to,
        ),
    }),
  })
  const { nodes } = net
  const honest = net.honest.filter((node) => !faults.away.has(nodes.indexOf(node)))

  function start(node: BftNode): void {
    if (!faults.away.has(nodes.indexOf(node))) net.start(node)
  }

  function connectAll(isFor: (a: number, b: number) => boolean = () => true): void {
    for (const [a, one] of nodes.entries())
      for (const [b, other] of nodes.entries()) if (a < b && isFor(a, b)) net.connect(one, other)
  }

  function keepInSync(index: number): void {
    world.at(world.now() + syncEvery + random.below(syncEvery), () => {
      if (nodes[index]!.isUp()) net.pull(index, random.below(keys.length))
      keepInSync(index)
    })
  }

  function beAway({ from, to, members }: (typeof faults.outages)[number]): void {
    world.at(from, () => {
      for (const index of members) if (nodes[index]!.isUp()) nodes[index]!.crash()
    })
    world.at(to, () => {
      for (const index of members) start(nodes[index]!)
    })
  }

  /** The operator who repairs a disk connects the node again, and restarts it. */
  function restartAfter(index: number, time: number): void {
    const node = nodes[index]!
    if (setting.byzantine.has(index)) return
    world.at(time + random.below(200), () => {
      for (const other of nodes) net.connect(node, other)
    })
    world.at(Math.min(time + random.between(200, 1500), faults.healAt), () => {
      if (node.isUp()) node.crash()
      start(node)
    })
  }

  world.note(
    () => `byzantine: ${[...setting.byzantine].map(([i, deeds]) => `v${i} ${[...deeds]}`).join('; ') || 'none'}`,
  )
  for (const { at, subject, add } of setting.campaigns)
    world.at(at, () => {
      for (const { votes } of honest) votes.propose(subject.address, add)
    })
  for (const [index, node] of nodes.entries()) {
    world.at(world.now() + random.below(1000), () => start(node))
    keepInSync(index)
  }
  for (const { to, sides } of faults.partitions) world.at(to, () => connectAll((a, b) => sides[a] !== sides[b]))
  for (const outage of faults.outages) beAway(outage)
  for (const { index, part, to } of faults.failures) if (part === 'write' && to < faults.healAt) restartAfter(index, to)
  if (faults.has('stranger'))
    createStranger({ world, net, protocol: protocolOf(kind), key: outsider, crypto: signatures.of(outsider) }).start()

  world.run(() => false, faults.healAt)
  for (const node of nodes) start(node)
  if (faults.reconnects) connectAll()
  const highest = heights(honest).reduce((a, b) => (a > b ? a : b))
  world.note(() => `healed at height ${highest}`)
  for (let number = highest + 1n; number <= highest + gain; number++) {
    const bound = recoveryTime(setting, faults)
    const isReached = () => heights(honest).every((height) => height >= number)
    if (!world.run(isReached, world.now() + bound))
      throw new Violation(
        `stands still after healing: no block ${number} within ${bound / 1000} s, heights ${heights(honest).join(' ')}`,
      )
  }
  return { heights: Number(highest + gain), messages: links.sent(), steps: world.steps() }
}
