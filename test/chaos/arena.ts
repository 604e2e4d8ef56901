import { cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type NetworkEngine, nodeFolder, openNetworkPlan } from '../../src/cli/network/networkPlan.ts'
import { createNodeProcess, type NodeProcess } from '../interop/nodeProcess.ts'
import { quoinProgram } from '../interop/quoinProcess.ts'
import { type Lab, NoLab, openLab, type Place } from '../netlab/lab.ts'
import { freePort } from '../support/freePort.ts'
import { mountSmallDisk, type SmallDisk } from '../support/smallDisk.ts'

export interface ArenaOptions {
  readonly folder: string
  readonly validators: number
  readonly consensus: NetworkEngine
  random(): number
}

/** A validator in a process of its own. */
export interface Fighter {
  readonly process: NodeProcess
  readonly url: string
  readonly logFile: string
  /** What it said to other validators. */
  readonly tapFile: string
  /** Makes its clock wrong by so many milliseconds. */
  setClock(offset: number): void
}

/** A network of validators and all that can be done to it; what this machine does not allow is undefined. */
export interface Arena {
  readonly fighters: readonly Fighter[]
  /** Why there are no partitions. */
  readonly withoutLab: string | undefined
  readonly partition: ((...groups: readonly (readonly number[])[]) => void) | undefined
  readonly setDelay: ((milliseconds: number) => void) | undefined
  /** The disk of the last validator. */
  readonly disk: SmallDisk | undefined
  close(): Promise<void>
}

const preload = fileURLToPath(new URL('preload.js', import.meta.url))

interface Seat extends Pick<Place, 'within' | 'control' | 'address'> {
  readonly httpPort: number
  readonly p2pPort: number
}

async function seatsOf(lab: Lab | undefined, count: number): Promise<Seat[]> {
  if (lab) return lab.places.map((place) => ({ ...place, httpPort: 8545, p2pPort: 30303 }))
  const loopback = { within: [], control: '127.0.0.1', address: '127.0.0.1' }
  const seats: Seat[] = []
  for (let i = 0; i < count; i++) seats.push({ ...loopback, httpPort: await freePort(), p2pPort: await freePort() })
  return seats
}

/** None of them is started. */
export async function openArena(options: ArenaOptions): Promise<Arena> {
  const { validators, consensus, random } = options
  const folder = join(options.folder, 'net')
  let delay = 0
  const weather = {
    get delay() {
      return delay
    },
    jitter: 0,
    loss: 0,
    reorder: 0,
  }
  let lab: Lab | undefined
  let withoutLab: string | undefined
  try {
    lab = await openLab({ places: validators, weather, random })
  } catch (error) {
    if (!(error instanceof NoLab)) throw error
    withoutLab = error.message
  }
  let disk: SmallDisk | undefined
  const close = async () => {
    disk?.close()
    await lab?.close()
  }
  try {
    const plan = openNetworkPlan(folder, { validators, consensus, period: 1, basePort: undefined })
    disk = mountOver(nodeFolder(folder, validators - 1))
    const seats = await seatsOf(lab, validators)
    const enodes = plan.nodes.map(({ enode }, i) => enode.replace(/@.*/, `@${seats[i]!.address}:${seats[i]!.p2pPort}`))
    const fighters = seats.map((seat, i) => createFighter(folder, seat, i, enodes))
    return {
      fighters,
      withoutLab,
      partition: lab?.switchboard.partition,
      setDelay: lab && ((milliseconds) => void (delay = milliseconds)),
      disk,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Mounts a small disk in place of a folder, with the same content. */
function mountOver(folder: string): SmallDisk | undefined {
  const aside = `${folder}.aside`
  renameSync(folder, aside)
  const disk = mountSmallDisk(folder)
  cpSync(aside, folder, { recursive: true })
  return disk
}

function createFighter(folder: string, seat: Seat, i: number, enodes: readonly string[]): Fighter {
  const { within, control, address, httpPort, p2pPort } = seat
  const data = nodeFolder(folder, i)
  // Apart from the data: these are written also when its disk is full.
  const notes = join(folder, `notes${i}`)
  mkdirSync(notes, { recursive: true })
  const [logFile, tapFile, clockFile] = [join(notes, 'quoin.log'), join(notes, 'tap'), join(notes, 'clock')]
  writeFileSync(join(data, 'static-nodes.json'), JSON.stringify(enodes.filter((_, other) => other !== i)))
  writeFileSync(tapFile, '')
  const [command, ...args] = [
    ...within,
    process.execPath,
    quoinProgram,
    `--genesis-file=${join(folder, 'genesis.json')}`,
    `--data-path=${data}`,
    `--p2p-host=${address}`,
    `--p2p-interface=${address}`,
    `--p2p-port=${p2pPort}`,
    '--discovery-enabled=false',
    '--rpc-http-enabled',
    `--rpc-http-host=${control}`,
    `--rpc-http-port=${httpPort}`,
    '--rpc-http-api=ADMIN,ETH,NET,TXPOOL',
    '--host-allowlist=*',
    '--min-gas-price=0',
  ]
  const env = {
    ...process.env,
    NODE_OPTIONS: `--import=${pathToFileURL(preload).href}`,
    QUOIN_CHAOS_CLOCK: clockFile,
    QUOIN_CHAOS_TAP: tapFile,
  }
  return {
    process: createNodeProcess({
      name: `node${i}`,
      httpHost: control,
      httpPort,
      logFile,
      command: command!,
      args,
      env,
    }),
    url: `http://${control}:${httpPort}`,
    logFile,
    tapFile,
    setClock: (offset) => writeFileSync(clockFile, String(offset)),
  }
}
