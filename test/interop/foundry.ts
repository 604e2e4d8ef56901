import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Checks } from './checks.ts'
import { outputOf, runCommand } from './command.ts'
import { writeFoundryProject } from './foundryProject.ts'
import type { Interop } from './interop.ts'
import { createPackages } from './packages.ts'
import { accounts, type ToolChain, withDevChain, withQbftChain, withSigner } from './toolChain.ts'

const version = '1.7.1'
const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
const packages = createPackages('foundry', [
  `@foundry-rs/cast-${platform}@${version}`,
  `@foundry-rs/forge-${platform}@${version}`,
  'solc@0.8.30',
])
const binary = (tool: string) => join(packages.folder, `node_modules/@foundry-rs/${tool}-${platform}/bin/${tool}`)

const [sender, other] = accounts as [(typeof accounts)[0], (typeof accounts)[0]]

/** The commands of Foundry, run against one chain. */
interface Foundry {
  /** Checks the output of `cast` with these arguments. */
  cast(args: readonly string[], expected: string | RegExp): Promise<string>
  forge(args: readonly string[], expected: RegExp, env?: NodeJS.ProcessEnv): Promise<string>
}

function createFoundry(checks: Checks, project: string, { name, url }: ToolChain): Foundry {
  async function check(tool: string, args: readonly string[], expected: string | RegExp, env: NodeJS.ProcessEnv) {
    // Errors are answers too, so the code does not matter.
    const { stdout, stderr } = await runCommand(binary(tool), args, { cwd: project, env: { ...env, NO_COLOR: '1' } })
    const output = `${stdout}${stderr}`.trim()
    const right = typeof expected === 'string' ? output === expected : expected.test(output)
    const shown = args.filter((arg) => !/^(0x\w{20}|http)/.test(arg)).join(' ')
    checks.equal(`${name}: ${tool} ${shown}`, right ? expected : output.slice(-700), expected)
    return output
  }
  return {
    cast: (args, expected) => check('cast', args, expected, { ETH_RPC_URL: url }),
    forge: (args, expected, env = {}) => check('forge', args, expected, env),
  }
}

const withKey = ['--private-key', sender.key]
const success = /"status":\s*"0x1"/

