import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { folderSize } from '../../bench/folderSize.ts'
import { portsOf } from '../../src/cli/network/networkPlan.ts'
import { fromBase64 } from '../../src/privacy/enclave/base64.ts'
import { groupIdOf } from '../../src/privacy/enclave/groupId.ts'
import { generateKeyPair, type KeyPair } from '../../src/privacyManager/keys.ts'
import { encodePartyInfo } from '../../src/privacyManager/partyInfo.ts'
import { encodePayload } from '../../src/privacyManager/payload.ts'
import { createSealing } from '../../src/privacyManager/sealing.ts'
import { reach } from '../interop/rpcNode.ts'
import { stopAll } from '../interop/stopAll.ts'
import { type ContractNetwork, createContractNetwork } from '../support/contractNetwork.ts'
import { createFlexibleGroup, type FlexibleClient } from '../support/flexibleClient.ts'
import { ownMemory } from '../support/processMemory.ts'
import { told, watchGroup } from './groupWatch.ts'
import type { Suite, SuiteTerms } from './suite.ts'

/** Milliseconds of each flood, and until memory is looked at again. */
const floodTime = 20_000
const restTime = 30_000
/** Requests of the stranger under way at a time. */
const atOnce = 16
const pushes = 1000
const pushedBytes = 100_000
/** What is asked for: megabytes that the managers' folders and a node's own memory may grow by. */
const maxDisk = 40
const maxMemory = 60

interface Attacked {
  readonly network: ContractNetwork
  /** Addresses of the managers of the first two nodes, as others call them. */
  readonly urls: readonly [string, string]
  readonly group: FlexibleClient
  readonly folder: string
  readonly checks: SuiteTerms['checks']
}

async function post(url: string, path: string, body: Uint8Array): Promise<number> {
  const headers = { 'content-type': 'application/octet-stream' }
  const response = await fetch(new URL(path, url), { method: 'POST', headers, body: Buffer.from(body) })
  await response.arrayBuffer()
  return response.status
}

/** Sends what `next` makes, some at a time, until the time is over or there is no more; counts the answers by their status. */
async function flood(next: () => (() => Promise<number>) | undefined): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  const end = Date.now() + floodTime
  async function sendOn(): Promise<void> {
    for (let send = next(); send && Date.now() < end; send = next()) {
      const status = await send().catch(() => 0)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sendOn))
  return statuses
}

const toldStatuses = (statuses: Map<number, number>) =>
  [...statuses].map(([status, count]) => `${count} × ${status || 'no answer'}`).join(', ')

/** Says in the name of managers of the network that they have no keys, or a stranger's; and that their keys are elsewhere. */
function spoofed({ network, urls }: Attacked): () => () => Promise<number> {
  const stranger = generateKeyPair().publicKey
  const honest = network.keys.slice(0, 2).map((key) => fromBase64(key)!)
  const elsewhere = 'http://127.0.0.1:9/'
  const lies = urls.flatMap((url, i) => [
    encodePartyInfo({ url, keys: [], knownUrls: [] }),
    encodePartyInfo({ url, keys: [{ key: stranger, url }], knownUrls: [] }),
    encodePartyInfo({ url: elsewhere, keys: [{ key: honest[i]!, url: elsewhere }], knownUrls: [] }),
  ])
  let number = 0
  return () => {
    const at = number++
    return () => post(urls[at % 2]!, 'partyinfo', lies[at % lies.length]!)
  }
}

/** Names thousands of addresses and keys that are nowhere, each time from another one. */
function flooded({ urls }: Attacked): () => () => Promise<number> {
  let number = 0
  const knownUrls = Array.from({ length: 3000 }, (_, i) => `http://10.77.${i >> 8}.${i & 255}:9001/`)
  const keys = Array.from({ length: 200 }, () => generateKeyPair().publicKey)
  return () => {
    const at = number++
    const url = `http://10.78.${(at >> 8) & 255}.${at & 255}:9001/`
    const body = encodePartyInfo({ url, keys: keys.map((key) => ({ key, url })), knownUrls })
    return () => post(urls[at % 2]!, 'partyinfo', body)
  }
}

/** Payloads of keys that nobody knows, each of another one. */
function pushed({ network, urls }: Attacked): () => (() => Promise<number>) | undefined {
  const to = fromBase64(network.keys[0]!)!
  const bodies = Array.from({ length: pushes }, () => {
    const from: KeyPair = generateKeyPair()
    const group = groupIdOf([from.publicKey, to])
    return encodePayload(createSealing([from]).seal(new Uint8Array(pushedBytes), from, [to], group))
  })
  return () => {
    const body = bodies.pop()
    return body && (() => post(urls[0], 'push', body))
  }
}

const sizeOf = (folder: string, node: number) => folderSize(join(folder, 'net', `node${node}`)) / 1e6

async function attack(attacked: Attacked, name: string, next: Parameters<typeof flood>[0]): Promise<void> {
  const { network, group, folder, checks } = attacked
  const memory = () => network.nodes.slice(0, 2).map((node) => ownMemory(node.pid()) ?? 0)
  const disk = () => [0, 1].map((node) => sizeOf(folder, node))
  const before = { memory: memory(), disk: disk() }
  let statuses = new Map<number, number>()
  const seen = await watchGroup(network.nodes, group, async () => {
    statuses = await flood(next)
  })
  await delay(restTime)
  const after = { memory: memory(), disk: disk() }
  const list = (figures: readonly number[]) => figures.map((one) => one.toFixed(0)).join(' and ')
  checks.note(`${name}: ${toldStatuses(statuses)}; ${told(seen)}`)
  checks.note(
    `${name}: memory of the two nodes ${list(before.memory)} MB, then ${list(after.memory)}; their folders ${list(before.disk)} MB, then ${list(after.disk)}`,
  )
  checks.equal(`${name}: no honest private transaction fails`, seen.failed, 0)
  checks.equal(`${name}: honest private transactions are sent all the time`, seen.sent > 5, true)
  for (const node of [0, 1]) {
    const grown = (what: 'memory' | 'disk') => after[what][node]! - before[what][node]!
    checks.equal(`${name}: memory of node${node} grows by less than ${maxMemory} MB`, grown('memory') < maxMemory, true)
    checks.equal(`${name}: the folder of node${node} grows by less than ${maxDisk} MB`, grown('disk') < maxDisk, true)
  }
}

/** Whoever reaches the port of a manager says what it likes to it, while members of a group send private transactions. */
export const strangersSuite: Suite = {
  name: 'strangers',
  doc: 'Strangers lie to managers of private payloads, flood them and push payloads of nobody, while a group goes on.',
  onlyByName: true,
  async run({ checks, folder }) {
    const network = await createContractNetwork(join(folder, 'net'))
    const { nodes, plan } = network
    await stopAll(nodes, async () => {
      for (const i of nodes.keys()) network.start(i)
      await reach(nodes, 2)
      const [first, second] = [0, 1].map((node) => `http://127.0.0.1:${portsOf(plan, node).manager}/`)
      const group = await createFlexibleGroup(network, [0, 1])
      const attacked: Attacked = { network, urls: [first!, second!], group, folder, checks }
      const quiet = await watchGroup(nodes, group, async () => {})
      checks.note(`quiet: ${told(quiet)}`)
      await attack(attacked, 'spoofed', spoofed(attacked))
      await attack(attacked, 'flooded', flooded(attacked))
      await attack(attacked, `${pushes} pushes of ${pushedBytes / 1000} KB`, pushed(attacked))
    })
  },
}
