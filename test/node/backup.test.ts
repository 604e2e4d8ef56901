import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, copyFileSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { type NetworkPlan, nodeFolder, openNetworkPlan, portsOf } from '../../src/cli/network/networkPlan.ts'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import { zeroAddress } from '../../src/primitives/bytes.ts'
import { fromHex, toHex } from '../../src/primitives/hex.ts'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { encodeTx } from '../../src/types/encodeTx.ts'
import { signTx } from '../../src/types/signTx.ts'
import { freePort } from '../support/freePort.ts'
import { withTempFolder } from '../support/tempStore.ts'

const program = join(packageRoot, 'dist/src/cli/main.js')
const quoin = (...args: string[]) => promisify(execFile)(process.execPath, [program, ...args])

/** Starts a validator on a data path. */
function start(dir: string, plan: NetworkPlan, node: number, dataPath: string): ChildProcess {
  const ports = portsOf(plan, node)
  const log = openSync(join(dir, `node${node}.log`), 'a')
  const args = [
    `--genesis-file=${join(dir, 'genesis.json')}`,
    `--data-path=${dataPath}`,
    `--static-nodes-file=${join(nodeFolder(dir, node), 'static-nodes.json')}`,
    '--p2p-interface=127.0.0.1',
    `--p2p-port=${ports.p2p}`,
    '--discovery-enabled=false',
    '--rpc-http-enabled',
    `--rpc-http-port=${ports.http}`,
    '--min-gas-price=0',
  ]
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', log, log] })
  closeSync(log)
  return child
}

async function call<T>(port: number, method: string, ...params: unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  })
  const { result, error } = (await answer.json()) as { result: T; error?: { message: string } }
  if (error) throw new Error(error.message)
  return result
}

/** Waits until a node has a block; one that does not answer yet is asked again. */
async function reach(port: number, number: number): Promise<void> {
  for (;;) {
    const height = await call<string>(port, 'eth_blockNumber').then(Number, () => -1)
    if (height >= number) return
    await delay(100)
  }
}

test('a validator is backed up under load and goes on elsewhere', () =>
  withTempFolder(async (folder) => {
    const dir = join(folder, 'net')
    const basePort = await freePort()
    const plan = openNetworkPlan(dir, { validators: 2, consensus: 'qbft', period: 1, basePort })
    const [first, second] = [portsOf(plan, 0).http, portsOf(plan, 1).http]
    const nodes = [0, 1].map((i) => start(dir, plan, i, nodeFolder(dir, i)))
    let loading = true
    try {
      await reach(first, 1)
      const load = sendTransactions(first, () => loading)
      await reach(second, 3)
      const backup = join(folder, 'backup.tar')
      const { stdout } = await quoin(`--data-path=${nodeFolder(dir, 1)}`, 'backup', `--to=${backup}`)
      const [, number, hash, root] = /head (\d+) (0x\w+), state root (0x\w+)/.exec(stdout) ?? []
      await reach(second, Number(number) + 2)
      const block = await call<{ hash: string; stateRoot: string }>(
        first,
        'eth_getBlockByNumber',
        toQuantity(number!),
        false,
      )
      expect([hash, root]).toEqual([block.hash, block.stateRoot])
      loading = false
      expect(await load).toBeGreaterThan(0)
      nodes[1]!.kill('SIGTERM')
      await once(nodes[1]!, 'exit')

      const elsewhere = join(folder, 'elsewhere')
      mkdirSync(elsewhere)
      copyFileSync(join(nodeFolder(dir, 1), 'key'), join(elsewhere, 'key'))
      const place = [`--data-path=${elsewhere}`, `--genesis-file=${join(dir, 'genesis.json')}`]
      expect((await quoin(...place, 'restore', `--from=${backup}`)).stdout).toContain(
        `head ${number} ${hash}, state root ${root}`,
      )
      expect((await quoin(...place, 'verify')).stdout).toContain(`is sound: head ${number} ${hash}`)
      const height = Number(await call<string>(first, 'eth_blockNumber'))
      // The other one waits for this one: nothing that it might contradict is on its way any more.
      await quoin(...place, 'restore', '--may-sign')
      nodes[1] = start(dir, plan, 1, elsewhere)
      // Both are needed for each block.
      await Promise.all([reach(first, height + 2), reach(second, height + 2)])
    } catch (error) {
      throw new Error(`${error}\n${readFileSync(join(dir, 'node1.log'), 'utf8').split('\n').slice(-15).join('\n')}`)
    } finally {
      loading = false
      for (const node of nodes) node.kill('SIGKILL')
    }
  }))

const toQuantity = (number: string) => `0x${Number(number).toString(16)}`

/** Sends transfers one at a time; returns how many. */
async function sendTransactions(port: number, goOn: () => boolean): Promise<number> {
  const chainId = BigInt(await call<string>(port, 'eth_chainId'))
  const key = fromHex(devAccounts[0].privateKey)
  let nonce = 0n
  for (; goOn(); nonce++) {
    const tx = signTx(
      { type: 0, nonce, gasPrice: 0n, gasLimit: 21_000n, to: zeroAddress, value: 1n, data: new Uint8Array(0), chainId },
      key,
    )
    await call(port, 'eth_sendRawTransaction', toHex(encodeTx(tx)))
    await delay(20)
  }
  return Number(nonce)
}
