// `npm test`: sets up a fresh clone, checks style and generated pages, then runs every test.
// Closes with one line `N passed, N failed`; each check counts as one.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { buildAll, install, root } from './setup.mjs'

await install()
await buildAll()

const bin = (name) => join(root, 'node_modules/.bin', name)
const checks = [
  ['style', bin('biome'), ['check', '--error-on-warnings', '--max-diagnostics=20']],
  ['unused code', bin('knip'), []],
  ['generated pages', process.execPath, ['dist/scripts/docs.js', '--check']],
]

let passed = 0
let failed = 0
const run = (program, args) => spawnSync(program, args, { cwd: root, stdio: 'inherit' }).status === 0

// `--whole` runs what the usual run only samples. Other arguments name test files, as for vitest; then only those run.
const only = process.argv.slice(2).filter((argument) => argument !== '--whole')
if (process.argv.includes('--whole')) process.env.QUOIN_TEST_WHOLE = 'true'
for (const [name, program, args] of only.length ? [] : checks) {
  if (run(program, args)) passed++
  else {
    failed++
    process.stdout.write(`FAILED ${name}\n`)
  }
}

const report = join(root, 'build/vitest.json')
mkdirSync(join(root, 'build'), { recursive: true })
rmSync(report, { force: true })
const ok = run(bin('vitest'), ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...only])
const {
  numPassedTests = 0,
  numFailedTests = 0,
  testResults = [],
} = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {}
passed += numPassedTests
// A file that cannot even be loaded has no failed tests of its own, but is a failure all the same.
failed += numFailedTests || (ok ? 0 : 1)
// Once more, each in one line, because hundreds of lines stand between a failure and the end.
for (const { name, message, assertionResults } of testResults) {
  const show = (text) =>
    process.stdout.write(`FAILED ${relative(root, name)}: ${text.replace(/\s*\n\s*/g, ' | ').slice(0, 500)}\n`)
  if (message) show(message)
  for (const { status, fullName, failureMessages } of assertionResults)
    if (status === 'failed') show(`${fullName}: ${failureMessages.join('\n')}`)
}
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
