import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, cpSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type NetworkEngine, nodeFolder, openNetworkPlan } from '../../../src/cli/network/networkPlan.ts'
import { quoinProgram } from '../../interop/quoinProcess.ts'
import { freePort } from '../../support/freePort.ts'
import { createSeat, type Seat } from './seat.ts'

/** A key, and the places of processes that have it; the others know the first one's address. */
export interface Pair {
  readonly address: string
  readonly seats: readonly [Seat, Seat]
  /** A data path that has the key, if it is in a file, and nothing else. */
  readonly bare: string
}

/** Four validators of whom two have two places each, one of these with a key in a file, one with a key server. */
export interface TwinNetwork {
  readonly file: Pair
  readonly served: Pair
  readonly others: readonly Seat[]
  readonly server: KeyServerProcess
  close(): Promise<void>
}

export interface KeyServerProcess {
  /** Waits until it listens. */
  start(...options: readonly string[]): Promise<void>
  kill(): Promise<void>
}

const validators = 4

/** None of its processes is started. */
export async function openTwinNetwork(folder: string, consensus: NetworkEngine): Promise<TwinNetwork> {
  const net = join(folder, 'net')
  const plan = openNetworkPlan(net, { validators, consensus, period: 1, basePort: undefined })
  const ports: { readonly http: number; readonly p2p: number }[] = []
  for (let i = 0; i < validators + 2; i++) ports.push({ http: await freePort(), p2p: await freePort() })
  const enodes = plan.nodes.map(({ enode }, i) => enode.replace(/@.*/, `@127.0.0.1:${ports[i]!.p2p}`))
  const bareOf = (i: number) => {
    const bare = nodeFolder(net, i)
    writeFileSync(join(bare, 'static-nodes.json'), JSON.stringify(enodes.filter((_, other) => other !== i)))
    return bare
  }
  const serverPort = await freePort()
  const genesisFile = join(net, 'genesis.json')
  const seatOf = (validator: number, place: number, ...options: string[]) => {
    const name = `v${validator}${'ab'[place]}`
    const seat = createSeat({
      ...{ name, genesisFile, options },
      folder: join(folder, name),
      ports: ports[place === 0 ? validator : validators + validator]!,
    })
    cpSync(bareOf(validator), seat.data, { recursive: true })
    return seat
  }
  mkdirSync(join(folder, 'keys'))
  renameSync(join(bareOf(1), 'key'), join(folder, 'keys/key'))
  const served = ['--security-module=key-server', `--key-server-url=http://127.0.0.1:${serverPort}`]
  const pair = (validator: number, ...options: string[]): Pair => ({
    address: plan.nodes[validator]!.address,
    seats: [seatOf(validator, 0, ...options), seatOf(validator, 1, ...options)],
    bare: bareOf(validator),
  })
  const [file, byServer] = [pair(0), pair(1, ...served)]
  const others = [seatOf(2, 0), seatOf(3, 0)]
  const server = createKeyServer(join(folder, 'keys'), serverPort)
  return {
    file,
    served: byServer,
    others,
    server,
    async close() {
      await Promise.all([...file.seats, ...byServer.seats, ...others].map((seat) => seat.process.kill()))
      await server.kill()
    },
  }
}

function createKeyServer(folder: string, port: number): KeyServerProcess {
  let child: ChildProcess | undefined
  process.on('exit', () => child?.kill('SIGKILL'))
  return {
    async start(...options) {
      const log = openSync(join(folder, 'log'), 'a')
      const args = ['key-server', `--key-file=${join(folder, 'key')}`, `--record=${join(folder, 'signed')}`]
      child = spawn(process.execPath, [quoinProgram, ...args, `--port=${port}`, ...options], {
        stdio: ['ignore', log, log],
      })
      closeSync(log)
      for (let tries = 0; tries < 600; tries++) {
        if ((await fetch(`http://127.0.0.1:${port}/liveness`).catch(() => undefined))?.ok) return
        await delay(100)
      }
      throw new Error(`the key server did not start: see ${folder}/log`)
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
