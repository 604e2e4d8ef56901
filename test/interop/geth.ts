import { join } from 'node:path'
import { writeCliqueGenesis } from './cliqueGenesis.ts'
import { createGethProcess } from './gethProcess.ts'
import type { Interop, InteropTerms } from './interop.ts'
import { createQuoinProcess } from './quoinProcess.ts'
import { advance, eventually, hashAt, heightOf, type RpcNode, reach, sameBlocks } from './rpcNode.ts'
import { createSeat, type Seat } from './seat.ts'
import { stopAll } from './stopAll.ts'
import { type Member, otherMakes, passOn, quoinMakes } from './together.ts'

const make = 'geth'
const withoutDiscovery = '--nodiscover'
const gasPrice = 10_000_000_000n
/** Blocks between two events. */
const stretch = 12
/** Attempts to separate signers at a moment when both sides can go on. */
const maxAttempts = 5

/** geth is the signer, of a genesis in its own spelling. */
async function gethSigns({ checks, folder, peersDir, basePort }: InteropTerms): Promise<void> {
  const seatOf = (name: string, number: number) => createSeat(folder, name, basePort, number)
  const signer = seatOf('geth-signer', 0)
  const genesisFile = writeCliqueGenesis(join(folder, 'geth-signs.json'), [signer.address], 'geth')
  const geth = (seat: Seat): Member => ({
    node: createGethProcess({ seat, peersDir, genesisFile, signs: seat === signer }),
    enode: seat.enode,
  })
  const own = seatOf('quoin-follower', 1)
  await otherMakes({
    checks,
    make,
    maker: geth(signer),
    quoin: { node: createQuoinProcess({ ...own, genesisFile }), enode: own.enode },
    follower: geth(seatOf('geth-follower', 2)),
    finder: geth(seatOf('geth-finder', 3)),
    withoutDiscovery,
    gasPrice,
  })
}

/** Quoin is the signer, of a genesis in Besu's spelling, which geth would not understand. */
async function quoinSigns({ checks, folder, peersDir, basePort }: InteropTerms): Promise<void> {
  const own = createSeat(folder, 'quoin-signer', basePort, 4)
  const other = createSeat(folder, 'geth-fresh', basePort, 5)
  const forQuoin = writeCliqueGenesis(join(folder, 'quoin-signs.json'), [own.address], 'besu')
  const forGeth = writeCliqueGenesis(join(folder, 'quoin-signs-geth.json'), [own.address], 'geth')
  const follower = createGethProcess({ seat: other, peersDir, genesisFile: forGeth, signs: false })
  await quoinMakes({
    checks,
    make,
    quoin: { node: createQuoinProcess({ ...own, genesisFile: forQuoin }), enode: own.enode },
    follower: { node: follower, enode: other.enode },
    gasPrice,
  })
}

/** Five signers; two of them, one of either kind, lose the others and come back to the heavier chain. */
async function partition({ checks, folder, peersDir, basePort }: InteropTerms): Promise<void> {
  const seats = ['geth-a', 'geth-b', 'quoin-a', 'geth-c', 'quoin-b'].map((name, i) =>
    createSeat(folder, name, basePort, i + 6),
  )
  const signers = seats.map(({ address }) => address)
  const genesisFile = writeCliqueGenesis(join(folder, 'partition.json'), signers, 'both')
  const isQuoin = ({ name }: { name: string }) => name.startsWith('quoin')
  const nodes = seats.map((seat) =>
    isQuoin(seat)
      ? createQuoinProcess({ ...seat, genesisFile })
      : createGethProcess({ seat, peersDir, genesisFile, signs: true }),
  )
  const inMinority = (i: number) => i >= 3
  const majority = nodes.filter((_, i) => !inMinority(i))
  const minority = nodes.filter((_, i) => inMinority(i))

  const isHealed = (i: number, j: number) => i < j && inMinority(i) !== inMinority(j)

  /** Connects or separates pairs of nodes. */
  async function between(method: 'admin_addPeer' | 'admin_removePeer', isPair: (i: number, j: number) => boolean) {
    for (const [i, node] of nodes.entries())
      for (const [j, { enode }] of seats.entries())
        if (i !== j && isPair(i, j))
          await eventually(`${node.name} does ${method}`, async () => {
            await node.call(method, enode)
            return true
          })
  }

  /** Whether a node's head is none of the majority's blocks. */
  async function hasParted(node: RpcNode): Promise<boolean> {
    const height = await heightOf(node)
    return (await hashAt(node, height)) !== (await hashAt(majority[0]!, height))
  }

  await stopAll(nodes, async () => {
    for (const node of nodes) node.start(isQuoin(node) ? '--discovery-enabled=false' : withoutDiscovery)
    await between('admin_addPeer', (i, j) => i < j)
    await checks.step('five signers make blocks together', () => reach(nodes, stretch))

    const fork = await checks.step('three go on alone while two make blocks of their own', async () => {
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        await between('admin_removePeer', (i, j) => inMinority(i) !== inMinority(j))
        await advance(majority, stretch)
        const haveParted = await Promise.all(minority.map(hasParted))
        if (haveParted.every(Boolean)) return Math.max(...(await Promise.all(minority.map(heightOf))))
        // They had just made the last two blocks and must wait for the others.
        await between('admin_addPeer', isHealed)
        await advance(nodes, 1)
      }
      throw new Error('they do not')
    })
    if (fork === undefined) return

    await between('admin_addPeer', isHealed)
    await checks.step('all five come to one chain', () => advance(nodes, stretch))
    await sameBlocks(checks, nodes, 0, fork + stretch)
  })
}

/** Sync, transfers and discovery between Quoin and geth, and a network that falls apart for a while. */
export const geth: Interop = {
  name: 'geth',
  doc: 'Quoin and geth sync from each other, find each other and mine for each other.',
  needs: ['geth'],
  async run(terms) {
    const { peersDir } = terms
    await passOn({
      ...terms,
      make,
      create: (seat, genesisFile) => createGethProcess({ seat, peersDir, genesisFile, signs: false }),
      withoutDiscovery,
      firstSeat: 11,
    })
    await gethSigns(terms)
    await quoinSigns(terms)
    await partition(terms)
  },
}
