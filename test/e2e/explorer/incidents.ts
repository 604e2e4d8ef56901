import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { getAddress } from 'viem'
import { nodeFolder } from '../../../src/cli/network/networkPlan.ts'
import type { Checks } from '../../interop/checks.ts'
import { createNodeProcess } from '../../interop/nodeProcess.ts'
import { quoinProgram } from '../../interop/quoinProcess.ts'
import { advance, eventually } from '../../interop/rpcNode.ts'
import { stopAll } from '../../interop/stopAll.ts'
import { freePort } from '../../support/freePort.ts'
import { mountSmallDisk } from '../../support/smallDisk.ts'
import { type LimpNetwork, openLimpNetwork } from '../limp/limpNetwork.ts'
import type { Suite } from '../suite.ts'
import { type Visitor, visit } from './visitor.ts'
import { whyNoBrowser, withBrowser } from './withBrowser.ts'

const validators = 4
/** What a browser says of a server that hangs or is gone. */
const lost = /Failed to load resource|WebSocket connection/

/** Waits until the first page names an incident, and says how long that took: ten seconds are the aim on a quiet machine. */
async function recognises(
  checks: Checks,
  visitor: Visitor,
  name: string,
  text: RegExp,
  since = Date.now(),
): Promise<void> {
  await visitor.sees(name, visitor.page.locator('.banner li'), text)
  checks.note(`${name}: after ${((Date.now() - since) / 1000).toFixed(1)} s`)
}

/** An address as links show it. */
function linkOf(address: string): string {
  const shown = getAddress(address)
  return `${shown.slice(0, 8)}…${shown.slice(-6)}`
}

const isCalm = (checks: Checks, { page }: Visitor, name: string) =>
  checks.step(`${name}: it is over`, () =>
    eventually('nothing is wrong', async () => (await page.locator('.banner').count()) === 0),
  )

/** Who is on the first page of the explorer of each node. */
async function visitAll(checks: Checks, browser: Browser, ports: readonly number[]): Promise<readonly Visitor[]> {
  const visitors: Visitor[] = []
  for (const port of ports) visitors.push(await visit(browser, `http://127.0.0.1:${port}`, checks))
  return visitors
}

async function checkClock(checks: Checks, { nodes }: LimpNetwork, visitors: readonly Visitor[]): Promise<void> {
  const [good, bad] = [visitors[0]!, visitors[3]!]
  const since = Date.now()
  nodes[3]!.setClock(45_000)
  const about = new RegExp(`clock of ${linkOf(nodes[3]!.address)} is 4\\d s ahead`, 'i')
  await recognises(
    checks,
    bad,
    'clock: the node itself',
    /clock of this node .* is 4\d s ahead of the blocks that others make/,
    since,
  )
  await recognises(checks, good, 'clock: another node', about, since)
  await good.inspect('incident-clock')
  nodes[3]!.setClock(0)
  await isCalm(checks, good, 'clock')
}

