import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { nodeFolder } from '../../src/cli/network/networkPlan.ts'
import { createValidatorPlan, createValidatorProcess, type ValidatorProcess } from '../support/validatorProcess.ts'
import type { Checks } from './checks.ts'
import type { Interop } from './interop.ts'
import { eventually, heightOf, reach } from './rpcNode.ts'
import { stopAll } from './stopAll.ts'

/** Milliseconds without a quorum: enough for round timers that double without a limit to reach minutes. */
const outage = 60_000
/** Seconds from block to block, and until a round without a block ends, of a network as planned. */
const period = 1
const requestTimeout = 2
/** Seconds within which the next block comes once a quorum is connected. */
const bound = 2 * requestTimeout + period
/** Milliseconds between two looks. */
const lookEvery = 50

/** An outage: who is killed, and whether those lose their blocks too. */
interface Outage {
  readonly name: string
  killed(validators: number): number
  readonly losesData: boolean
}

const half = (validators: number) => Math.ceil(validators / 2)
const outages: readonly Outage[] = [
  { name: 'killed', killed: half, losesData: false },
  { name: 'killed and back with an empty data folder', killed: half, losesData: true },
  { name: 'killed', killed: (validators) => validators, losesData: false },
]

/** Real networks whose quorum goes and comes back. */
export const recovery: Interop = {
  name: 'recovery',
  doc: 'Quoin: networks of 2 and 4 validators make their next block within seconds after an outage.',
  run: async ({ checks, folder }) => {
    await Promise.all([2, 4].map((validators) => recover(validators, join(folder, String(validators)), checks)))
  },
}

async function recover(validators: number, dir: string, checks: Checks): Promise<void> {
  const plan = await createValidatorPlan(dir, validators)
  const nodes = Array.from({ length: validators }, (_, i) => createValidatorProcess(dir, plan, i))
  await stopAll(nodes, async () => {
    for (const node of nodes) node.start()
    await reach(nodes, 3)
    for (const { name, killed, losesData } of outages) {
      const few = nodes.slice(0, killed(validators))
      for (const node of few) await node.kill()
      await delay(outage)
      if (losesData) for (const [i] of few.entries()) emptyFolder(nodeFolder(dir, i))
      const seconds = await secondsToBlock(nodes, few)
      const what = `${few.length} of ${validators} ${name}, ${outage / 1000} s`
      checks.note(`${what}: ${seconds.toFixed(1)} s from a connected quorum to the next block`)
      checks.equal(`${what}: the next block within ${bound} s`, seconds <= bound, true)
    }
  })
}

/** What an operator puts into a data folder; the rest is what the node makes. */
const kept: ReadonlySet<string> = new Set(['key', 'static-nodes.json', 'quoin.log'])

function emptyFolder(folder: string): void {
  for (const name of readdirSync(folder)) if (!kept.has(name)) rmSync(join(folder, name), { recursive: true })
}

/** Starts those that are down; seconds from when all are connected to the next block. */
async function secondsToBlock(nodes: readonly ValidatorProcess[], down: readonly ValidatorProcess[]): Promise<number> {
  for (const node of down) node.start()
  await eventually('all are connected', async () => {
    const counts = await Promise.all(nodes.map((node) => node.call<string>('net_peerCount')))
    return counts.every((count) => Number(count) === nodes.length - 1)
  })
  const connected = performance.now()
  const before = Math.max(...(await Promise.all(nodes.map(heightOf))))
  while (Math.max(...(await Promise.all(nodes.map(heightOf)))) <= before) await delay(lookEvery)
  return (performance.now() - connected) / 1000
}
