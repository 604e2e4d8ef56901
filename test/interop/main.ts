import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { netns } from '../netlab/netns.ts'
import { countOf, namedOf, runCampaign, type Tally } from '../support/runCampaign.ts'
import { ape } from './ape.ts'
import { ibft2, qbft } from './authority.ts'
import { besu } from './besu.ts'
import { besuGenesis } from './besuGenesis.ts'
import { besuToday } from './besuToday.ts'
import { besuUpgrade } from './besuUpgrade.ts'
import { browser } from './browser.ts'
import { bundler } from './bundler.ts'
import { caliper } from './caliper/caliper.ts'
import { createChecks } from './checks.ts'
import { clients } from './clients.ts'
import { clique } from './clique.ts'
import { devp2p } from './devp2p.ts'
import { foundry } from './foundry.ts'
import { geth } from './geth.ts'
import { hardhat } from './hardhat.ts'
import type { Interop, InteropOptions } from './interop.ts'
import { migration, migrationToday } from './migration.ts'
import { migrationGeth } from './migrationGeth.ts'
import { openzeppelin } from './openzeppelin.ts'
import { whyMissing } from './peerProgram.ts'
import { permissioning } from './permissioning.ts'
import { ponder } from './ponder.ts'
import { privacy } from './privacy.ts'
import { privacyClient } from './privacyClient.ts'
import { privacyFlexible } from './privacyFlexible.ts'
import { privacyManager } from './privacyManager.ts'
import { recovery } from './recovery.ts'
import { safe } from './safe.ts'
import { snap } from './snap.ts'
import { tracers } from './tracers.ts'
import { traces } from './traces.ts'
import { verify } from './verify.ts'
import { web3j } from './web3j.ts'
import { web3py } from './web3py.ts'

const tests: readonly Interop[] = [
  foundry,
  hardhat,
  verify,
  openzeppelin,
  browser,
  clients,
  web3py,
  web3j,
  ape,
  bundler,
  caliper,
  safe,
  ponder,
  geth,
  devp2p,
  besu,
  besuToday,
  besuGenesis,
  besuUpgrade,
  clique,
  qbft,
  ibft2,
  permissioning,
  netns,
  migration,
  migrationToday,
  migrationGeth,
  recovery,
  snap,
  traces,
  tracers,
  privacyManager,
  privacyClient,
  privacy,
  privacyFlexible,
]

function usage(): string {
  const list = tests.map(({ name, doc }) => `  ${name.padEnd(15)}  ${doc}`)
  return [
    'npm run interop -- NAME… [--peers DIR] [--base-port N] [--openzeppelin DIR [--openzeppelin-tests FILE,…]]',
    '       [--only TEXT,…] [--seconds N] [--json FILE]',
    '',
    ...list,
    '',
  ].join('\n')
}

/** Why a program that a test needs cannot be had, undefined when all can. */
function whyPeersMissing({ needs = [] }: Interop, peersDir: string): string | undefined {
  if (needs.length > 0 && !existsSync(peersDir))
    return `there are no programs to test against in ${peersDir}; --peers names another folder`
  return needs.map((program) => whyMissing(program, peersDir)).find((why) => why !== undefined)
}

async function run(chosen: readonly Interop[], options: InteropOptions): Promise<Tally> {
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  let [passed, failed] = [0, 0]
  for (const test of chosen) {
    const reason = whyPeersMissing(test, options.peersDir) ?? (await test.whyNot?.(options))
    if (reason) {
      print(`${test.name}: nothing was tested: ${reason}`)
      continue
    }
    const folder = mkdtempSync(join(tmpdir(), `quoin-interop-${test.name}-`))
    const checks = createChecks((line) => print(`${test.name}: ${line}`))
    await checks.step('runs to its end', () => test.run({ ...options, checks, folder }))
    passed += checks.passed
    failed += checks.failed
    if (checks.failed === 0) rmSync(folder, { recursive: true, force: true })
    else print(`${test.name}: what was written is kept in ${folder}`)
  }
  return { passed, failed }
}

const text = { type: 'string' } as const

await runCampaign({
  usage: usage(),
  options: {
    ...{ peers: text, 'base-port': text, openzeppelin: text, 'openzeppelin-tests': text },
    ...{ only: text, seconds: text, json: text },
  },
  words: Infinity,
  run({ values, positionals }) {
    if (positionals.length === 0) return undefined
    return run(namedOf('test', tests, positionals), {
      peersDir: resolve(packageRoot, values.peers ?? '../shared/peers'),
      basePort: countOf('base-port', values['base-port'], 24_000, 1024, 60_000),
      openzeppelinDir: values.openzeppelin || undefined,
      openzeppelinTests: values['openzeppelin-tests']?.split(',').filter(Boolean) ?? [],
      only: values.only?.split(',').filter(Boolean) ?? [],
      seconds: values.seconds === undefined ? undefined : countOf('seconds', values.seconds, 0, 1, 3600),
      jsonFile: values.json ?? join(packageRoot, 'build/interop.json'),
    })
  },
})
