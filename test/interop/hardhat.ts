import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { resolveConfig } from '../../src/config/resolveConfig.ts'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import { runNode } from '../../src/node/runNode.ts'
import { systemClock } from '../../src/primitives/clock.ts'
import { createSilentLogs } from '../support/silentLogs.ts'
import type { Interop } from './interop.ts'

/** Packages of a project, with the compiler from npm, because Hardhat's own download may not be reachable. */
const packages = [
  'hardhat@2.26.3',
  '@nomicfoundation/hardhat-ethers@3.1.0',
  'ethers@6',
  'mocha@11',
  'chai@4',
  'solc@0.8.28',
]

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

const config = `require('@nomicfoundation/hardhat-ethers')
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names')
const { subtask } = require('hardhat/config')
const solc = require('solc')
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => (
  { compilerPath: require.resolve('solc/soljson.js'), isSolcJs: true, version: '0.8.28', longVersion: solc.version() }))
const accounts = ${JSON.stringify(devAccounts.map(({ privateKey }) => `0x${privateKey}`))}
module.exports = {
  solidity: { version: '0.8.28', settings: { evmVersion: 'london' } },
  defaultNetwork: 'quoin',
  networks: { quoin: { url: process.env.QUOIN_URL, accounts } },
}
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

/** A project in the temporary folder; packages are fetched on first use and are no dependencies. */
function project(): string {
  const folder = join(tmpdir(), 'quoin-interop/hardhat')
  mkdirSync(join(folder, 'contracts'), { recursive: true })
  mkdirSync(join(folder, 'test'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"commonjs"}')
  writeFileSync(join(folder, 'contracts/Counter.sol'), contract)
  writeFileSync(join(folder, 'hardhat.config.js'), config)
  writeFileSync(join(folder, 'test/counter.js'), tests)
  if (!existsSync(join(folder, 'node_modules/.bin/hardhat'))) {
    const install = ['install', '--prefix', folder, '--no-save', '--legacy-peer-deps', ...packages]
    const { status, stderr } = spawnSync('npm', install, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`Hardhat cannot be had: ${stderr.slice(-300)}`)
  }
  return folder
}

export const hardhat: Interop = {
  name: 'hardhat',
  doc: "Hardhat's test flow on a development network: compile, deploy, call, revert, events.",
  async run({ checks, folder }) {
    const cwd = project()
    const flags = {
      'data-path': folder,
      'rpc-http-port': '0',
      'rpc-ws-enabled': 'false',
      'graphql-http-enabled': 'false',
    }
    const loggers = createSilentLogs()
    const node = await runNode(resolveConfig(new Map(Object.entries(flags)), {}).config, loggers, systemClock)
    try {
      const env = {
        ...process.env,
        QUOIN_URL: `http://127.0.0.1:${node.places.get('jsonrpc')!.port}`,
        HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
      }
      const child = spawn(join(cwd, 'node_modules/.bin/hardhat'), ['test'], { cwd, env })
      const output = await text(child.stdout)
      checks.equal('tests that pass', Number(/(\d+) passing/.exec(output)?.[1] ?? 0), 5)
      checks.equal('tests that fail', Number(/(\d+) failing/.exec(output)?.[1] ?? 0), 0)
    } finally {
      await node.stop()
    }
  },
}
