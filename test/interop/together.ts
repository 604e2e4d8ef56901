import { join } from 'node:path'
import { makeTransferChain } from '../../bench/sync/transferChain.ts'
import type { Checks } from './checks.ts'
import type { InteropTerms } from './interop.ts'
import type { NodeProcess } from './nodeProcess.ts'
import { createQuoinProcess } from './quoinProcess.ts'
import { advance, eventually, hashAt, heightOf, type RpcNode, reach, sameBlocks, transfer } from './rpcNode.ts'
import { createSeat, type Seat } from './seat.ts'
import { stopAll } from './stopAll.ts'

/** A node and where others reach it. */
export interface Member {
  readonly node: NodeProcess
  readonly enode: string
}

/** Blocks that a chain has before others come to it, and that are watched afterwards. */
const stretch = 12

const peersOf = async (node: RpcNode) => Number(await node.call<string>('net_peerCount'))

export interface OtherMakesTerms {
  readonly checks: Checks
  /** Name of the other program. */
  readonly make: string
  /** Makes the blocks. */
  readonly maker: Member
  readonly quoin: Member
  /** Nodes of the other make with nothing in their databases. */
  readonly follower: Member
  readonly finder: Member
  /** The other make's option that leaves discovery out. */
  readonly withoutDiscovery: string
  readonly gasPrice: bigint
}

/** The other program makes the blocks; Quoin takes them and serves them on, and all find each other by discovery. */
export async function otherMakes(terms: OtherMakesTerms): Promise<void> {
  const { checks, make, gasPrice } = terms
  const [maker, quoin, follower, finder] = [terms.maker.node, terms.quoin.node, terms.follower.node, terms.finder.node]
  const all = [maker, quoin, follower, finder]
  await stopAll(all, async () => {
    maker.start()
    await reach([maker], 1)
    await transfer(checks, maker, [maker], { nonce: 0n, gasPrice })
    await reach([maker], stretch)

    quoin.start(`--bootnodes=${terms.maker.enode}`)
    await checks.step(`Quoin finds ${make} as its bootnode and comes to its head`, () => reach([quoin], stretch))
    await checks.step('it stays at the head', () => advance([maker, quoin], stretch))
    await transfer(checks, quoin, [maker, quoin], { nonce: 1n, gasPrice })
    await transfer(checks, maker, [maker, quoin], { nonce: 2n, gasPrice })

    follower.start(terms.withoutDiscovery)
    await checks.step(`a fresh ${make} comes to the head through Quoin alone`, async () => {
      await eventually(`${make} takes the peer`, () => follower.call('admin_addPeer', terms.quoin.enode))
      await reach([follower], await heightOf(quoin))
    })
    checks.equal('it has no other peer', await peersOf(follower), 1)
    await checks.step('it stays at the head', () => advance([maker, quoin, follower], stretch))
    await transfer(checks, follower, [maker, quoin, follower], { nonce: 3n, gasPrice })

    finder.start(`--bootnodes=${terms.quoin.enode}`)
    await checks.step(`a ${make} finds Quoin as its bootnode, and another ${make} by it`, () =>
      eventually(`${finder.name} has two peers`, async () => (await peersOf(finder)) >= 2),
    )
    await checks.step('it comes to the head', () => advance(all, 1))
    await sameBlocks(checks, all, 0, await heightOf(finder))
  })
}

export interface QuoinMakesTerms {
  readonly checks: Checks
  readonly make: string
  readonly quoin: Member
  /** A node of the other make with nothing in its database. */
  readonly follower: Member
  readonly gasPrice: bigint
}

/** Quoin makes the blocks; a node of the other make has it as its bootnode. */
export async function quoinMakes({ checks, make, gasPrice, ...terms }: QuoinMakesTerms): Promise<void> {
  const [quoin, follower] = [terms.quoin.node, terms.follower.node]
  await stopAll([quoin, follower], async () => {
    quoin.start()
    await reach([quoin], stretch)
    follower.start(`--bootnodes=${terms.quoin.enode}`)
    await checks.step(`${make} comes to the head of a chain that Quoin makes`, () => reach([follower], stretch))
    await checks.step('it stays at the head', () => advance([quoin, follower], stretch))
    await transfer(checks, follower, [quoin, follower], { nonce: 0n, gasPrice })
    await transfer(checks, quoin, [quoin, follower], { nonce: 1n, gasPrice })
    await sameBlocks(checks, [quoin, follower], 0, await heightOf(follower))
  })
}

/** More blocks than one answer to a request for headers may have, twice. */
const historyBlocks = 400

export interface PassOnTerms extends InteropTerms {
  readonly make: string
  /** A node of the other make with nothing in its database. */
  create(seat: Seat, genesisFile: string): NodeProcess
  readonly withoutDiscovery: string
  /** Number of the first of three seats. */
  readonly firstSeat: number
}

/** A long chain of token transfers goes from Quoin to the other make and from there to another Quoin. */
export async function passOn(terms: PassOnTerms): Promise<void> {
  const { checks, folder, basePort, make, create, firstSeat } = terms
  const seatOf = (name: string, i: number) => createSeat(folder, name, basePort, firstSeat + i)
  const [source, middle, end] = [seatOf('quoin-source', 0), seatOf(`${make}-middle`, 1), seatOf('quoin-end', 2)]
  const { head } = await makeTransferChain(source.folder, historyBlocks)
  const genesisFile = join(source.folder, 'genesis.json')
  const from = createQuoinProcess({ ...source, folder: join(source.folder, 'quoin'), genesisFile })
  const over = create(middle, genesisFile)
  const to = createQuoinProcess({ ...end, genesisFile })
  const follow = (node: NodeProcess, enode: string) =>
    checks.step(`${historyBlocks} blocks go to ${node.name}`, async () => {
      await eventually(`${node.name} takes the peer`, () => node.call('admin_addPeer', enode))
      await reach([node], historyBlocks)
    })
  await stopAll([from, over, to], async () => {
    from.start(`--node-private-key-file=${join(source.folder, 'key')}`)
    over.start(terms.withoutDiscovery)
    to.start('--discovery-enabled=false')
    await follow(over, source.enode)
    await from.stop()
    await follow(to, middle.enode)
    for (const node of [over, to]) checks.equal(`the head of ${node.name}`, await hashAt(node, historyBlocks), head)
  })
}
