import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toHex } from '../../../src/primitives/hex.ts'
import { packageRoot } from '../../../src/primitives/packageRoot.ts'
import { privateKeyToAddress } from '../../../src/primitives/secp256k1.ts'
import { withCampaignFolder } from '../../support/campaignFolder.ts'
import type { Tally } from '../../support/runCampaign.ts'
import type { Extent } from '../extent.ts'
import { createRandom } from '../random.ts'
import { makeGenesis } from './makeGenesis.ts'

const program = join(packageRoot, 'bin/quoin')
const privateKey = new Uint8Array(32).fill(9)
/** Milliseconds after which a process that neither serves nor ends is taken to hang. */
const patience = 120_000

interface Ended {
  readonly code: number | null
  readonly output: string
  readonly errors: string
  readonly served: boolean
}

/** Random genesis files for a node, `doctor` and `operator`: each ends with a sentence or does its work; none hangs. */
export async function fuzzGenesis({ minutes, count, seed }: Extent): Promise<Tally> {
  return withCampaignFolder('genesis', async (folder) => {
    const end = performance.now() + minutes * 60_000
    const tally = { served: 0, refused: 0, failed: 0 }
    for (let i = 0; i < count && performance.now() < end; i++) {
      const text = makeGenesis(createRandom(seed + i), privateKeyToAddress(privateKey))
      const { served, faults } = await tryGenesis(folder, text)
      tally[faults.length > 0 ? 'failed' : served ? 'served' : 'refused']++
      for (const fault of faults) process.stdout.write(`seed ${seed + i}: ${fault}\n${text.slice(0, 2000)}\n`)
    }
    const { served, refused, failed } = tally
    process.stdout.write(`${served} run, ${refused} refused with a sentence\n`)
    return { passed: served + refused, failed }
  })
}

async function tryGenesis(folder: string, text: string): Promise<{ served: boolean; faults: string[] }> {
  const data = join(folder, 'data')
  rmSync(data, { recursive: true, force: true })
  rmSync(join(folder, 'keys'), { recursive: true, force: true })
  mkdirSync(data)
  writeFileSync(join(data, 'key'), toHex(privateKey))
  const file = join(folder, 'genesis.json')
  writeFileSync(file, text)
  writeFileSync(join(folder, 'plan.json'), `{"genesis":${text},"blockchain":{"nodes":{"generate":true,"count":1}}}`)
  const options = [`--genesis-file=${file}`, `--data-path=${data}`, '--p2p-enabled=false', '--rpc-http-port=0']
  const started = await run([...options, '--rpc-http-enabled', '--logging=INFO', '--log-format=json'])
  const faults = faultsOf('the node', started)
  const checked = await run([...options, 'doctor'])
  faults.push(...faultsOf('doctor', checked))
  // What runs is sound to doctor, and what does not is not.
  if (faults.length === 0 && started.served !== (checked.code === 0))
    faults.push(`the node ${started.served ? 'runs' : 'ends'}, doctor says ${checked.output}`)
  const plan = ['operator', 'generate-blockchain-config', `--config-file=${join(folder, 'plan.json')}`]
  faults.push(...faultsOf('operator', await run([...plan, `--to=${join(folder, 'keys')}`])))
  return { served: started.served, faults }
}

function faultsOf(who: string, { code, output, errors, served }: Ended): string[] {
  const told = output + errors
  const faults: string[] = []
  if (code === null) faults.push(`${who} hangs or was killed: ${told.slice(-1000)}`)
  if (/^ +at .+:\d+:\d+\)?$/m.test(told)) faults.push(`${who} shows a stack: ${told.slice(0, 1000)}`)
  if (!served && code !== 0 && errors + output === '') faults.push(`${who} ends without a word`)
  if (served && code !== 0) faults.push(`${who} served and ended with ${code}: ${told.slice(-1000)}`)
  return faults
}

/** Runs the command line to its end; a node that serves is asked a few things and stopped. */
async function run(args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const timer = setTimeout(() => child.kill('SIGKILL'), patience)
  const ended = once(child, 'close')
  let output = ''
  let errors = ''
  let served = false
  child.stderr.on('data', (chunk: Buffer) => void (errors += chunk))
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk
    if (served || !output.includes('"msg":"node started')) return
    served = true
    void ask(output).then((fault) => {
      if (fault !== undefined) errors += `\n   at ${fault}:0:0\n`
      child.kill('SIGTERM')
    })
  })
  const [code, signal] = (await ended) as [number | null, string | null]
  if (code === null) errors += ` killed by ${signal}`
  clearTimeout(timer)
  return { code, output, errors, served }
}

/** Asks a node for its genesis block and a call; returns what is wrong with the answers. */
async function ask(log: string): Promise<string | undefined> {
  const port = /"service":"jsonrpc","url":"http:[^"]*:(\d+)"/.exec(log)?.[1]
  if (port === undefined) return `no port in ${log}`
  const calls = [
    ['eth_getBlockByNumber', ['0x0', true]],
    ['eth_call', [{ to: `0x${'ab'.repeat(20)}`, gas: '0xffff' }, 'latest']],
    ['eth_feeHistory', ['0x1', 'latest', []]],
  ] as const
  for (const [method, params] of calls) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body })
    const answer = await response.text()
    if (/-32603|Internal error/.test(answer)) return `${method}: ${answer}`
  }
  return undefined
}
