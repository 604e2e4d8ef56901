import { createChecks } from '../../interop/checks.ts'
import type { Tally } from '../../support/runCampaign.ts'
import type { Extent } from '../extent.ts'
import { createRandom } from '../random.ts'
import { type HttpWorld, openHttpWorld, portKinds } from './httpWorld.ts'
import { openNodeWorld } from './nodeWorld.ts'
import { createQuestions, type Question } from './questions.ts'
import { visit } from './visit.ts'
import { visitWs } from './visitWs.ts'

/** Clients at the same time, and the maximum number of requests of one connection. */
const clients = 24
const maxRequests = 40
const tellEvery = 30_000
/** Faults that are shown. */
const maxShown = 20

/** Lets clients ask until `goesOn` is false; returns what is wrong, and how many requests there were. */
export async function visitAll(world: HttpWorld, seed: number, goesOn: (asked: number) => boolean) {
  const faults: string[] = []
  let asked = 0
  const shared: Question[] = []
  async function work(number: number): Promise<void> {
    const random = createRandom(seed * 1009 + number)
    const next = createQuestions(random, world, shared)
    while (goesOn(asked)) {
      const count = random.between(1, maxRequests)
      asked += count
      faults.push(...(await (world.isWebSocket ? visitWs : visit)(world, random, next, count)))
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, i) => work(i)))
  return { asked, faults }
}

/** Clients that pipeline, pause and split requests over each kind of port: each must get its own answers, in order. */
export async function fuzzHttp({ minutes, count, seed }: Extent): Promise<Tally> {
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  const checks = createChecks(print)
  print(`seed ${seed}`)
  const places = portKinds.flatMap((kind) => [
    { name: kind, open: () => openHttpWorld(kind) },
    { name: `${kind}, servers in a thread`, open: () => openNodeWorld(kind) },
  ])
  let answers = 0
  for (const { name, open } of places)
    await checks.step(`${name}: runs to its end`, async () => {
      const world = await open()
      const end = performance.now() + (minutes * 60_000) / places.length
      let told = performance.now()
      const { asked, faults } = await visitAll(world, seed, (asked) => {
        if (performance.now() > told + tellEvery) print(`${name}: ${asked} requests`)
        if (performance.now() > told + tellEvery) told = performance.now()
        return asked < count / places.length && performance.now() < end
      })
      for (const fault of faults.slice(0, maxShown)) print(fault)
      answers += world.answers()
      checks.equal(`${name}: ${asked} requests with ${world.answers()} calls have their own answers`, faults.length, 0)
      checks.equal(`${name}: nothing that no client has caused`, world.faults(), [])
      await world.close()
    })
  print(`${answers} answers`)
  return checks
}
