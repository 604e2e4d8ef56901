import { Agent } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { streamPost } from './streamPost.ts'

/** Who is asked. */
export interface ProbeTask {
  /** The node whose answers are timed. */
  readonly url: string
  /** Another node, which tells when blocks come. */
  readonly witness: string
}

/** What was measured. */
export interface ProbeResult {
  /** Milliseconds that each answer took. */
  readonly latencies: readonly number[]
  /** When blocks came, in milliseconds. */
  readonly blocks: readonly number[]
}

// The thread of one more client, which asks for the number of the head.
const { url, witness } = workerData as ProbeTask
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
const latencies: number[] = []
const blocks: number[] = []
let isStopped = false

async function probe(): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  while (!isStopped) {
    const began = performance.now()
    await streamPost(url, body, agent)
    latencies.push(performance.now() - began)
    await setTimeout(20)
  }
  agent.destroy()
}

async function watch(): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  let last = ''
  while (!isStopped) {
    const { start } = await streamPost(witness, body, agent)
    if (start !== last) blocks.push(performance.now())
    last = start
    await setTimeout(10)
  }
  agent.destroy()
}

parentPort!.once('message', () => {
  isStopped = true
  // The first is the head when this began.
  parentPort!.postMessage({ latencies, blocks: blocks.slice(1) } satisfies ProbeResult)
})
void probe().catch(() => {})
void watch().catch(() => {})
