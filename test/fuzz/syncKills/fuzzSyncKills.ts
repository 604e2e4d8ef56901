import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient, until } from '../../../bench/rpc/client.ts'
import { type PreparedChain, prepareChain } from '../../../bench/sync/preparedChain.ts'
import { quoin, type SyncNode } from '../../../bench/sync/syncClients.ts'
import { type Checks, createChecks } from '../../interop/checks.ts'
import { withCampaignFolder } from '../../support/campaignFolder.ts'
import type { Tally } from '../../support/runCampaign.ts'
import { type Extent, isSample } from '../extent.ts'
import { createRandom } from '../random.ts'

const defaultKills = 50
/** Milliseconds from the first block that it fetches to the kill, at most. */
const longestLife = 1500

interface Head {
  readonly number: number
  readonly hash: string
}

interface Campaign {
  readonly chain: PreparedChain
  readonly server: SyncNode
  readonly data: string
  readonly checks: Checks
}

/** Kills a node that fetches a chain from another, again and again; true when it goes on each time and comes to the same end. */
export async function fuzzSyncKills(extent: Extent): Promise<Tally> {
  const kills = isSample(extent) ? extent.count : defaultKills
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  const checks = createChecks(print)
  const random = createRandom(extent.seed)
  await checks.step('runs to its end', () =>
    withCampaignFolder('fuzz-sync-kills', async (folder) => {
      const chain = await prepareChain(10_000)
      const server = await quoin([]).serve(chain)
      const campaign = { chain, server, data: join(folder, 'data'), checks }
      try {
        let [ends, mostTakenBack] = [0, 0]
        for (let i = 0; i < kills; i++) {
          const { isAtEnd, takenBack } = await killOnce(campaign, random.below(longestLife))
          mostTakenBack = Math.max(mostTakenBack, takenBack)
          if (!isAtEnd) continue
          ends++
          rmSync(campaign.data, { recursive: true })
        }
        print(
          `${kills} kills, ${ends} times at the end of the chain; at most ${mostTakenBack} blocks had to be fetched again`,
        )
        await finish(campaign)
      } finally {
        await server.stop()
      }
    }),
  )
  return checks
}

/** Lets the node fetch for a while, kills it, and looks at what it has after a start. */
async function killOnce(
  campaign: Campaign,
  life: number,
): Promise<{ readonly isAtEnd: boolean; readonly takenBack: number }> {
  const { chain, server, data, checks } = campaign
  const node = await quoin([]).begin(chain, data)
  const started = await headOf(node)
  checks.equal(`block ${started.number} is the same after a start`, started.hash, await hashOf(server, started.number))
  const last = await fetchFor(life, node, campaign, started.number).catch((error: Error) => {
    throw new Error(`${error.message} (${error.cause ?? 'no cause'}); the node says: ${node.complaints()}`)
  })
  process.kill(node.pid, 'SIGKILL')
  await node.stop()
  const again = await quoin([]).begin(chain, data)
  const kept = await headOf(again)
  checks.equal(`nothing before block ${started.number} is lost`, kept.number >= started.number, true)
  process.kill(again.pid, 'SIGKILL')
  await again.stop()
  return { isAtEnd: last.number === chain.blocks, takenBack: Math.max(0, last.number - kept.number) }
}

/** Lets the node fetch blocks for so many milliseconds after the first; returns its head. */
async function fetchFor(life: number, node: SyncNode, { chain, server }: Campaign, from: number): Promise<Head> {
  await connect(node, server)
  await until(async () => (await headOf(node)).number > from || from === chain.blocks, 60)
  await delay(life)
  return headOf(node)
}

/** Lets the node come to its end: it computes the state root of each block, so that damage would show. */
async function finish({ chain, server, data, checks }: Campaign): Promise<void> {
  const node = await quoin([]).begin(chain, data)
  try {
    await connect(node, server)
    await until(async () => (await headOf(node)).number === chain.blocks, 600)
    checks.equal('the head is the one of the chain', (await headOf(node)).hash, chain.head)
  } finally {
    await node.stop()
  }
}

async function connect(node: SyncNode, server: SyncNode): Promise<void> {
  const { enode } = await createClient(server.url).call<{ enode: string }>('admin_nodeInfo')
  await createClient(node.url).call('admin_addPeer', enode.replace(/@.*/, `@127.0.0.1:${server.p2pPort}`))
}

async function headOf(node: SyncNode): Promise<Head> {
  return blockOf(node, 'latest')
}

async function hashOf(node: SyncNode, number: number): Promise<string> {
  return (await blockOf(node, `0x${number.toString(16)}`)).hash
}

async function blockOf(node: SyncNode, tag: string): Promise<Head> {
  const { call } = createClient(node.url)
  const { number, hash } = await call<{ number: string; hash: string }>('eth_getBlockByNumber', tag, false)
  return { number: Number(number), hash }
}
