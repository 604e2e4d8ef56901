import { join } from 'node:path'
import { createBesuProcess } from './besuProcess.ts'
import type { Checks } from './checks.ts'
import type { InteropTerms } from './interop.ts'
import type { NodeProcess } from './nodeProcess.ts'
import {
  accountModes,
  accountsContract,
  createSender,
  type InterfaceVersion,
  listAccount,
  listNode,
  nodeModes,
  nodesContracts,
  type Sender,
  setAccountMode,
  setNodeMode,
  writeContractGenesis,
} from './permissionContracts.ts'
import { createQuoinProcess } from './quoinProcess.ts'
import { advance, eventually, guest, heightOf, type RpcNode, reach, sameBlocks } from './rpcNode.ts'
import { createSeat, type Seat } from './seat.ts'
import { stopAll } from './stopAll.ts'

const alone = '--discovery-enabled=false'
/** Blocks in which something must not happen. */
const watched = 8
const refusal = 'Sender account not authorized to send transactions'

interface Network {
  readonly checks: Checks
  readonly version: InterfaceVersion
  /** The validators, which ask the contracts. */
  readonly members: readonly [NodeProcess, NodeProcess]
  /** A node that asks nobody. */
  readonly third: NodeProcess
  readonly seats: { readonly members: readonly [Seat, Seat]; readonly third: Seat }
  /** May always send, and switches the rules. */
  readonly admin: Sender
  readonly foreigner: Sender
}

const peersOf = async (node: RpcNode) => Number(await node.call<string>('net_peerCount'))

/** A transaction of the admin, in the chains of all members. */
async function command({ admin, members }: Network, to: string, data: Uint8Array): Promise<void> {
  const hash = await admin.send(members[0], to, { data })
  await mined(members, hash)
}

async function mined(nodes: readonly RpcNode[], hash: string): Promise<void> {
  for (const node of nodes)
    await eventually(`${node.name} has the receipt`, () => node.call('eth_getTransactionReceipt', hash))
}

/** Passes when the node refuses the transaction because of its sender. */
async function isRefused({ checks, foreigner }: Network, node: RpcNode): Promise<void> {
  const answer = await foreigner.send(node, guest).then(
    () => 'accepted',
    (error: Error) => error.message,
  )
  checks.equal(`${node.name} refuses the foreign account`, answer.includes(refusal) || answer, true)
}

async function timed(checks: Checks, name: string, action: () => Promise<unknown>): Promise<void> {
  const begun = performance.now()
  await checks.step(name, action)
  checks.note(`after ${((performance.now() - begun) / 1000).toFixed(1)} s`)
}

async function testNodes(network: Network): Promise<void> {
  const { checks, version, members, third, seats } = network
  const list = (seat: Seat, on: boolean) => command(network, nodesContracts[version], listNode(version, seat, on))
  const dial = async () => {
    for (const { enode } of seats.members) await third.call('admin_addPeer', enode)
  }
  for (const seat of seats.members) await list(seat, true)
  await command(network, nodesContracts[version], setNodeMode(nodeModes.listed))
  third.start(alone)
  await eventually('the third node answers', async () => (await heightOf(third)) >= 0)
  await dial()
  await checks.step('the members go on', () => advance(members, watched))
  checks.equal('the third node has no peers', await peersOf(third), 0)
  for (const member of members) checks.equal(`peers of ${member.name}`, await peersOf(member), 1)

  await list(seats.third, true)
  await timed(checks, 'it is let in by both once it is listed', () =>
    eventually('two peers', async () => (await peersOf(third)) === 2),
  )
  await checks.step('it comes to the head', () => advance([...members, third], 1))
  await list(seats.third, false)
  await timed(checks, 'both drop it once it is not listed', () =>
    eventually('no peers', async () => (await peersOf(third)) === 0),
  )
  await checks.step('the members go on', () => advance(members, watched))
  checks.equal('it stays out', await peersOf(third), 0)
}

async function testAccounts(network: Network): Promise<void> {
  const { checks, members, foreigner } = network
  const set = (mode: bigint, word = 0n) => command(network, accountsContract, setAccountMode(mode, word))
  await set(accountModes.listed)
  for (const member of members) await isRefused(network, member)
  await command(network, accountsContract, listAccount(foreigner.address, true))
  for (const member of members)
    await checks.step(`a transaction through ${member.name} once the account is listed`, async () =>
      mined(members, await foreigner.send(member, guest)),
    )
  // Selector, seven words, the payload, and the word of zeros after it.
  await set(accountModes.callSize, 4n + 32n * 9n)
  const data = new Uint8Array(32).fill(1)
  for (const member of members)
    await checks.step(`both see calldata of the same size: through ${member.name}`, async () =>
      mined(members, await foreigner.send(member, guest, { data })),
    )
  await set(accountModes.gasPrice, 0n)
  for (const member of members)
    await checks.step(`a fee-market transaction has no price: through ${member.name}`, async () =>
      mined(members, await foreigner.send(member, guest, { maxFee: 10n })),
    )
  await command(network, accountsContract, listAccount(foreigner.address, false))
  await set(accountModes.listed)
  for (const member of members) await isRefused(network, member)
}

/** A Besu and a Quoin that ask contracts make blocks together, and keep a third node and a foreign account out. */
export async function testContracts(terms: InteropTerms, version: InterfaceVersion): Promise<void> {
  const { checks, peersDir, basePort } = terms
  const seatOf = (name: string, i: number) => createSeat(terms.folder, `${name}-contract${version}`, basePort, i)
  const seats = { members: [seatOf('quoin', 0), seatOf('besu', 1)], third: seatOf('third', 2) } as const
  const [quoin, besu] = seats.members
  const suite = join(peersDir, '../conformance/besu-access')
  const genesisFile = writeContractGenesis(suite, join(terms.folder, `contract${version}.json`), seats.members)
  const members = [
    createQuoinProcess({ ...quoin, genesisFile }),
    createBesuProcess({ seat: besu, peersDir, genesisFile }),
  ] as const
  const third = createQuoinProcess({ ...seats.third, genesisFile })
  const options = [
    alone,
    '--permissions-accounts-contract-enabled',
    `--permissions-accounts-contract-address=${accountsContract}`,
    '--permissions-nodes-contract-enabled',
    `--permissions-nodes-contract-address=${nodesContracts[version]}`,
    `--permissions-nodes-contract-version=${version}`,
  ]
  const network: Network = {
    ...{ checks, version, members, third, seats },
    admin: createSender(0),
    foreigner: createSender(1),
  }
  checks.note(`contracts of version ${version}`)
  await stopAll([...members, third], async () => {
    for (const member of members) member.start(...options)
    await eventually('Quoin takes the peer', async () => {
      await members[0].call('admin_addPeer', besu.enode)
      return true
    })
    await checks.step('Besu and Quoin make blocks together', () => reach(members, 3))
    await testNodes(network)
    await testAccounts(network)
    await sameBlocks(checks, members, 0, Math.min(...(await Promise.all(members.map(heightOf)))))
  })
}
