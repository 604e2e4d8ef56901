import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'

const lmdb = createRequire(import.meta.url).resolve('lmdb')

/** Reads every entry of every table. A page that is missing ends this process by a signal, hence a process of its own. */
const script = `
const { open } = require(process.argv[1])
const binary = { keyEncoding: 'binary', encoding: 'binary' }
const root = open({ ...binary, path: process.argv[2], readOnly: true, noSubdir: false, maxDbs: 128 })
const names = [...root.getRange({})].map(({ key }) => Buffer.from(key.subarray(0, -1)).toString())
for (const name of names) {
  const table = root.openDB(name, binary)
  for (const { value } of table.getRange({})) value.length
}
process.exit(0)
`

/** Whether all that the database of a folder holds can be read. */
export function scanInChild(path: string): boolean {
  return spawnSync(process.execPath, ['-e', script, lmdb, path], { stdio: 'ignore' }).status === 0
}