async function checkHung(checks: Checks, { nodes }: LimpNetwork, visitor: Visitor): Promise<void> {
  const pids = [2, 3].flatMap((i) => nodes[i]!.process.pid() ?? [])
  const since = Date.now()
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  try {
    const names = [2, 3].map((i) => `(?=.*${linkOf(nodes[i]!.address)})`).join('')
    const text = new RegExp(`No block for .*2 of 3 needed validators heard, waiting for ${names}`, 'i')
    await recognises(checks, visitor, 'two of four hang: who is missing, how many are needed', text, since)
    await visitor.inspect('incident-hung')
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
  await isCalm(checks, visitor, 'two of four hang')
}

/** A node whose genesis file says another chain id: with a data path of its own it is refused, with that of the network it does not start. */
async function checkChainId(checks: Checks, browser: Browser, network: LimpNetwork, folder: string): Promise<void> {
  const net = join(folder, 'net')
  const genesis = JSON.parse(readFileSync(join(net, 'genesis.json'), 'utf8'))
  const file = join(folder, 'other.json')
  writeFileSync(file, JSON.stringify({ ...genesis, config: { ...genesis.config, chainId: 9999 } }))
  const [httpPort, port, p2pPort] = [await freePort(), await freePort(), await freePort()]
  const start = (name: string, data: string) =>
    createNodeProcess({
      name,
      httpPort,
      logFile: join(folder, `${name}.log`),
      command: process.execPath,
      args: [
        ...[quoinProgram, `--genesis-file=${file}`, `--data-path=${data}`, '--p2p-interface=127.0.0.1'],
        ...[`--p2p-port=${p2pPort}`, '--discovery-enabled=false', '--rpc-http-enabled', `--rpc-http-port=${httpPort}`],
        ...['--explorer-enabled', `--explorer-http-port=${port}`],
      ],
    })
  const data = join(folder, 'stranger')
  mkdirSync(data)
  const enodes = await Promise.all(network.nodes.map(({ process: node }) => node.call<string>('net_enode')))
  writeFileSync(join(data, 'static-nodes.json'), JSON.stringify(enodes))
  const stranger = start('stranger', data)
  await stopAll([stranger], async () => {
    stranger.start()
    await eventually('its explorer answers', async () => (await fetch(`http://127.0.0.1:${port}`)).ok)
    const visitor = await visit(browser, `http://127.0.0.1:${port}`, checks)
    const text = /was refused: network id 1337, ours is 9999|nodes were refused: network id 1337, ours is 9999/
    await recognises(checks, visitor, 'wrong chain id', text)
    await visitor.inspect('incident-chain-id')
    await visitor.leave(lost)
  })
  await network.nodes[3]!.process.kill()
  const former = start('former', nodeFolder(net, 3))
  await stopAll([former], async () => {
    former.start()
    await checks.step('wrong chain id on the data path of the network: refused with a sentence', () =>
      eventually('the sentence', async () =>
        /made with chain id 1337; the genesis file says 9999/.test(readFileSync(join(folder, 'former.log'), 'utf8')),
      ),
    )
  })
}

async function checkDisk(checks: Checks, browser: Browser, folder: string): Promise<void> {
  const data = join(folder, 'disk')
  const disk = mountSmallDisk(data)
  if (!disk) return checks.note('disk full: not tested, this user may not mount')
  const [httpPort, port] = [await freePort(), await freePort()]
  const node = createNodeProcess({
    name: 'full',
    httpPort,
    logFile: join(folder, 'full.log'),
    command: process.execPath,
    args: [
      ...[quoinProgram, `--data-path=${join(data, 'data')}`, `--rpc-http-port=${httpPort}`, '--rpc-ws-enabled=false'],
      ...['--graphql-http-enabled=false', '--explorer-enabled', `--explorer-http-port=${port}`],
    ],
  })
  try {
    await stopAll([node], async () => {
      node.start()
      await eventually('the explorer answers', async () => (await fetch(`http://127.0.0.1:${port}`)).ok)
      const visitor = await visit(browser, `http://127.0.0.1:${port}`, checks)
      const since = Date.now()
      disk.fill()
      await recognises(checks, visitor, 'disk full', /^\d MiB free on the disk of/, since)
      await visitor.inspect('incident-disk')
      disk.free()
      await checks.step('disk full: it is no error any more', () =>
        eventually('no error', async () => (await visitor.page.locator('.banner.error').count()) === 0),
      )
      await visitor.leave(lost)
    })
  } finally {
    disk.close()
  }
}

export const incidents: Suite = {
  name: 'incidents',
  doc: 'what goes wrong in networks, recognised from the first page of the explorer: clock, hung validators, chain id, disk',
  onlyByName: true,
  whyNot: whyNoBrowser,
  async run({ checks, folder, only }) {
    const wanted = (name: string) => only.length === 0 || only.includes(name)
    await withBrowser(async (browser) => {
      if (wanted('network')) {
        const ports: number[] = []
        for (let i = 0; i < validators; i++) ports.push(await freePort())
        const network = await openLimpNetwork({
          ...{ folder, validators, consensus: 'qbft', requestTimeoutSeconds: 2 },
          more: (i) => [
            '--rpc-http-api=ETH,NET,WEB3,QBFT,TXPOOL,ADMIN',
            '--explorer-enabled',
            `--explorer-http-port=${ports[i]}`,
          ],
        })
        try {
          const nodes = network.nodes.map(({ process: node }) => node)
          for (const node of nodes) node.start()
          await advance(nodes, 15)
          const visitors = await visitAll(checks, browser, ports)
          await isCalm(checks, visitors[0]!, 'before')
          await checkClock(checks, network, visitors)
          await checkHung(checks, network, visitors[0]!)
          for (const visitor of visitors) await visitor.leave(lost)
          await checkChainId(checks, browser, network, folder)
        } finally {
          await network.close()
        }
      }
      if (wanted('disk')) await checkDisk(checks, browser, folder)
    })
  },
}