/** Transfers of each type, and what the chain says about accounts and blocks. */
async function sendAndAsk({ cast }: Foundry): Promise<void> {
  const to = '0x00000000000000000000000000000000000000ab'
  const send = ['send', to, '--value', '1wei', '--json', ...withKey]
  await cast(['chain-id'], '1337')
  await cast(['client'], /^quoin\//)
  await cast(['balance', to], '0')
  const sent = await cast(send, success)
  const { transactionHash } = JSON.parse(sent) as { transactionHash: string }
  await cast([...send, '--legacy'], /"type":\s*"0x0"/)
  await cast([...send, '--access-list', `[{"address":"${to}","storageKeys":[]}]`], success)
  await cast([...send, '--auth', other.address], /"type":\s*"0x4"/)
  await cast(['balance', to], '4')
  await cast(['code', sender.address], `0xef0100${other.address.slice(2)}`)
  await cast(['nonce', sender.address], '5')
  await cast(['estimate', to, '--value', '1', '--from', sender.address], /^\d{5}$/)
  await cast(['receipt', transactionHash, 'status'], /^(1|true)/)
  await cast(['tx', transactionHash, 'nonce'], '0')
  for (const tag of ['earliest', 'latest', 'pending', 'safe', 'finalized'])
    await cast(['block', tag, '-f', 'number'], /^\d+$/)
  await cast(['block', '1', '--full', '--json'], /"transactions":/)
  await cast(['gas-price'], /^\d+$/)
  await cast(['base-fee'], /^\d+$/)
  await cast(['rpc', 'eth_feeHistory', '0x2', 'latest', '[50]'], /gasUsedRatio/)
  await cast(['rpc', 'eth_sendRawTransaction', '0x00'], /error code -32\d{3}/)
  await cast(['proof', sender.address], /accountProof/)
  await cast(['tx-pool', 'status'], /pending/)
}

/** A contract: made by forge, read, changed and traced by cast. */
async function useContract({ cast, forge }: Foundry, { url }: ToolChain): Promise<string> {
  const rpc = ['--rpc-url', url]
  const create = ['create', 'src/Vault.sol:Vault', '--broadcast', '--json', '--value', '1ether', ...rpc, ...withKey]
  const created = await forge([...create, '--constructor-args', '7'], /"deployedTo":/)
  const { deployedTo } = JSON.parse(created.slice(created.indexOf('{'))) as { deployedTo: string }
  await cast(['call', deployedTo, 'value()(uint256)'], '7')
  await cast(['call', deployedTo, 'value()(uint256)', '--trace'], /\[Return\] 0x0{63}7/)
  await cast(['call', deployedTo, 'set(uint256)', '1001'], /revert/)
  await cast(['estimate', deployedTo, 'set(uint256)', '5', '--from', sender.address], /^\d{5}$/)
  await cast(['estimate', deployedTo, 'set(uint256)', '1001'], /revert/)
  await cast(['access-list', deployedTo, 'set(uint256)', '5', '--from', sender.address], /0x0{63}0/)
  const sent = await cast(['send', deployedTo, 'set(uint256)', '5', '--json', ...withKey], success)
  const { transactionHash } = JSON.parse(sent) as { transactionHash: string }
  await cast(['storage', deployedTo, '0'], `0x${'5'.padStart(64, '0')}`)
  await cast(['logs', '--address', deployedTo, 'Changed(address indexed,uint256)', '--from-block', '0'], /blockNumber/)
  await cast(['run', transactionHash], /Transaction successfully executed/)
  await cast(['send', deployedTo, 'set(uint256)', '1001', ...withKey], /revert/)
  await cast(['send', deployedTo, 'set(uint256)', '1001', '--gas-limit', '100000', ...withKey], /status +0/)
  await cast(['codesize', deployedTo], /^\d{3}$/)
  return deployedTo
}

/** A script that deploys and calls, and tests on a fork of the chain. */
async function scriptAndTest({ cast, forge }: Foundry, { url }: ToolChain, project: string, vault: string) {
  const script = ['script', 'script/Deploy.s.sol', '--broadcast', '--slow', '--rpc-url', url, ...withKey]
  await forge(script, /ONCHAIN EXECUTION COMPLETE & SUCCESSFUL/)
  const file = join(project, 'broadcast/Deploy.s.sol/1337/run-latest.json')
  const { receipts } = JSON.parse(readFileSync(file, 'utf8')) as {
    receipts: { status: string; contractAddress: string }[]
  }
  await cast(['call', receipts[0]!.contractAddress, 'value()(uint256)'], '4')
  await forge(['test', '--fork-url', url], /5 tests passed, 0 failed/, { VAULT: vault })
  // Sends ether to an account without code: gas that is given back must be in the estimate.
  await cast(['send', vault, 'withdraw()', '--json', ...withKey], success)
  await cast(['balance', vault], '0')
}

export const foundry: Interop = {
  name: 'foundry',
  doc: "Foundry's cast and forge on a development network, a QBFT network and behind the signer.",
  whyNot: () => packages.fetch(),
  async run({ checks, folder }) {
    const project = join(folder, 'project')
    writeFoundryProject(project, join(packages.folder, 'node_modules/solc'))
    await checks.step('forge build', () => outputOf(binary('forge'), ['build'], { cwd: project }))
    for (const withChain of [withDevChain, withQbftChain])
      await withChain(folder, async (chain) => {
        const tools = createFoundry(checks, project, chain)
        await sendAndAsk(tools)
        const vault = await useContract(tools, chain)
        await scriptAndTest(tools, chain, project, vault)
        await withSigner(folder, chain, async (signer) => {
          const { cast } = createFoundry(checks, project, signer)
          const unlocked = ['--unlocked', '--from', other.address, '--json']
          await cast(['rpc', 'eth_accounts'], new RegExp(other.address))
          await cast(['send', vault, 'set(uint256)', '6', ...unlocked], success)
          await cast(['call', vault, 'value()(uint256)'], '6')
        })
      })
  },
}
