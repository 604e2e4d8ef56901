import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { netns } from '../netlab/netns.ts'
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
import type { Interop } from './interop.ts'
import { migration, migrationToday } from './migration.ts'
import { migrationGeth } from './migrationGeth.ts'
import { openzeppelin } from './openzeppelin.ts'
import { whyMissing } from './peerProgram.ts'
import { permissioning } from './permissioning.ts'
import { privacy } from './privacy.ts'
import { privacyClient } from './privacyClient.ts'
import { privacyFlexible } from './privacyFlexible.ts'
import { privacyManager } from './privacyManager.ts'
import { recovery } from './recovery.ts'
import { snap } from './snap.ts'
import { tracers } from './tracers.ts'
import { traces } from './traces.ts'
import { web3py } from './web3py.ts'

const tests: readonly Interop[] = [
  foundry,
  hardhat,
  openzeppelin,
  browser,
  clients,
  web3py,
  ape,
  bundler,
  caliper,
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

function optionOf(args: string[], name: string, otherwise: string): string {
  const at = args.indexOf(`--${name}`)
  return at < 0 ? otherwise : (args.splice(at, 2)[1] ?? otherwise)
}

/** Why a program that a test needs cannot be had, undefined when all can. */
function whyPeersMissing({ needs = [] }: Interop, peersDir: string): string | undefined {
  if (needs.length > 0 && !existsSync(peersDir))
    return `there are no programs to test against in ${peersDir}; --peers names another folder`
  return needs.map((program) => whyMissing(program, peersDir)).find((why) => why !== undefined)
}

async function main(args: string[]): Promise<number> {
  const peersDir = resolve(packageRoot, optionOf(args, 'peers', '../shared/peers'))
  const basePort = Number(optionOf(args, 'base-port', '24000'))
  const openzeppelinDir = optionOf(args, 'openzeppelin', '') || undefined
  const openzeppelinTests = optionOf(args, 'openzeppelin-tests', '').split(',').filter(Boolean)
  const only = optionOf(args, 'only', '').split(',').filter(Boolean)
  const seconds = Number(optionOf(args, 'seconds', '')) || undefined
  const jsonFile = optionOf(args, 'json', join(packageRoot, 'build/interop.json'))
  const options = { peersDir, basePort, openzeppelinDir, openzeppelinTests, only, seconds, jsonFile }
  const chosen = args.map((name) => tests.find((test) => test.name === name))
  if (chosen.length === 0 || chosen.includes(undefined)) {
    process.stdout.write(usage())
    return 1
  }
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  let [passed, failed] = [0, 0]
  for (const test of chosen as readonly Interop[]) {
    const reason = whyPeersMissing(test, peersDir) ?? (await test.whyNot?.(options))
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
  print(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
process.exitCode = await main(process.argv.slice(2))
