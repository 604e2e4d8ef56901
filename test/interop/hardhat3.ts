import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Checks } from './checks.ts'
import { runCommand } from './command.ts'
import { hardhatName, keys, quietly, writeProject } from './hardhatProject.ts'
import { createPackages } from './packages.ts'
import { type ToolChain, withDevChain, withQbftChain, withSigner } from './toolChain.ts'

const solc = '0.8.34'
/** Hardhat 3 needs a newer Node.js than Quoin; where this one is too old, that comes from npm too, and what npm leaves out for it. */
const runtime = `node-${process.platform}-${process.arch}`
const ownNode = Number(process.versions.node.split('.')[0]) >= 22

export const hardhat3Packages = createPackages('hardhat3', [
  'hardhat@3.18.0',
  '@nomicfoundation/hardhat-toolbox-viem@5.0.7',
  '@nomicfoundation/hardhat-toolbox-mocha-ethers@3.0.7',
  'viem@2.57.1',
  `solc@${solc}`,
  ...(ownNode ? [] : [`${runtime}@24.21.0`, `@nomicfoundation/edr-${process.platform}-${process.arch}-gnu@0.22.0`]),
])

const modules = join(hardhat3Packages.folder, 'node_modules')
const node = ownNode ? process.execPath : join(modules, runtime, 'bin/node')

const config = (toolbox: string) => `import toolbox from '${toolbox}'
import { defineConfig } from 'hardhat/config'
const network = { type: 'http', chainType: 'l1', url: process.env.QUOIN_URL ?? 'http://127.0.0.1:8545' }
export default defineConfig({
  plugins: [toolbox],
  solidity: { version: '${solc}', path: ${JSON.stringify(join(modules, 'solc/soljson.js'))} },
  networks: {
    quoin: { ...network, accounts: ${keys} },
    remote: { ...network, accounts: 'remote' },
  },
})
`

const viemScript = `import { network } from 'hardhat'
const { viem } = await network.create()
const publicClient = await viem.getPublicClient()
const [sender, other] = await viem.getWalletClients()
const hash = await sender.sendTransaction({ to: other.account.address, value: 1n })
const { status } = await publicClient.waitForTransactionReceipt({ hash })
const counter = await viem.deployContract('Counter')
await publicClient.waitForTransactionReceipt({ hash: await counter.write.incBy([8n]) })
console.log(status, await counter.read.x())
`

const ethersScript = `import { network } from 'hardhat'
const { ethers } = await network.create()
const [sender, other] = await ethers.getSigners()
const { status } = await (await sender.sendTransaction({ to: other.address, value: 1n })).wait()
const counter = await ethers.deployContract('Counter')
await counter.waitForDeployment()
await (await counter.incBy(8)).wait()
console.log(status === 1 ? 'success' : status, await counter.x())
`

/** Hardhat 3's helpers for tests, with Node.js's test runner and with Mocha alike. */
const helpers = (runner: string) => `import assert from 'node:assert/strict'
import { network } from 'hardhat'
${runner}
describe('helpers', async () => {
  const { networkHelpers, provider } = await network.create()
  const { time } = networkHelpers
  const guest = '0x00000000000000000000000000000000000000aa'
  const balance = () => provider.request({ method: 'eth_getBalance', params: [guest, 'latest'] })
  it('move the time', async () => {
    const before = await time.latest()
    await time.increase(3600)
    assert.equal((await time.latest()) >= before + 3600, true)
    await time.increaseTo(before + 10000)
    assert.equal(await time.latest(), before + 10000)
  })
  it('mine', async () => {
    const before = await time.latestBlock()
    await networkHelpers.mine(5)
    assert.equal(await time.latestBlock(), before + 5)
  })
  it('change accounts and go back', async () => {
    const snapshot = await networkHelpers.takeSnapshot()
    await networkHelpers.setBalance(guest, 5n)
    await networkHelpers.setCode(guest, '0x00')
    await networkHelpers.setStorageAt(guest, 1, 7)
    assert.equal(await balance(), '0x5')
    assert.equal(Number(await networkHelpers.getStorageAt(guest, 1)), 7)
    await snapshot.restore()
    assert.equal(await balance(), '0x0')
  })
  it('impersonate', async () => {
    await networkHelpers.setBalance(guest, 10n ** 18n)
    await networkHelpers.impersonateAccount(guest)
    const tx = { from: guest, to: guest, value: '0x1', gas: '0x5208', gasPrice: '0x3b9aca00' }
    const hash = await provider.request({ method: 'eth_sendTransaction', params: [tx] })
    await networkHelpers.mine()
    const { status } = await provider.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    assert.equal(status, '0x1')
    await networkHelpers.stopImpersonatingAccount(guest)
  })
  it('load fixtures', async () => {
    async function fixture() {
      await networkHelpers.mine()
      return time.latestBlock()
    }
    const first = await networkHelpers.loadFixture(fixture)
    await networkHelpers.mine(3)
    assert.equal(await networkHelpers.loadFixture(fixture), first)
    assert.equal(await time.latestBlock(), first)
  })
})
`

