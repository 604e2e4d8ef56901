import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { createChecks } from '../interop/checks.ts'
import { namedOf, runCampaign, type Tally } from '../support/runCampaign.ts'
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
import { nodes, packed } from './nodes/nodes.ts'
import { periodsSuite } from './periods.ts'
import { sizes } from './sizes.ts'
import { snapSuite } from './snap/snap.ts'
import { strangersSuite } from './strangers.ts'
import type { Suite, SuiteTerms } from './suite.ts'
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
  packed,
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
  snapSuite,
]

function usage(): string {
  const list = suites.map(({ name, doc }) => `  ${name.padEnd(14)}  ${doc}`)
  return ['npm run e2e -- [NAME…] [--only TEXT,…] [--fast] [--peers DIR]', '', ...list, ''].join('\n')
}

async function run(
  chosen: readonly Suite[],
  areNamed: boolean,
  terms: Omit<SuiteTerms, 'checks' | 'folder'>,
): Promise<Tally> {
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  let [passed, failed] = [0, 0]
  for (const suite of chosen) {
    const reason = suite.whyNot?.()
    if (reason) {
      print(`${suite.name}: nothing was tested: ${reason}`)
      // Who asks for a suite by name wants it to run.
      if (areNamed) failed++
      continue
    }
    const folder = mkdtempSync(join(tmpdir(), `quoin-e2e-${suite.name}-`))
    const checks = createChecks((line) => print(`${suite.name}: ${line}`))
    await checks.step('runs to its end', () => suite.run({ ...terms, checks, folder }))
    passed += checks.passed
    failed += checks.failed
    if (checks.failed === 0) rmSync(folder, { recursive: true, force: true })
    else print(`${suite.name}: what was written is kept in ${folder}`)
  }
  return { passed, failed }
}

await runCampaign({
  usage: usage(),
  options: { fast: { type: 'boolean' }, only: { type: 'string' }, peers: { type: 'string' } },
  words: Infinity,
  run({ values, positionals }) {
    const named = namedOf('suite', suites, positionals)
    return run(named.length > 0 ? named : suites.filter(({ onlyByName }) => !onlyByName), named.length > 0, {
      fast: values.fast ?? false,
      only: values.only?.split(',').filter(Boolean) ?? [],
      peersDir: resolve(packageRoot, values.peers ?? '../shared/peers'),
    })
  },
})
