import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { nodeFolder } from '../../src/cli/network/networkPlan.ts'
import { qbftProtocol } from '../../src/consensus/qbft/qbftProtocol.ts'
import { openRemoteKey } from '../../src/keyServer/remoteKey.ts'
import { type HeldKey, SigningRefused } from '../../src/keys/nodeIdentity.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { type Authority, authorities } from '../support/authorityChain.ts'
import { freePort } from '../support/freePort.ts'
import { wordsToSign } from '../support/signedContents.ts'
import { createSilentLogs } from '../support/silentLogs.ts'
import { withTempFolder } from '../support/tempStore.ts'
import { createValidatorPlan, createValidatorProcess } from '../support/validatorProcess.ts'
import { isWholeRun } from '../support/wholeRun.ts'

const program = join(packageRoot, 'dist/src/cli/main.js')
const log = createSilentLogs()
const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

function startServer(folder: string, port: number, keyFile: string, ...more: string[]): ChildProcess {
  const output = openSync(join(folder, `keys-${port}.log`), 'a')
  const record = join(folder, 'signed')
  const args = ['key-server', `--key-file=${keyFile}`, `--record=${record}`, `--port=${port}`, ...more]
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', output, output] })
  closeSync(output)
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

async function kill(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

const connect = (port: number) =>
  openRemoteKey({ url: new URL(`http://127.0.0.1:${port}`), tls: undefined, patience: 20_000 }, log)

test(
  'two key servers with one record, 200 contradictions, killed again and again: one signature each',
  () =>
    withTempFolder(async (folder) => {
      const [{ key }] = authorities(1) as [Authority]
      const keyFile = join(folder, 'key')
      writeFileSync(keyFile, toHex(key))
      const ports = [await freePort(), await freePort()]
      const servers = [startServer(folder, ports[0]!, keyFile, '--new-record=0')]
      const nodes: HeldKey[] = [await connect(ports[0]!)]
      servers.push(startServer(folder, ports[1]!, keyFile))
      nodes.push(await connect(ports[1]!))
      const signed = new Map<string, string>()
      let refused = 0
      try {
        for (let height = 1n; height <= 100n; height++) {
          const signatures = [0, 1, 0, 1].map(async (node, mark) => {
            const what = wordsToSign(qbftProtocol, height, 0, mark).commit
            try {
              return [toHex(what.digest), toHex(await nodes[node]!.sign(what))] as const
            } catch (error) {
              if (error instanceof SigningRefused) refused++
              return undefined
            }
          })
          // In the middle of it.
          if (height % 20n === 0n) await kill(servers[Number(height / 20n) % 2]!)
          for (const one of await Promise.all(signatures)) {
            if (!one) continue
            const known = signed.get(String(height))
            expect(known ?? one[0]).toBe(one[0])
            signed.set(String(height), one[0])
          }
          if (height % 20n === 0n) {
            const which = Number(height / 20n) % 2
            servers[which] = startServer(folder, ports[which]!, keyFile)
            await connect(ports[which]!).then((fresh) => fresh.close())
          }
        }
        expect(refused).toBeGreaterThanOrEqual(200)
        expect(signed.size).toBeGreaterThanOrEqual(95)
      } finally {
        for (const node of nodes) node.close()
        for (const server of servers) await kill(server)
      }
    }),
  120_000,
)

// Mostly waiting for blocks.
test.runIf(isWholeRun)(
  'a validator whose key is with a key server makes blocks, and they go on without it',
  () =>
    withTempFolder(async (folder) => {
      const dir = join(folder, 'net')
      const plan = await createValidatorPlan(dir, 4)
      const keyFile = join(folder, 'key')
      renameSync(join(nodeFolder(dir, 0), 'key'), keyFile)
      const port = await freePort()
      let server = startServer(folder, port, keyFile, '--new-record=0')
      const nodes = [0, 1, 2, 3].map((i) => createValidatorProcess(dir, plan, i))
      const height = async (node: number) =>
        Number(await nodes[node]!.call<string>('eth_blockNumber').catch(() => '-1'))
      const reach = async (node: number, wanted: number) => {
        while ((await height(node)) < wanted) await delay(200)
      }
      const makers = async (from: number, to: number) => {
        const found: string[] = []
        for (let number = from; number <= to; number++) {
          const block = await nodes[1]!.call<{ miner: string }>(
            'eth_getBlockByNumber',
            `0x${number.toString(16)}`,
            false,
          )
          found.push(block.miner)
        }
        return found
      }
      try {
        for (const [i, node] of nodes.entries())
          if (i > 0) node.start()
          else node.start('--security-module=key-server', `--key-server-url=http://127.0.0.1:${port}`)
        const { address } = plan.nodes[0]!
        await reach(1, 10)
        expect(await makers(1, 10)).toContain(address)
        await kill(server)
        const at = await height(1)
        await reach(1, at + 8)
        expect(await makers(at + 3, at + 8)).not.toContain(address)
        // It follows, although it signs nothing.
        await reach(0, at + 8)
        server = startServer(folder, port, keyFile)
        const back = await height(1)
        await reach(1, back + 14)
        expect(await makers(back + 1, back + 14)).toContain(address)
        const text = readFileSync(nodes[0]!.logFile, 'utf8')
        expect(text).toContain('the key of this validator has not answered for')
        expect(text).toContain('the key of this validator answers again')
        expect(text).not.toContain('refuses to sign')
      } finally {
        for (const node of nodes) await node.stop()
        await kill(server)
      }
    }),
  180_000,
)
