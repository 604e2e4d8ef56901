import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import { outputOf, runCommand } from './command.ts'
import { hardhatName, quietly } from './hardhatProject.ts'
import type { Interop, InteropTerms } from './interop.ts'
import { openzeppelinDifferences } from './openzeppelinDifferences.ts'
import { type ToolChain, withDevChain, withSigner } from './toolChain.ts'

/** The project with its packages and compiled contracts: it stays for the next run. */
const project = join(tmpdir(), 'quoin-interop/openzeppelin')

/** Seconds that a call may take: some make thousands of blocks. */
const patience = 600
/** Accounts that the tests use. */
const count = '20'

/** What the project's own configuration lacks: the compiler from npm, and this node as a network. */
const config = `const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names')
const { extendProvider, subtask } = require('hardhat/config')
const { ProviderWrapper } = require('hardhat/plugins')
const config = require('./hardhat.config.js')
const solc = require('solc')
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async ({ solcVersion }) => (
  { compilerPath: require.resolve('solc/soljson.js'), isSolcJs: true, version: solcVersion, longVersion: solc.version() }))
// Tests send transactions side by side, of which one changes what the other costs. In Hardhat's own network each has the gas of a
// whole block; here each has more than was estimated for it.
const estimates = new Set()
class Ample extends ProviderWrapper {
  async request({ method, params }) {
    const [tx, ...rest] = params ?? []
    const ample = method === 'eth_sendTransaction' && estimates.has(tx.gas)
    const gas = ample ? { gas: '0x' + (Number(tx.gas) + 1_000_000).toString(16) } : {}
    const result = await this._wrappedProvider.request({ method, params: ample ? [{ ...tx, ...gas }, ...rest] : params })
    if (method === 'eth_estimateGas') estimates.add(result)
    return result
  }
}
extendProvider(async (provider) => new Ample(provider))
module.exports = {
  ...config,
  networks: { ...config.networks, quoin: { url: process.env.QUOIN_URL, accounts: 'remote', timeout: ${patience}_000 } },
  mocha: { timeout: ${patience}_000, reporter: 'json', reporterOptions: { output: process.env.QUOIN_REPORT } },
}
`

async function npm(...args: readonly string[]): Promise<void> {
  await outputOf('npm', [...args, '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: project })
}

/** Runs Hardhat in the project. */
function hardhat(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const program = join(project, 'node_modules/.bin/hardhat')
  return runCommand(program, ['--config', 'quoin.config.js', ...args], { cwd: project, env: { ...quietly, ...env } })
}

/** Copies a release, fetches its packages and compiles its contracts, which takes minutes. */
async function prepare(source: string): Promise<void> {
  rmSync(project, { recursive: true, force: true })
  cpSync(source, project, { recursive: true, filter: (path) => !/node_modules|\.git$/.test(path) })
  const version = /default: '(0\.8\.\d+)'/.exec(readFileSync(join(project, 'hardhat.config.js'), 'utf8'))?.[1]
  await npm('ci')
  await npm('install', '--no-save', '--legacy-peer-deps', `solc@${version}`)
  writeFileSync(join(project, 'quoin.config.js'), config)
  const { code, stdout, stderr } = await hardhat(['compile'], { NODE_OPTIONS: '--max-old-space-size=8000' })
  if (code !== 0) throw new Error(`hardhat compile: ${`${stdout}${stderr}`.slice(-700)}`)
  writeFileSync(join(project, 'quoin.ready'), source)
}

/** A test as Mocha's JSON report has it. */
interface Report {
  readonly stats: { readonly passes: number; readonly failures: number; readonly pending: number }
  readonly failures: readonly { readonly fullTitle: string; readonly err: { readonly message?: string } }[]
}

async function runTests({ checks, folder, openzeppelinTests }: InteropTerms, { url }: ToolChain): Promise<void> {
  const report = join(folder, 'report.json')
  const { stdout, stderr } = await hardhat(['test', '--no-compile', '--network', 'quoin', ...openzeppelinTests], {
    QUOIN_URL: url,
    QUOIN_REPORT: report,
  })
  if (!existsSync(report)) throw new Error(`no report: ${(stdout + stderr).slice(-700)}`)
  const { stats, failures } = JSON.parse(readFileSync(report, 'utf8')) as Report
  checks.note(`${stats.passes} passing, ${stats.failures} failing, ${stats.pending} pending`)
  const reasons = new Map(openzeppelinDifferences.flatMap(({ tests, reason }) => tests.map((test) => [test, reason])))
  for (const { fullTitle, err } of failures) {
    const reason = reasons.get(fullTitle)
    if (reason === undefined) checks.equal(fullTitle, err.message?.slice(0, 300) ?? 'failed', 'passing')
    else checks.note(`${fullTitle}: ${reason}`)
  }
  checks.equal('tests that pass', stats.passes > 0, true)
  const failed = new Set(failures.map(({ fullTitle }) => fullTitle))
  const stale = [...reasons.keys()].filter((test) => !failed.has(test))
  if (openzeppelinTests.length === 0) checks.equal('tests that have a reason to fail, and pass', stale, [])
}

const isReady = () => existsSync(join(project, 'quoin.ready'))

export const openzeppelin: Interop = {
  name: 'openzeppelin',
  doc: "OpenZeppelin Contracts' own tests on a development network, through Hardhat; about 8,000, which takes a while.",
  async whyNot({ openzeppelinDir }) {
    if (isReady() || (openzeppelinDir && existsSync(join(openzeppelinDir, 'hardhat.config.js')))) return undefined
    return '--openzeppelin must name a folder with github.com/OpenZeppelin/openzeppelin-contracts at v5.7.0'
  },
  async run(terms) {
    const { checks, folder, openzeppelinDir } = terms
    if (!isReady()) await checks.step('contracts are compiled', () => prepare(openzeppelinDir!))
    writeFileSync(join(project, 'quoin.config.js'), config)
    const chainOptions = ['--dev-fork=osaka', `--dev-accounts=${count}`, ...hardhatName]
    const signerOptions = [`--accounts=${count}`, `--node-timeout=${patience}`]
    await withDevChain(
      folder,
      async (chain) => {
        // The first account of the signer is Besu's and has 200 ether; in Hardhat's own network each has 10,000.
        await chain.call('hardhat_setBalance', `0x${devAccounts[0].address}`, `0x${(10n ** 22n).toString(16)}`)
        await withSigner(folder, chain, (signer) => runTests(terms, signer), signerOptions)
      },
      chainOptions,
    )
  },
}
