import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { nodeFolder } from '../../../src/cli/network/networkPlan.ts'
import { runCommand } from '../../interop/command.ts'
import type { NodeProcess } from '../../interop/nodeProcess.ts'
import { quoinProgram } from '../../interop/quoinProcess.ts'
import { advance, heightOf } from '../../interop/rpcNode.ts'
import { stopAll } from '../../interop/stopAll.ts'
import { mountSmallDisk, type SmallDisk } from '../../support/smallDisk.ts'
import { createValidatorPlan, createValidatorProcess } from '../../support/validatorProcess.ts'
import type { Suite, SuiteTerms } from '../suite.ts'
import { type DiskLoad, startTransactions } from './diskLoad.ts'
import { openManager } from './fullManager.ts'

const runs = 20
const fastRuns = 2
/** Milliseconds that a disk stays full. */
const fullFor = 3000
/** The room that is left is drawn below this: LMDB asks for more, so the disk counts as full, and other writers take the rest. */
const mostLeft = 400_000
/** No backup fits into this. */
const smallBackup = 100_000
/** A line or two of a log. */
const fewBytes = 400

interface Place extends Pick<SuiteTerms, 'checks'> {
  readonly folder: string
  readonly runs: number
  readonly loaded: boolean
}

function mount(folder: string, megabytes: number): SmallDisk {
  const disk = mountSmallDisk(folder, megabytes)
  if (!disk) throw new Error(`${folder}: no file system can be mounted there`)
  return disk
}

const someRoom = (most = mostLeft) => Math.floor(Math.random() * most)

/** What is in a folder lies on a disk of its own from now on. */
function moveToDisk(folder: string, megabytes: number): SmallDisk {
  const before = `${folder}.before`
  renameSync(folder, before)
  const disk = mount(folder, megabytes)
  cpSync(before, folder, { recursive: true })
  rmSync(before, { recursive: true })
  return disk
}

/** A network of one, whose blocks need nobody else. */
async function openNode(folder: string, logFile: string) {
  const network = join(folder, 'network')
  const plan = await createValidatorPlan(network, 1)
  const data = nodeFolder(network, 0)
  const node = createValidatorProcess(network, plan, 0, logFile)
  const command = (...args: string[]) =>
    runCommand(process.execPath, [quoinProgram, `--genesis-file=${join(network, 'genesis.json')}`, ...args])
  return { node, data, command }
}

/** Starts a node, does something while it has transactions to take or none, and ends both; true if all that it acknowledged is in its chain. */
async function withNode(node: NodeProcess, loaded: boolean, action: () => Promise<void>): Promise<boolean> {
  node.start()
  await advance([node], 1)
  const load: DiskLoad | undefined = loaded ? await startTransactions(node) : undefined
  await delay(Math.random() * 1000)
  await action()
  const missing = (await load?.finish()) ?? 0
  if (node.pid() === undefined) return false
  await node.stop()
  return missing === 0
}

async function fillData({ checks, folder, runs, loaded }: Place): Promise<void> {
  const { node, data, command } = await openNode(folder, join(folder, 'node.log'))
  const disk = moveToDisk(data, 384)
  await stopAll([node], async () => {
    for (let run = 1; run <= runs; run++) {
      let [made, alive] = [0, false]
      const kept = await withNode(node, loaded, async () => {
        disk.fill(someRoom())
        const height = await heightOf(node)
        await delay(fullFor)
        made = (await heightOf(node)) - height
        alive = node.pid() !== undefined
        disk.free()
        await advance([node], 2)
      })
      // A block may have been on its way when the disk was filled.
      checks.equal(
        `data, run ${run}: it stands still, lives and goes on`,
        { still: made <= 1, alive },
        { still: true, alive: true },
      )
      checks.equal(`data, run ${run}: what it acknowledged is there`, kept, true)
    }
    const { code, stderr } = await command(`--data-path=${data}`, 'verify')
    checks.equal('data: verify finds nothing wrong', { code, stderr }, { code: 0, stderr: '' })
  }).finally(disk.close)
}

async function fillLog({ checks, folder, runs, loaded }: Place): Promise<void> {
  const logs = join(folder, 'logs')
  const disk = mount(logs, 16)
  const logFile = join(logs, 'node.log')
  const { node } = await openNode(folder, logFile)
  await stopAll([node], async () => {
    for (let run = 1; run <= runs; run++) {
      let [made, grown] = [0, 0]
      const kept = await withNode(node, loaded, async () => {
        disk.fill(Math.random() < 0.5 ? 0 : someRoom(fewBytes))
        const height = await heightOf(node)
        await delay(fullFor)
        made = (await heightOf(node)) - height
        const { size } = statSync(logFile)
        disk.free()
        await advance([node], 2)
        grown = statSync(logFile).size - size
      })
      checks.equal(`log, run ${run}: blocks go on`, made > 0, true)
      checks.equal(`log, run ${run}: the log goes on when there is room`, grown > 0, true)
      checks.equal(`log, run ${run}: it lives, and what it acknowledged is there`, kept, true)
    }
  }).finally(disk.close)
}

