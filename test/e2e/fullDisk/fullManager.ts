import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createNodeProcess, type NodeProcess } from '../../interop/nodeProcess.ts'
import { quoinProgram } from '../../interop/quoinProcess.ts'
import { eventually } from '../../interop/rpcNode.ts'
import { freePort } from '../../support/freePort.ts'
import { type DiskLoad, startLoad } from './diskLoad.ts'

/** A payload that the manager acknowledged. */
interface Stored {
  readonly key: string
  readonly payload: string
}

/** A manager of private payloads that stores them for itself. */
export interface FullManager {
  readonly process: NodeProcess
  start(): Promise<void>
  store(): Promise<Stored>
  /** As soon as it takes one. */
  storeAtLast(): Promise<Stored>
  has(stored: Stored): Promise<boolean>
  startLoad(): DiskLoad
}

const mostBytes = 60_000

export async function openManager(folder: string): Promise<FullManager> {
  const [port, peerPort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const process_ = createNodeProcess({
    name: 'manager',
    httpPort: port,
    logFile: `${folder}.log`,
    command: process.execPath,
    args: [quoinProgram, `--data-path=${folder}`, 'privacy-manager', `--port=${port}`, `--peer-port=${peerPort}`],
  })
  const post = (path: string, body: unknown) =>
    fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

  async function store(): Promise<Stored> {
    const from = readFileSync(join(folder, 'privacy.pub'), 'utf8').trim()
    const payload = randomBytes(3000 + Math.floor(Math.random() * mostBytes)).toString('base64')
    const answer = await post('/send', { payload, from, to: [from] })
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
    return { key: ((await answer.json()) as { key: string }).key, payload }
  }
  async function has({ key, payload }: Stored): Promise<boolean> {
    const answer = await post('/receive', { key })
    return answer.status === 200 && ((await answer.json()) as { payload: string }).payload === payload
  }
  return {
    process: process_,
    async start() {
      process_.start()
      await eventually('the manager answers', async () => (await fetch(`${url}/upcheck`)).ok)
    },
    store,
    storeAtLast: () => eventually('a payload is stored', store),
    has,
    startLoad: () => startLoad(store, has),
  }
}
