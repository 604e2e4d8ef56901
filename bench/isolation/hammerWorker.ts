import { readlinkSync } from 'node:fs'
import { Agent } from 'node:http'
import { setPriority } from 'node:os'
import { basename } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { type HeavyCall, heavyCalls } from './heavyCalls.ts'
import { type Outcome, streamPost } from './streamPost.ts'

/** What the clients send, and where. */
export interface HammerTask {
  readonly url: string
  /** Undefined where there is none: then no query is sent. */
  readonly graphqlUrl: string | undefined
  readonly clients: number
}

/** What became of the requests of one kind. */
export interface HammerCount {
  readonly name: string
  answered: number
  refused: number
  /** The beginning of an error. */
  error: string | undefined
}

// The thread of the clients that send heavy calls, each its next one as soon as the last is answered.
const { url, graphqlUrl, clients } = workerData as HammerTask
const calls = heavyCalls.filter(({ isGraphql }) => !isGraphql || graphqlUrl !== undefined)
const counts: HammerCount[] = calls.map(({ name }) => ({ name, answered: 0, refused: 0, error: undefined }))
const agent = new Agent({ keepAlive: true })
let isStopped = false
let head = 0

// Clients run on other machines as a rule: here they leave the cores to the validators.
setPriority(Number(basename(readlinkSync('/proc/thread-self'))), 10)

/** Milliseconds after an error, so that a node which refuses all is not asked in a busy loop. */
const pause = 100

async function followHead(): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
  while (!isStopped) {
    const { start } = await streamPost(url, body, agent)
    head = Number(/"result":"(0x[0-9a-f]+)"/.exec(start)?.[1] ?? head)
    await setTimeout(500)
  }
}

function isError({ status, start }: Outcome): boolean {
  return status !== 200 || (/"error"/.test(start) && !/exception|out of gas/i.test(start))
}

async function hammer(call: HeavyCall, count: HammerCount): Promise<void> {
  while (!isStopped) {
    try {
      const outcome = await streamPost(call.isGraphql ? graphqlUrl! : url, call.body(head), agent)
      if (!isError(outcome)) count.answered++
      else {
        count.refused++
        count.error ??= outcome.start
        await setTimeout(pause)
      }
    } catch (error) {
      count.refused++
      count.error ??= String(error)
      await setTimeout(pause)
    }
  }
}

parentPort!.once('message', () => {
  isStopped = true
  parentPort!.postMessage(counts)
  agent.destroy()
})
void followHead().catch(() => {})
for (let i = 0; i < clients; i++) void hammer(calls[i % calls.length]!, counts[i % calls.length]!)
