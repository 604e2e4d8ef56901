import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Address, Hex } from 'viem'
import { createSender } from './accountAbstraction.ts'
import type { Interop } from './interop.ts'
import { createPackages } from './packages.ts'
import { runSayingProgram } from './sayingProgram.ts'
import { accounts, type ToolChain, withDevChain, withQbftChain } from './toolChain.ts'

const packages = createPackages('safe', [
  '@safe-global/protocol-kit@8.0.7',
  '@safe-global/safe-contracts@1.4.1',
  '@safe-global/safe-smart-account@1.5.0',
  'viem@2.57.1',
])

/** Where the compiled contracts of a version are, which protocol-kit is told the addresses of. */
const versions = [
  { name: '1.4.1', from: 'safe-contracts' },
  { name: '1.5.0', from: 'safe-smart-account' },
] as const

/** What protocol-kit calls the contracts, and their files. */
const contracts = {
  safeSingletonAddress: 'SafeL2.sol/SafeL2',
  safeProxyFactoryAddress: 'proxies/SafeProxyFactory.sol/SafeProxyFactory',
  multiSendAddress: 'libraries/MultiSend.sol/MultiSend',
  multiSendCallOnlyAddress: 'libraries/MultiSendCallOnly.sol/MultiSendCallOnly',
  fallbackHandlerAddress: 'handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler',
  signMessageLibAddress: 'libraries/SignMessageLib.sol/SignMessageLib',
  createCallAddress: 'libraries/CreateCall.sol/CreateCall',
  simulateTxAccessorAddress: 'accessors/SimulateTxAccessor.sol/SimulateTxAccessor',
} as const

/** Two of three owners agree, by signatures and by approvals in the chain; each line that is printed is a check. */
const program = `import Safe, { hashSafeMessage } from '@safe-global/protocol-kit'
import { createPublicClient, http } from 'viem'
const say = (name, right) => console.log((right === true ? 'ok ' : 'wrong ' + right + ' ') + name)
const { QUOIN_URL: provider, QUOIN_OWNERS, QUOIN_KEYS, QUOIN_CONTRACTS, QUOIN_VERSION: safeVersion } = process.env
const [owners, keys, network] = [QUOIN_OWNERS, QUOIN_KEYS, QUOIN_CONTRACTS].map((text) => JSON.parse(text))
const contractNetworks = { 1337: network }
const other = '0x00000000000000000000000000000000000000cc'

const reads = createPublicClient({ transport: http(provider), pollingInterval: 100 })
async function mined(hash) {
  const { status } = await reads.waitForTransactionReceipt({ hash, timeout: 180_000 })
  return status === 'success'
}
const refusal = (action) => action.then(() => 'accepted', (error) => error.message)

const predictedSafe = {
  safeAccountConfig: { owners, threshold: 2, fallbackHandler: network.fallbackHandlerAddress },
  safeDeploymentConfig: { saltNonce: '1', safeVersion },
}
const planned = await Safe.init({ provider, signer: keys[0], predictedSafe, contractNetworks })
const safeAddress = await planned.getAddress()
const make = await planned.createSafeDeploymentTransaction()
const payer = await planned.getSafeProvider().getExternalSigner()
const isMade = await mined(await payer.sendTransaction({ to: make.to, data: make.data, value: BigInt(make.value) }))
const [first, second] = await Promise.all(keys.map((signer) => Safe.init({ provider, signer, safeAddress, contractNetworks })))
say('a Safe is where it was predicted', isMade && (await first.isSafeDeployed()))
say('version', first.getContractVersion() === safeVersion)
say('owners', (await first.getOwners()).join().toLowerCase() === owners.join().toLowerCase() && (await first.getThreshold()) === 2)

const paid = await mined(await payer.sendTransaction({ to: safeAddress, value: 1000n }))
say('it receives ether', paid && (await first.getBalance()) === 1000n)

const pay = await first.createTransaction({ transactions: [{ to: other, value: '10', data: '0x' }] })
const once = await first.signTransaction(pay)
say('one signature is not enough', /GS0|signature/.test(await refusal(first.executeTransaction(once))))
const twice = await second.signTransaction(once)
say('two are valid', await first.isValidTransaction(twice))
say('and pay', (await mined((await first.executeTransaction(twice)).hash)) && (await first.getBalance()) === 990n)
say('once only', /GS0|nonce|signature/i.test(await refusal(first.executeTransaction(twice))))

const batch = await first.createTransaction({ transactions: [1, 2].map((value) => ({ to: other, value: String(value), data: '0x' })) })
const hash = await first.getTransactionHash(batch)
const approved = await mined((await second.approveTransactionHash(hash)).hash)
say('an approval in the chain', approved && (await first.getOwnersWhoApprovedTx(hash)).length === 1)
say('with which a batch is paid', (await mined((await first.executeTransaction(batch)).hash)) && (await first.getBalance()) === 987n)

const change = await second.signTransaction(await first.signTransaction(await first.createChangeThresholdTx(1)))
say('its rules are changed', (await mined((await first.executeTransaction(change)).hash)) && (await first.getThreshold()) === 1)
const text = first.createMessage('agreed')
const signed = await first.signMessage(text)
say('a message is signed', await first.isValidSignature(hashSafeMessage('agreed'), signed.encodedSignatures()))
`

interface Artifact {
  readonly bytecode: Hex
}

/** Puts the contracts of a version into a chain. */
async function deployContracts({ url }: ToolChain, from: string): Promise<Record<string, Address>> {
  const sender = createSender(url, accounts[0]!.key as Hex)
  const folder = join(packages.folder, 'node_modules/@safe-global', from, 'build/artifacts/contracts')
  const found: Record<string, Address> = {}
  for (const [name, file] of Object.entries(contracts)) {
    const { bytecode } = JSON.parse(readFileSync(join(folder, `${file}.json`), 'utf8')) as Artifact
    found[name] = await sender.create(bytecode)
  }
  return found
}

export const safe: Interop = {
  name: 'safe',
  doc: "Safe's contracts 1.4.1 and 1.5.0 with its protocol-kit, on a development network and QBFT: two of three owners agree.",
  whyNot: () => packages.fetch(),
  async run({ checks, folder }) {
    for (const withChain of [withDevChain, withQbftChain])
      await withChain(join(folder, withChain.name), async (chain) => {
        for (const { name, from } of versions) {
          const env = {
            QUOIN_URL: chain.url,
            QUOIN_VERSION: name,
            QUOIN_OWNERS: JSON.stringify([...accounts.map(({ address }) => address), `0x${'dd'.repeat(20)}`]),
            QUOIN_KEYS: JSON.stringify(accounts.map(({ key }) => key)),
            QUOIN_CONTRACTS: JSON.stringify(await deployContracts(chain, from)),
          }
          const script = join(packages.folder, 'program.mjs')
          const command = [process.execPath] as const
          await runSayingProgram(checks, `${chain.name}: Safe ${name}`, { text: program, script, command, env })
        }
      })
  },
}
