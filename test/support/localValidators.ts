import type { HashedBlock } from '../../src/chain/view.ts'
import type { ValidatorNetwork } from '../../src/consensus/validatorNetwork.ts'
import { type Address, equalBytes, type Hash32 } from '../../src/primitives/bytes.ts'
import type { Clock } from '../../src/system/clock.ts'
import type { Block } from '../../src/types/block.ts'
import type { Authority } from './authorityChain.ts'
import { createManualClock, type ManualClock } from './manualClock.ts'
import { openValidator, type ValidatorNode, type ValidatorNodeOptions } from './validatorNode.ts'

/** Something that a node gave to the network. */
export interface Parcel {
  readonly from: Address
  readonly to: readonly Address[]
  readonly content:
    | { readonly protocol: string; readonly code: number; readonly data: Uint8Array }
    | { readonly block: HashedBlock }
}

/** Nodes that get each other's messages, and each other's blocks. */
export interface LocalNetwork {
  /** Those that are up: nobody hears of others, or from them. */
  readonly nodes: Set<ValidatorNode>
  /** All that was sent, oldest first. */
  readonly sent: Parcel[]
  /** Pairs of nodes that have no connection. */
  readonly cuts: (readonly [Address, Address])[]
  /** While set, nodes believe that their peers are ahead of them. */
  isBehind: boolean
  /** The network as one of the nodes sees it; the node is named once it is there. */
  portOf(self: () => ValidatorNode): ValidatorNetwork
}

function parentIn({ chain }: ValidatorNode, { header }: Block): Block | undefined {
  return chain.read((view) => view.blockBy(header.parentHash))?.block
}

/** Messages take a millisecond each, so that they never come in the middle of another one's handling. */
function createLocalNetwork(clock: Clock): LocalNetwork {
  const isLinked = (a: Address, b: Address) =>
    !network.cuts.some((pair) => pair.every((end) => equalBytes(end, a) || equalBytes(end, b)))

  /** Those that a node can reach now. */
  const peersOf = ({ address }: ValidatorNode) =>
    [...network.nodes].filter((peer) => !equalBytes(peer.address, address) && isLinked(peer.address, address))

  function deliver(
    { address: from }: ValidatorNode,
    to: readonly ValidatorNode[],
    content: Parcel['content'],
    action: (to: ValidatorNode) => void,
  ) {
    network.sent.push({ from, to: to.map(({ address }) => address), content })
    for (const node of to) clock.after(1, () => network.nodes.has(node) && action(node))
  }

  /** Imports a block, and first what lies between it and the node's own chain, fetched from the one that told of it. */
  function synchronise(node: ValidatorNode, { block }: HashedBlock, from: ValidatorNode): void {
    const isKnown = (hash: Hash32) => node.chain.read((view) => view.headerBy(hash) !== undefined)
    const missing: Block[] = []
    let at: Block | undefined = block
    while (at && !isKnown(at.header.parentHash)) {
      missing.unshift(at)
      at = parentIn(from, at)
    }
    if (at) for (const one of [at, ...missing]) node.chain.importBlock(one)
  }

  const network: LocalNetwork = {
    nodes: new Set(),
    sent: [],
    cuts: [],
    isBehind: false,
    portOf: (self) => ({
      send(protocol, code, data, to) {
        const node = self()
        if (!network.nodes.has(node)) return
        const receivers = peersOf(node).filter(({ address }) => to(address))
        deliver(node, receivers, { protocol, code, data }, ({ producer }) =>
          producer.receive?.(protocol, code, data, node.address),
        )
      },
      broadcastBlock(block) {
        const node = self()
        if (!network.nodes.has(node)) return
        deliver(node, peersOf(node), { block }, (peer) => {
          if (network.nodes.has(node)) synchronise(peer, block, node)
        })
      },
      probe: () => {},
      blame: () => {},
      isCatchingUp: () => network.isBehind,
      standing() {
        const { number } = self().head().header
        const others = peersOf(self()).map((peer) => peer.head().header.number)
        if (others.length === 0) return 'alone'
        return others.some((other) => other > number) ? 'behind' : 'level'
      },
    }),
  }
  return network
}

/** Validators in one process, each with a chain of its own on disk. */
export interface TestNetwork {
  readonly clock: ManualClock
  readonly local: LocalNetwork
  /** In the order of the members; a node that was restarted takes its old place. */
  readonly nodes: ValidatorNode[]
  /** The first node. */
  readonly node: ValidatorNode
  /** Lets all nodes get to a height. */
  reach(height: number): void
  /** Who made the blocks up to the head of the first node. */
  makers(): Address[]
  /** Opens a node again on what it has on disk, as if it had been killed; maybe with another genesis file. */
  restart(index: number, genesis?: object, meanwhile?: (path: string) => void): Promise<void>
  close(): Promise<void>
}

/** When test networks start, in milliseconds. */
export const networkStart = 1_700_000_000_000

/** Opens nodes and starts them; `onWrite` is told of what the first of them writes until it is restarted. */
export function openNetwork(
  genesis: object,
  members: readonly Authority[],
  onWrite?: (when: 'before' | 'after') => void,
  optionsOf: (index: number, clock: ManualClock) => Partial<ValidatorNodeOptions> = () => ({}),
): TestNetwork {
  const clock = createManualClock(networkStart)
  const local = createLocalNetwork(clock)

  function open(index: number, more: Partial<ValidatorNodeOptions>): ValidatorNode {
    const network = local.portOf(() => node)
    const node: ValidatorNode = openValidator({
      ...{ genesis, authority: members[index]!, clock, network },
      ...optionsOf(index, clock),
      ...more,
    })
    local.nodes.add(node)
    return node
  }

  const nodes = members.map((_, i) => open(i, i === 0 && onWrite ? { onWrite } : {}))
  for (const { producer } of nodes) producer.start()
  return {
    clock,
    local,
    nodes,
    get node() {
      return nodes[0]!
    },
    reach: (height) => clock.runUntil(() => nodes.every(({ head }) => head().header.number >= BigInt(height))),
    makers() {
      const [{ consensus, chain }] = nodes as [ValidatorNode]
      return chain.read((view) => {
        const numbers = Array.from({ length: Number(view.head.header.number) }, (_, i) => BigInt(i + 1))
        return numbers.map((number) => consensus.signerOf(view.headerAt(number)!.header))
      })
    },
    async restart(index, changed = genesis, meanwhile) {
      const old = nodes[index]!
      local.nodes.delete(old)
      await old.close(true)
      meanwhile?.(old.path)
      const restarted = open(index, { path: old.path, genesis: changed })
      nodes[index] = restarted
      restarted.producer.start()
    },
    async close() {
      for (const one of nodes) await one.close()
    },
  }
}
