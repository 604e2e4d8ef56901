import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { verifyData } from '../../../src/maintenance/verifyData.ts'
import { ethCodes } from '../../../src/net/eth/messages.ts'
import { kindOf } from '../../../src/net/snap/messages.ts'
import type { NodeProcess } from '../../interop/nodeProcess.ts'
import { createTestNetworks } from '../../support/netHarness.ts'
import type { SnapNode } from '../../support/snapNode.ts'
import { createRandom } from '../../support/snapWorld.ts'
import { tampered } from '../../support/tampered.ts'
import { comesTo, createJoiner, networkOf, offer, type SnapTerms } from './joiner.ts'

/** What a node asks for in each phase. */
const phases = {
  headers: (name: string, code: number) => name === 'eth' && code === ethCodes.getBlockHeaders,
  state: (name: string, code: number) => name === 'snap' && !kindOf(code).isResponse,
  past: (name: string, code: number) =>
    name === 'eth' && (code === ethCodes.getBlockBodies || code === ethCodes.getReceipts),
} as const

const killsWanted = { full: 20, fast: 2 }
const random = createRandom(50)
/** Requests of a phase after which the node is killed, at most. */
const maxRequests = { headers: 6, state: 20, past: 24 }
/** Milliseconds after the request at which it is killed, at most: what was sent then is being written. */
const maxDelay = 60

type Phase = keyof typeof phases

interface Kills {
  readonly phase: Phase
  readonly wanted: number
  killed: number
  arrived: number
  damaged: number
}

/** Kills a node that joins again and again, at other moments each time; its data have to be sound, and it has to arrive in the end. */
export async function killJoiners(terms: SnapTerms): Promise<void> {
  const { checks, fast, only, source } = terms
  for (const phase of Object.keys(phases) as Phase[]) {
    if (only.length > 0 && !only.includes(phase)) continue
    const kills = { phase, wanted: fast ? killsWanted.fast : killsWanted.full, killed: 0, arrived: 0, damaged: 0 }
    const networks = createTestNetworks()
    const counter: Counter = {}
    const receive = (name: string) => (code: number, payload: Uint8Array) => {
      if (phases[phase](name, code)) counter.onRequest?.()
      return payload
    }
    try {
      const names = ['eth', 'snap'] as const
      const protocols = names.map((name) => tampered(source.protocol(name), { receive: receive(name) }))
      const peer = await offer(networks, 1, protocols)
      while (kills.killed < kills.wanted) await joinOnce(peer, counter, kills, terms)
    } finally {
      await networks.stop()
    }
    const { killed, arrived, damaged } = kills
    checks.note(`${phase}: ${killed} times kill -9, ${arrived} nodes arrived, ${damaged} times something was damaged`)
    checks.equal(`${phase}: data are sound after ${killed} times kill -9, and the node arrives`, damaged, 0)
  }
}

interface Counter {
  onRequest?: (() => void) | undefined
}

/** One data path, until it has the chain. */
async function joinOnce(peer: string, counter: Counter, kills: Kills, terms: SnapTerms): Promise<void> {
  const { folder, source, genesisFile, checks } = terms
  const path = join(folder, `${kills.phase}-${kills.arrived}`)
  const node = await createJoiner(path, genesisFile, [peer])
  try {
    for (let isThere = false; !isThere; ) {
      isThere = !(await startAndKill(node, counter, kills, source))
      const { findings, head } = await verifyData(path, networkOf(genesisFile), () => {})
      const isSound = findings.length === 0 && (!isThere || Buffer.compare(head!.hash, source.head().hash) === 0)
      if (isSound) continue
      kills.damaged++
      checks.note(`${path}: ${JSON.stringify(findings)}`)
    }
    kills.arrived++
  } finally {
    await node.kill()
  }
}

/** Starts a node and kills it at a request of the phase; returns whether it came to that: else it has arrived, and was stopped. */
async function startAndKill(node: NodeProcess, counter: Counter, kills: Kills, source: SnapNode): Promise<boolean> {
  let left = kills.killed < kills.wanted ? 1 + random(maxRequests[kills.phase]) : Number.POSITIVE_INFINITY
  let isHit = false
  const hit = new Promise<boolean>((resolve) => {
    counter.onRequest = () => {
      if (--left > 0) return
      isHit = true
      resolve(true)
    }
  })
  node.start()
  const arrival = comesTo(node, source, () => !isHit).then(() => false)
  const isKilled = await Promise.race([hit, arrival])
  if (isKilled) {
    await delay(random(maxDelay))
    await node.kill()
    kills.killed++
    await arrival
  } else await node.stop()
  counter.onRequest = undefined
  return isKilled
}
