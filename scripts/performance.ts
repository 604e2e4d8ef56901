// Writes docs/performance.md from the files that `npm run bench -- all --json DIR` and `npm run interop -- caliper --json DIR/caliper.json`
// have written: node dist/scripts/performance.js DIR
// A bench that was run with several settings has several files there: NAME.json, NAME-ANYTHING.json.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { benches } from '../bench/benches.ts'
import { performancePage } from '../bench/report/performancePage.ts'
import type { Report } from '../bench/report/report.ts'
import { packageRoot } from '../src/primitives/packageRoot.ts'
import { caliper } from '../test/interop/caliper/caliper.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: node dist/scripts/performance.js DIR')
const docs = new Map([caliper, ...benches].map(({ name, doc }) => [name, doc]))
const reports = readdirSync(resolve(folder))
  .filter((file) => file.endsWith('.json') && docs.has(file.replace(/(-.*)?\.json$/, '')))
  .sort()
  .map((file) => JSON.parse(readFileSync(join(resolve(folder), file), 'utf8')) as Report)
if (reports.length === 0) throw new Error(`${folder} holds no file of a bench`)
const page = join(packageRoot, 'docs/performance.md')
writeFileSync(page, performancePage(reports, docs, existsSync(page) ? readFileSync(page, 'utf8') : ''))
process.stdout.write(`docs/performance.md written from ${reports.length} benches\n`)