async function fillManager({ checks, folder, runs, loaded }: Place): Promise<void> {
  const store = join(folder, 'manager')
  const disk = mount(store, 128)
  const manager = await openManager(store)
  await stopAll([manager.process], async () => {
    for (let run = 1; run <= runs; run++) {
      await manager.start()
      const load = loaded ? manager.startLoad() : undefined
      const before = await manager.store()
      await delay(Math.random() * 500)
      disk.fill(someRoom())
      // Refused or stored: what is stored must be there.
      const meanwhile = loaded ? undefined : await manager.store().catch(() => undefined)
      await delay(fullFor)
      const alive = manager.process.pid() !== undefined
      disk.free()
      const after = await manager.storeAtLast()
      let missing = (await load?.finish()) ?? 0
      await manager.process.stop()
      await manager.start()
      for (const one of [before, meanwhile, after]) if (one && !(await manager.has(one))) missing++
      await manager.process.stop()
      checks.equal(`manager, run ${run}: it lives, and goes on`, alive, true)
      checks.equal(`manager, run ${run}: what it acknowledged is there, also after a restart`, missing, 0)
      if (load) checks.note(`${load.acknowledged} payloads stored, ${load.refused} refused`)
    }
  }).finally(disk.close)
}

async function fillBackup({ checks, folder, runs, loaded }: Place): Promise<void> {
  const target = join(folder, 'backups')
  const disk = mount(target, 192)
  const { node, data, command } = await openNode(folder, join(folder, 'node.log'))
  const [backup, restored] = [join(target, 'backup'), join(folder, 'restored')]
  const make = () => command(`--data-path=${data}`, 'backup', `--to=${backup}`)
  await stopAll([node], async () => {
    for (let run = 1; run <= runs; run++) {
      const kept = await withNode(node, loaded, async () => {
        disk.fill(someRoom(smallBackup))
        const refused = await make()
        checks.equal(
          `backup, run ${run}: is refused by a full disk, with a sentence`,
          [refused.code, refused.stderr !== ''],
          [1, true],
        )
        checks.equal(`backup, run ${run}: nothing of it is left`, readdirSync(target), ['ballast'])
        disk.free()
        const height = await heightOf(node)
        const made = await make()
        checks.equal(`backup, run ${run}: is made when there is room`, made, { ...made, code: 0, stderr: '' })
        mkdirSync(restored)
        const back = await command(`--data-path=${restored}`, 'restore', `--from=${backup}`)
        const head = Number(/head (\d+)/.exec(back.stdout)?.[1])
        checks.equal(`backup, run ${run}: has all blocks`, [back.code, head >= height], [0, true])
        for (const one of [backup, restored]) if (existsSync(one)) rmSync(one, { recursive: true })
      })
      checks.equal(`backup, run ${run}: the node lives, and what it acknowledged is there`, kept, true)
    }
  }).finally(disk.close)
}

const places: Readonly<Record<string, (place: Place) => Promise<void>>> = {
  data: fillData,
  log: fillLog,
  manager: fillManager,
  backup: fillBackup,
}

export const fullDisk: Suite = {
  name: 'full-disk',
  doc: 'disks of data, log, manager and backup fill up, 20 times each with and without load (--only data,… ; --fast: twice)',
  onlyByName: true,
  whyNot() {
    const folder = mkdtempSync(join(tmpdir(), 'quoin-disk-'))
    const disk = mountSmallDisk(folder, 1)
    disk?.close()
    rmSync(folder, { recursive: true })
    return disk ? undefined : 'this user may not mount file systems'
  },
  async run({ checks, folder, only, fast }) {
    for (const [name, fill] of Object.entries(places)) {
      if (only.length > 0 && !only.includes(name)) continue
      for (const loaded of [false, true]) {
        checks.note(`${name}, ${loaded ? 'with' : 'without'} load`)
        const own = join(folder, `${name}-${loaded ? 'loaded' : 'idle'}`)
        mkdirSync(own)
        await fill({ checks, folder: own, runs: fast ? fastRuns : runs, loaded })
      }
    }
  },
}
