import { createHash } from 'node:crypto'
import { closeSync, cpSync, openSync, readdirSync, readSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { verifyData } from '../../../src/maintenance/verifyData.ts'
import { openStore } from '../../../src/store/openStore.ts'
import { allTables } from '../../../src/store/schema.ts'
import type { Table } from '../../../src/store/table.ts'
import { withCampaignFolder } from '../../support/campaignFolder.ts'
import { devNetwork, fillChain } from '../../support/fillChain.ts'
import type { Tally } from '../../support/runCampaign.ts'
import { openTestChain } from '../../support/testChain.ts'
import type { Extent } from '../extent.ts'
import { createRandom, type Random } from '../random.ts'

/** Blocks of the chain whose database is damaged: lists of blocks overflow their rows. */
const blocks = 140

/** Damages copies of a database, one byte or one cut each: what `verify` does not find must have changed no row. */
export async function fuzzCorruption({ minutes, count, seed }: Extent): Promise<Tally> {
  return withCampaignFolder('corruption', async (folder) => {
    const sound = join(folder, 'sound')
    const node = openTestChain(undefined, sound)
    fillChain(node.chain, blocks)
    await node.close()
    const want = await digestOf(sound)
    const before = await verifyData(sound, devNetwork, () => {})
    if (before.findings.length > 0) throw new Error(`the sound database is refused: ${JSON.stringify(before.findings)}`)
    const end = performance.now() + minutes * 60_000
    const tally = { found: 0, harmless: 0, missed: 0 }
    for (let i = 0; i < count && performance.now() < end; i++) {
      const copy = join(folder, 'copy')
      rmSync(copy, { recursive: true, force: true })
      cpSync(sound, copy, { recursive: true })
      const deed = damage(copy, createRandom(seed + i))
      const found = await findingOf(copy)
      const outcome = found === undefined ? ((await digestOf(copy)) === want ? 'harmless' : 'missed') : 'found'
      tally[outcome]++
      if (outcome === 'missed') process.stdout.write(`seed ${seed + i}: ${deed} is served\n`)
    }
    const { found, harmless, missed } = tally
    process.stdout.write(`${statSync(join(sound, 'database/data.mdb')).size} bytes, ${want.slice(0, 16)}\n`)
    process.stdout.write(`${found} found, ${harmless} harmless\n`)
    return { passed: found + harmless, failed: missed }
  })
}

/** What the start or `verify` says about a database; undefined if it finds nothing. */
async function findingOf(path: string): Promise<string | undefined> {
  try {
    const { findings } = await verifyData(path, devNetwork, () => {})
    return findings[0]?.text
  } catch (error) {
    return (error as Error).message
  }
}

/** Changes one byte of a file of the database, or cuts it; says what was done. */
function damage(path: string, random: Random): string {
  const folder = join(path, 'database')
  const name = random.percent(97) ? 'data.mdb' : random.pick(readdirSync(folder))
  const file = join(folder, name)
  const { size } = statSync(file)
  const at = random.below(size)
  if (random.percent(10)) {
    truncateSync(file, at)
    return `${name} cut to ${at} of ${size} bytes`
  }
  const byte = Buffer.alloc(1)
  const descriptor = openSync(file, 'r+')
  readSync(descriptor, byte, 0, 1, at)
  const flip = random.between(1, 255)
  writeSync(descriptor, Buffer.of(byte[0]! ^ flip), 0, 1, at)
  closeSync(descriptor)
  return `byte ${at} of ${name} (page ${Math.floor(at / 4096)}, offset ${at % 4096}) changed from ${byte[0]} to ${byte[0]! ^ flip}`
}

/** A digest of every row of every table, as readers see them. */
async function digestOf(path: string): Promise<string> {
  const store = openStore(join(path, 'database'), { readOnly: true })
  try {
    const hash = createHash('sha256')
    store.read((reader) => {
      for (const table of allTables as readonly Table<unknown, unknown>[]) {
        hash.update(table.name)
        for (const [key, value] of reader.range(table, {}))
          hash.update(table.key.encode(key)).update('=').update(table.value.encode(value)).update(';')
      }
    })
    return hash.digest('hex')
  } finally {
    await store.close()
  }
}
