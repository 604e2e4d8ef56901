import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { createChecks } from '../interop/checks.ts'
import { chart } from './chart/chart.ts'
import { coldLoadSuite } from './coldLoad.ts'
import { docs } from './docs/docs.ts'
import { examples } from './examples.ts'
import { explorer } from './explorer/explorer.ts'
import { explorerMore } from './explorer/explorerMore.ts'
import { explorerScale } from './explorer/explorerScale.ts'
import { incidents } from './explorer/incidents.ts'
import { otterscan } from './explorer/otterscan.ts'
import { floods } from './floods/floods.ts'
import { fullDisk } from './fullDisk/fullDisk.ts'
import { hostileCodeSuite } from './hostileContracts.ts'
import { limpSuite } from './limp/limp.ts'
import { nodes } from './nodes/nodes.ts'
import { periodsSuite } from './periods.ts'
import { sizes } from './sizes.ts'
import { strangersSuite } from './strangers.ts'
import type { Suite } from './suite.ts'
import { tokensSuite } from './tokens/tokens.ts'
import { twinsSuite } from './twins/twins.ts'

const suites: readonly Suite[] = [
  docs,
  examples,
  explorer,
  explorerMore,
  explorerScale,
  incidents,
  otterscan,
  nodes,
  sizes,
  floods,
  hostileCodeSuite,
  strangersSuite,
  fullDisk,
  limpSuite,
  periodsSuite,
  coldLoadSuite,
  chart,
  twinsSuite,
  tokensSuite,
]

function usage(): string {
  const list = suites.map(({ name, doc }) => `  ${name.padEnd(14)}  ${doc}`)
  return ['npm run e2e -- [NAME…] [--only TEXT,…] [--fast] [--peers DIR]', '', ...list, ''].join('\n')
}

function takeOption(args: string[], name: string): string {
  const at = args.indexOf(`--${name}`)
  return at < 0 ? '' : (args.splice(at, 2)[1] ?? '')
}

function takeFlag(args: string[], name: string): boolean {
  const at = args.indexOf(`--${name}`)
  return at >= 0 && args.splice(at, 1).length > 0
}

async function main(args: string[]): Promise<number> {
  const fast = takeFlag(args, 'fast')
  const only = takeOption(args, 'only').split(',').filter(Boolean)
  const peersDir = resolve(packageRoot, takeOption(args, 'peers') || '../shared/peers')
  const chosen = args.map((name) => suites.find((suite) => suite.name === name))
  if (chosen.includes(undefined)) {
    process.stdout.write(usage())
    return 1
  }
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  let [passed, failed] = [0, 0]
  for (const suite of args.length ? (chosen as readonly Suite[]) : suites.filter(({ onlyByName }) => !onlyByName)) {
    const reason = suite.whyNot?.()
    if (reason) {
      print(`${suite.name}: nothing was tested: ${reason}`)
      // Who asks for a suite by name wants it to run.
      if (args.length > 0) failed++
      continue
    }
    const folder = mkdtempSync(join(tmpdir(), `quoin-e2e-${suite.name}-`))
    const checks = createChecks((line) => print(`${suite.name}: ${line}`))
    await checks.step('runs to its end', () => suite.run({ checks, folder, only, fast, peersDir }))
    passed += checks.passed
    failed += checks.failed
    if (checks.failed === 0) rmSync(folder, { recursive: true, force: true })
    else print(`${suite.name}: what was written is kept in ${folder}`)
  }
  print(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
process.exitCode = await main(process.argv.slice(2))