/** A sample project of Hardhat 3, what its tests are run by, and what its toolbox adds. */
interface Sample {
  readonly template: string
  readonly toolbox: string
  readonly runner: 'nodejs' | 'mocha'
  readonly script: string
  readonly imports: string
}

const samples: readonly Sample[] = [
  {
    template: '01-node-test-runner-viem',
    toolbox: '@nomicfoundation/hardhat-toolbox-viem',
    runner: 'nodejs',
    script: viemScript,
    imports: "import { describe, it } from 'node:test'",
  },
  {
    template: '02-mocha-ethers',
    toolbox: '@nomicfoundation/hardhat-toolbox-mocha-ethers',
    runner: 'mocha',
    script: ethersScript,
    imports: '',
  },
]

function sampleProject({ template, toolbox, script, imports }: Sample): string {
  const files = {
    'package.json': '{"private":true,"type":"module"}',
    'hardhat.config.ts': config(toolbox),
    'scripts/send.ts': script,
    'helpers/helpers.ts': helpers(imports),
  }
  const folder = writeProject(
    join(hardhat3Packages.folder, template),
    files,
    join(modules, 'hardhat/templates', template),
  )
  // Tests in Solidity run in Hardhat's own network, and need a library that is not on npm.
  rmSync(join(folder, 'contracts/Counter.t.sol'))
  return folder
}

/** Hardhat 3's sample projects: tests, a script, a deployment, helpers for tests. */
export async function runHardhat3(checks: Checks, folder: string): Promise<void> {
  for (const sample of samples) {
    const cwd = sampleProject(sample)
    const name = `Hardhat 3, ${sample.template}`
    async function hardhat(
      { url }: ToolChain,
      args: readonly string[],
      expected: RegExp,
      network = 'quoin',
    ): Promise<void> {
      const program = join(modules, 'hardhat/dist/src/cli.js')
      const env = { ...quietly, QUOIN_URL: url }
      const { stdout, stderr } = await runCommand(node, [program, ...args, '--network', network], { cwd, env })
      const right = expected.test(stdout)
      checks.equal(`${name}: ${args.slice(0, 3).join(' ')}`, right ? expected : (stdout + stderr).slice(-700), expected)
    }
    const module = 'ignition/modules/Counter.ts'
    await withDevChain(join(folder, sample.runner), (chain) => hardhat(chain, ['test', sample.runner], /\b2 passing/))
    await withQbftChain(join(folder, sample.runner), (chain) =>
      hardhat(chain, ['run', 'scripts/send.ts'], /success 8n/),
    )
    await withDevChain(
      join(folder, `${sample.runner}-helpers`),
      async (chain) => {
        await hardhat(chain, ['run', 'scripts/send.ts'], /success 8n/)
        await hardhat(chain, ['ignition', 'deploy', module], /CounterModule#Counter - 0x/)
        // With keys of its own Hardhat sends for no other account; behind the signer impersonated ones reach the node.
        await withSigner(folder, chain, (signer) =>
          hardhat(signer, ['test', sample.runner, 'helpers/helpers.ts'], /\b5 passing/, 'remote'),
        )
      },
      hardhatName,
    )
  }
}
