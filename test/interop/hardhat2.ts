import { join } from 'node:path'
import type { Checks } from './checks.ts'
import { runCommand } from './command.ts'
import { hardhatName, keys, quietly, writeProject } from './hardhatProject.ts'
import { createPackages } from './packages.ts'
import { type ToolChain, withDevChain, withQbftChain, withSigner } from './toolChain.ts'

const solc = '0.8.28'

/** Packages of a project, with the compiler from npm, because Hardhat's own download may not be reachable. */
export const hardhat2Packages = createPackages('hardhat2', [
  'hardhat@2.28.6',
  '@nomicfoundation/hardhat-toolbox@6.1.2',
  'viem@2.57.1',
  `solc@${solc}`,
])

const contract = `// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;
contract Counter {
  event Changed(address indexed who, uint256 value);
  uint256 public value;
  mapping(address => uint256) public changes;
  function set(uint256 next) external {
    require(next <= 1000, "too large");
    value = next;
    changes[msg.sender] += 1;
    emit Changed(msg.sender, next);
  }
}
`

/** The configuration of a sample project, with the compiler and the network added. */
const config = `const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names')
const { subtask } = require('hardhat/config')
const sample = require('./sample.config.js')
const solc = require('solc')
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => (
  { compilerPath: require.resolve('solc/soljson.js'), isSolcJs: true, version: '${solc}', longVersion: solc.version() }))
module.exports = {
  ...sample,
  networks: {
    quoin: { url: process.env.QUOIN_URL, accounts: ${keys} },
    remote: { url: process.env.QUOIN_URL, accounts: 'remote' },
  },
}
`

const sampleConfig = `require('@nomicfoundation/hardhat-toolbox')
module.exports = { solidity: '${solc}' }
`

const tests = `const { expect } = require('chai')
describe('Counter', () => {
  let counter
  before(async () => {
    counter = await (await ethers.getContractFactory('Counter')).deploy()
    await counter.waitForDeployment()
  })
  it('changes and tells', async () => {
    const receipt = await (await counter.set(5)).wait()
    expect([receipt.status, receipt.logs.length, await counter.value()]).deep.equal([1, 1, 5n])
  })
  it('estimates', async () => expect((await counter.set.estimateGas(7)) > 21000n).equal(true))
  it('says why it reverts', async () => {
    const message = await counter.set(2000).then(() => 'none', (error) => error.message)
    expect(message).match(/too large/)
  })
  it('has several signers', async () => {
    const [, other] = await ethers.getSigners()
    await (await counter.connect(other).set(9)).wait()
    expect(await counter.changes(other.address)).equal(1n)
  })
  it('finds events', async () => expect(await counter.queryFilter('Changed')).length(2))
})
`

const script = `async function main() {
  const counter = await ethers.deployContract('Counter')
  await counter.waitForDeployment()
  await (await counter.set(8)).wait()
  console.log('value', await counter.value())
}
main()
`

function counterProject(): string {
  return writeProject(join(hardhat2Packages.folder, 'counter'), {
    'package.json': '{"private":true,"type":"commonjs"}',
    'contracts/Counter.sol': contract,
    'hardhat.config.js': config,
    'sample.config.js': sampleConfig,
    'test/counter.js': tests,
    'scripts/deploy.js': script,
  })
}

/** The project that Hardhat 2 creates: Lock, which holds ether until a time. */
function lockProject(): string {
  const template = join(hardhat2Packages.folder, 'node_modules/hardhat/sample-projects/javascript')
  const files = {
    'package.json': '{"private":true,"type":"commonjs"}',
    'hardhat.config.js': config,
    'sample.config.js': sampleConfig,
  }
  return writeProject(join(hardhat2Packages.folder, 'lock'), files, template)
}

/** Runs Hardhat, and returns all that it prints. */
async function hardhat(cwd: string, { url }: ToolChain, ...args: readonly string[]): Promise<string> {
  const program = join(hardhat2Packages.folder, 'node_modules/.bin/hardhat')
  const { stdout, stderr } = await runCommand(program, args, { cwd, env: { ...quietly, QUOIN_URL: url } })
  return stdout + stderr
}

function checkMocha(checks: Checks, name: string, output: string, passing: number): void {
  const found = [/(\d+) passing/, /(\d+) failing/].map((count) => Number(count.exec(output)?.[1] ?? 0))
  checks.equal(`${name}: tests that pass and fail`, found, [passing, 0])
  if (found[1] !== 0 || found[0] !== passing) checks.note(output.slice(-700))
}

/** Hardhat 2: a project with ethers, and the sample project with the helpers for tests. */
export async function runHardhat2(checks: Checks, folder: string): Promise<void> {
  const counter = counterProject()
  const lock = lockProject()
  for (const withChain of [withDevChain, withQbftChain])
    await withChain(folder, async (chain) => {
      const name = `Hardhat 2, ${chain.name}`
      checkMocha(checks, name, await hardhat(counter, chain, 'test', '--network', 'quoin'), 5)
      const run = ['run', 'scripts/deploy.js', '--network']
      checks.equal(`${name}: script`, /value 8n/.test(await hardhat(counter, chain, ...run, 'quoin')), true)
      await withSigner(folder, chain, async (signer) => {
        const output = await hardhat(counter, signer, ...run, 'remote')
        checks.equal(`${name}: script with accounts of the signer`, /value 8n/.test(output), true)
      })
    })
  await withDevChain(
    join(folder, 'lock'),
    async (chain) => {
      const network = ['--network', 'quoin']
      // The sample counts from the time of the last block, which for the genesis block is 1970.
      await chain.call('evm_mine')
      checkMocha(checks, 'Hardhat 2, sample Lock', await hardhat(lock, chain, 'test', ...network), 9)
      const deployed = await hardhat(lock, chain, 'ignition', 'deploy', 'ignition/modules/Lock.js', ...network)
      checks.equal('Hardhat 2, sample Lock: ignition deploy', /LockModule#Lock - 0x/.test(deployed), true)
    },
    hardhatName,
  )
}
