import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../../bench/rpc/client.ts'
import { eventually, heightOf, reach, sameBlocks } from '../interop/rpcNode.ts'
import { stopAll } from '../interop/stopAll.ts'
import { type ContractNetwork, createContractNetwork } from '../support/contractNetwork.ts'
import type { Deciding } from '../support/decidingContracts.ts'
import { createFlexibleGroup, type FlexibleClient, repeatMarker } from '../support/flexibleClient.ts'
import { allowing, hostileCode, initCodeOf } from '../support/hostileCode.ts'
import { type Seen, told, watchGroup } from './groupWatch.ts'
import type { Suite, SuiteTerms } from './suite.ts'

const maxSeconds = 3

interface Setting extends Pick<SuiteTerms, 'checks'> {
  readonly network: ContractNetwork
  /** A group of nodes 1 and 2, which are members of the hostile groups, too. */
  readonly other: FlexibleClient
  readonly quiet: Seen
}

/** Each attack against what the same machine does without one: other work on it slows both. */
async function attack(
  { checks, network, other, quiet }: Setting,
  name: string,
  deeds: () => Promise<void>,
  isRefused = false,
) {
  const seen = await watchGroup(network.nodes, other, deeds)
  checks.note(`${name}: ${told(seen)}`)
  checks.equal(`${name}: at least 90 % of the blocks`, seen.share >= 0.9 * Math.min(1, quiet.share), true)
  checks.equal(`${name}: a gap below two periods`, seen.gap < Math.max(2, quiet.gap * 1.5), true)
  const limit = Math.max(maxSeconds, quiet.slowest * 1.5)
  if (isRefused) return
  checks.equal(`${name}: no private transaction of others fails`, seen.failed, 0)
  checks.equal(`${name}: private transactions of others within ${maxSeconds} s`, seen.slowest <= limit, true)
}

/** Cheap public transactions that make the members of a group ask its contract. */
async function gates(setting: Setting): Promise<void> {
  const { network } = setting
  const group = await createFlexibleGroup(network, [0, 1])
  const { marker } = await group.manageBy(hostileCode.loop)
  await attack(setting, 'the contract of a group loops, and its marker is repeated 150 times', () =>
    repeatMarker(network.nodes[3]!, marker, 150),
  )
}

/** Batches of calls of code that never ends, at two of four validators. */
async function calls(setting: Setting): Promise<void> {
  const { network, checks } = setting
  const group = await createFlexibleGroup(network, [0, 1])
  const { contractAddress } = await group.run(undefined, initCodeOf(hostileCode.loop))
  const call = ['priv_call', group.id, { to: contractAddress }, 'latest'] as const
  await attack(setting, 'batches of 1,000 endless priv_call at two validators', async () => {
    for (const node of network.nodes.slice(0, 2)) {
      const { batch } = createClient(`http://127.0.0.1:${node.ports.http}`)
      batch(Array.from({ length: 1000 }, () => call)).catch((error: Error) => checks.note(error.message.slice(0, 100)))
    }
  })
}

/** Repeated markers of a transaction that never ends. */
async function markers(setting: Setting): Promise<void> {
  const { network } = setting
  const group = await createFlexibleGroup(network, [0, 1, 2])
  const marker = await group.send(undefined, hostileCode.loop)
  await attack(setting, 'an endless private transaction, marked 50 times', () =>
    repeatMarker(network.nodes[3]!, marker, 50),
  )
}

/** A contract that decides for the nodes does not return, while strangers send transactions. */
async function deciding(setting: Setting, which: Deciding, runtime: Uint8Array, what: string): Promise<void> {
  const { network } = setting
  await network.replace(which, runtime)
  // Markers are sent by accounts that nobody knows: a contract for accounts that fails refuses them.
  const isRefused = which === 'accounts'
  const flood = async () => {
    for (let i = 0; i < 5; i++) await network.transferFromStrangers(30, i % network.nodes.length)
  }
  await attack(setting, `the contract for ${which} ${what}`, flood, isRefused)
}

/** A node that asks a contract which does not return can be stopped, and says why it does not start. */
async function restart({ checks, network }: Setting, folder: string, which: Deciding): Promise<void> {
  await network.replace(which, hostileCode.loop)
  const node = network.nodes[3]!
  const since = performance.now()
  await node.stop()
  checks.equal(`${which}: SIGTERM ends the node within 10 s`, performance.now() - since < 10_000, true)
  network.start(3)
  await eventually('the start ends with a sentence', async () => node.pid() === undefined)
  const log = readFileSync(join(folder, 'net/node3/quoin.log'), 'utf8')
  const sentence = which === 'nodes' ? 'node permissioning contract at address' : 'account permissioning smart contract'
  checks.equal(`${which}: the start says which contract`, log.includes(sentence), true)
  await network.replace(which, allowing)
  // Its own state is the one before: without the options the node comes to the new one, as the manual says.
  node.start('--privacy-flexible-groups-enabled')
  await reach([node], await heightOf(network.nodes[0]!))
  await node.stop()
  network.start(3)
  await reach([node], await heightOf(network.nodes[0]!))
}

export const hostileCodeSuite: Suite = {
  name: 'hostile-code',
  doc: 'four validators whose contracts and private groups run code that never ends',
  onlyByName: true,
  async run({ checks, folder }) {
    const network = await createContractNetwork(join(folder, 'net'))
    const { nodes } = network
    await stopAll(nodes, async () => {
      for (const i of nodes.keys()) network.start(i)
      await reach(nodes, 2)
      const other = await createFlexibleGroup(network, [1, 2])
      const quiet = await watchGroup(network.nodes, other, async () => {})
      checks.note(`quiet: ${told(quiet)}`)
      const setting: Setting = { checks, network, other, quiet }
      await gates(setting)
      await calls(setting)
      await markers(setting)
      const { loop, 'hashes of much memory': hashes } = hostileCode
      await deciding(setting, 'validators', hashes, 'hashes much memory')
      await network.replace('validators', allowing)
      await deciding(setting, 'nodes', hashes, 'hashes much memory')
      await network.replace('nodes', allowing)
      await deciding(setting, 'accounts', hashes, 'hashes much memory')
      // What others than the administrator send is refused, markers too.
      await network.replace('accounts', loop)
      checks.equal('nothing of strangers is taken', await network.transferFromStrangers(10), 0)
      await network.replace('accounts', allowing)
      for (const which of ['accounts', 'nodes'] as const) await restart(setting, folder, which)
      const head = await heightOf(nodes[0]!)
      await sameBlocks(checks, nodes, 1, head)
    })
  },
}
