import { join } from 'node:path'
import { createBesuProcess } from './besuProcess.ts'
import { writeCliqueGenesis } from './cliqueGenesis.ts'
import { createGethProcess } from './gethProcess.ts'
import type { Interop, InteropTerms } from './interop.ts'
import type { NodeProcess } from './nodeProcess.ts'
import { whyMissing } from './peerProgram.ts'
import { createQuoinProcess } from './quoinProcess.ts'
import { advance, agree, eventually, guest, heightOf, type RpcNode, reach, sameBlocks, transfer } from './rpcNode.ts'
import { createSeat, type Seat } from './seat.ts'
import { stopAll } from './stopAll.ts'

/** Height that the network must reach, and how far it goes between two events. */
const goal = 60
const stretch = 6
/** Blocks below the head that no signer changes its mind about any more. */
const settled = 6
const gasPrice = 10_000_000_000n

type Make = 'quoin' | 'geth' | 'besu'

interface Signer extends NodeProcess {
  readonly make: Make
  readonly seat: Seat
}

const alone: Record<Make, string> = {
  quoin: '--discovery-enabled=false',
  geth: '--nodiscover',
  besu: '--discovery-enabled=false',
}

function createSigners(makes: readonly Make[], { folder, peersDir, basePort }: InteropTerms): readonly Signer[] {
  const seats = makes.map((make, i) => createSeat(folder, `${make}${i}`, basePort, i))
  const signers = seats.map(({ address }) => address)
  const genesisFile = writeCliqueGenesis(join(folder, 'genesis.json'), signers, 'both')
  const create: Record<Make, (seat: Seat) => NodeProcess> = {
    quoin: (seat) => createQuoinProcess({ ...seat, genesisFile }),
    geth: (seat) => createGethProcess({ seat, peersDir, genesisFile, signs: true }),
    besu: (seat) => createBesuProcess({ seat, peersDir, genesisFile }),
  }
  return makes.map((make, i) => ({ ...create[make](seats[i]!), make, seat: seats[i]! }))
}

/** Connects a node with all others. */
async function connect(node: Signer, others: readonly Signer[]): Promise<void> {
  for (const { seat, name } of others)
    if (name !== node.name)
      await eventually(`${node.name} takes ${name} as a peer`, async () => {
        await node.call('admin_addPeer', seat.enode)
        return true
      })
}

async function signersOf(node: RpcNode, block: string): Promise<readonly string[]> {
  return (await node.call<string[]>('clique_getSigners', block)).sort()
}

/** All vote for or against the guest; the votes are withdrawn when they have had their effect. */
async function vote({ checks }: InteropTerms, nodes: readonly Signer[], add: boolean): Promise<void> {
  for (const node of nodes) await node.call('clique_propose', guest, add)
  await checks.step(`a signer is voted ${add ? 'in' : 'out'}`, async () => {
    for (const node of nodes)
      await eventually(`${node.name} counts the votes`, async () => {
        return (await signersOf(node, 'latest')).includes(guest) === add
      })
  })
  for (const node of nodes) await node.call('clique_discard', guest)
}

async function run(terms: InteropTerms): Promise<void> {
  const { checks, peersDir } = terms
  const withoutBesu = whyMissing('besu', peersDir)
  checks.note(withoutBesu === undefined ? 'a Besu signer takes part' : withoutBesu)
  const makes: readonly Make[] = [
    'quoin',
    'quoin',
    'geth',
    'geth',
    ...(withoutBesu === undefined ? ['besu' as const] : []),
  ]
  const nodes = createSigners(makes, terms)
  const [first, quoin, other, geth] = nodes as readonly [Signer, Signer, Signer, Signer]
  const start = async (node: Signer) => {
    node.start(alone[node.make])
    await connect(node, nodes)
  }

  await stopAll(nodes, async () => {
    for (const node of nodes) node.start(alone[node.make])
    await Promise.all(nodes.map((node) => connect(node, nodes)))
    await checks.step(`all ${nodes.length} make blocks together`, () => reach(nodes, stretch))
    for (const [nonce, node] of [first, other, ...nodes.slice(4)].entries())
      await transfer(checks, node, nodes, { nonce: BigInt(nonce), gasPrice })

    for (const victim of [quoin, geth]) {
      await victim.kill()
      const rest = nodes.filter((node) => node !== victim)
      await checks.step(`the others go on after ${victim.name} was killed`, () => advance(rest, stretch))
      await start(victim)
      await checks.step('it comes back', () => advance(nodes, stretch))
    }

    await vote(terms, nodes, true)
    const votedIn = await heightOf(first)
    await checks.step('they go on with a signer who makes no blocks', () => advance(nodes, stretch))
    await vote(terms, nodes, false)

    const votedOut = await heightOf(first)
    const last = Math.max(goal, votedOut)
    await checks.step(`${goal} blocks`, () => reach(nodes, last + settled))
    await sameBlocks(checks, nodes, 0, last)
    for (const number of new Set([0, 1, votedIn, votedOut, last]))
      await agree(checks, nodes, 'clique_getSigners', `0x${number.toString(16)}`)
    const { hash } = await first.call<{ hash: string }>('eth_getBlockByNumber', `0x${last.toString(16)}`, false)
    await agree(checks, nodes, 'clique_getSignersAtHash', hash)
    const metrics = await first.call<{ address: string; proposedBlockCount: string }[]>(
      'clique_getSignerMetrics',
      '0x1',
      `0x${last.toString(16)}`,
    )
    const made = new Map(metrics.map(({ address, proposedBlockCount }) => [address, Number(proposedBlockCount)]))
    for (const { name, seat } of nodes) checks.equal(`${name} made blocks`, (made.get(seat.address) ?? 0) > 0, true)
  })
}

/** Signers of all makes in one Clique network. */
export const clique: Interop = {
  name: 'clique',
  doc: '2 Quoin and 2 geth signers of one Clique network, and a Besu if it can be had.',
  needs: ['geth'],
  run,
}
