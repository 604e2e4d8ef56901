import { execFile } from 'node:child_process'
import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Random } from '../../fuzz/random.ts'
import { quoinProgram } from '../../interop/quoinProcess.ts'
import type { Seat } from './seat.ts'
import type { Pair, TwinNetwork } from './twinNetwork.ts'

/** What may lead a key to sign two things of which only one can be meant. */
export type Attempt =
  | 'a copied key'
  | 'a copied folder'
  | 'a folder set back'
  | 'a backup'
  | 'a clock set back'
  | 'a key server'

export const attempts: readonly Attempt[] = [
  'a copied key',
  'a copied folder',
  'a folder set back',
  'a backup',
  'a clock set back',
  'a key server',
]

export interface AttemptTerms {
  readonly network: TwinNetwork
  readonly folder: string
  readonly random: Random
}

const run = promisify(execFile)
const hour = 3_600_000
/** Copies of data of earlier times that are kept. */
const maxKept = 4

/** Makes attempts, and leaves the first places of both keys running each time. */
export function createAttempts({ network, folder, random }: AttemptTerms) {
  const { file, served, server } = network
  const kept = new Map<Pair, number>()
  const copyOf = (pair: Pair, index: number) => join(folder, `kept-${pair.address}-${index % maxKept}`)
  /** Between the times that a round takes and those that several take. */
  const wait = (least = 1000, most = 7000) => delay(random.between(least, most))

  /** Keeps the data of a process that does not run. */
  function keep(pair: Pair): void {
    const count = kept.get(pair) ?? 0
    pair.seats[0].keep(copyOf(pair, count))
    kept.set(pair, count + 1)
  }

  /** Data of an earlier time; what is there now if there is none. */
  function earlier(pair: Pair): string {
    const count = kept.get(pair)!
    return copyOf(pair, random.below(Math.min(count, maxKept)))
  }

  /** Two run for a while, then one of them; it is the first one in the end. */
  async function part([one, other]: Pair['seats']): Promise<void> {
    await wait()
    if (random.percent(50)) {
      await one.process.kill()
      // The other one may take its place, and is there when it comes back with what it knew.
      await wait(1000, 20_000)
      await one.start()
      await wait()
    }
    await other.process.kill()
  }

  async function copiedKey(pair: Pair): Promise<void> {
    const [, other] = pair.seats
    other.fill(pair.bare)
    await other.start()
    await part(pair.seats)
  }

  async function copiedFolder(pair: Pair): Promise<void> {
    const [one, other] = pair.seats
    await one.process.kill()
    keep(pair)
    other.fill(random.percent(70) ? one.data : earlier(pair))
    const first = random.percent(50) ? one : other
    const second = first === one ? other : one
    await first.start()
    await wait(0, 3000)
    await second.start()
    await part(pair.seats)
  }

  async function setBack(pair: Pair, clock: number): Promise<void> {
    const [one] = pair.seats
    await one.process.kill()
    keep(pair)
    if (clock === 0 || random.percent(50)) one.fill(earlier(pair))
    one.setClock(clock)
    await one.start()
    await wait(2000, 10_000)
    one.setClock(0)
    if (clock !== 0) await wait()
  }

  async function backup(pair: Pair): Promise<void> {
    const [one, other] = pair.seats
    const to = join(folder, 'backup.tar')
    rmSync(to, { force: true })
    await quoin(`--data-path=${one.data}`, 'backup', `--to=${to}`, '--with-key')
    rmSync(other.data, { recursive: true, force: true })
    await wait(0, 3000)
    await quoin(`--data-path=${other.data}`, 'restore', `--from=${to}`)
    cpSync(join(pair.bare, 'static-nodes.json'), join(other.data, 'static-nodes.json'))
    await other.start()
    await part(pair.seats)
  }

  const quoin = (...args: string[]) => run(process.execPath, [quoinProgram, ...args])

  async function keyServer(): Promise<void> {
    const story = random.below(4)
    if (story === 0) await copiedKey(served)
    else if (story === 1) await copiedFolder(served)
    else if (story === 2) await setBack(served, 0)
    else await setBack(served, -hour)
    await server.kill()
    await wait(0, 3000)
    await server.start()
  }

  return async (attempt: Attempt): Promise<void> => {
    switch (attempt) {
      case 'a copied key':
        return copiedKey(file)
      case 'a copied folder':
        return copiedFolder(file)
      case 'a folder set back':
        return setBack(file, 0)
      case 'a backup':
        return backup(file)
      case 'a clock set back':
        return setBack(file, -hour)
      case 'a key server':
        return keyServer()
    }
  }
}

/** Whether a process has said that another one has its key. */
export const hasNoticed = (seat: Seat): boolean => existsSync(seat.logFile) && /another process/.test(seat.log())
