// Makes the code that the bundled program starts with; scripts/bundle.mjs bundles this file, too, and runs it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Script } from 'node:vm'
import { codeCacheOf, loadingFlags, loadProgram, programFile } from '../src/cli/bundled/loadProgram.ts'
import { freePort } from '../test/support/freePort.ts'

/** Milliseconds that the node has to answer. */
const patience = 60_000

/** Starts a development node and stores the code that V8 has made until its first answer, for every start to come. */
async function makeCodeCache(): Promise<void> {
  const end = Date.now() + patience
  const scripts = new Map<string, Script>()
  const folder = mkdtempSync(join(tmpdir(), 'quoin-code-'))
  const port = await freePort()
  const others = ['rpc-ws', 'graphql-http', 'explorer-http'].map((name) => `--${name}-port=0`)
  const options = [
    `--data-path=${folder}`,
    `--rpc-http-port=${port}`,
    ...others,
    '--p2p-enabled=false',
    '--logging=OFF',
  ]
  process.argv.splice(2, process.argv.length, ...options)
  const restoreFlags = keepFlags()
  try {
    loadProgram(programFile, (file, script) => scripts.set(file, script))
    while (!(await answers(port))) {
      if (Date.now() > end) throw new Error(`a node of this build gives no answer in ${patience / 1000} s`)
      await sleep(10)
    }
    restoreFlags()
    for (const [file, script] of scripts) writeFileSync(codeCacheOf(file), script.createCachedData())
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Code is only good for the flags that V8 had when the program was loaded. The program changes some later, and not all of them have
 * a way back: here they stay as they are, but for the one without which it cannot go on. Returns a function that takes that back.
 */
function keepFlags(): () => void {
  const v8 = createRequire(import.meta.url)('node:v8') as { setFlagsFromString(flag: string): void }
  const { setFlagsFromString } = v8
  const needed = '--experimental-wasm-relaxed-simd'
  let isSet = false
  v8.setFlagsFromString = (flag) => {
    if (flag === needed) isSet = true
    if (flag === needed || loadingFlags.includes(flag)) setFlagsFromString(flag)
  }
  return () => {
    if (isSet) setFlagsFromString(needed.replace('--', '--no-'))
  }
}

async function answers(port: number): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
  const headers = { 'content-type': 'application/json' }
  return fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body }).then(
    ({ ok }) => ok,
    () => false,
  )
}

void makeCodeCache().then(() => process.exit())
