import { join } from 'node:path'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { abi as counterAbi, bytecode as counterBytecode } from '../clients/counter.ts'
import {
  artifact,
  createSender,
  deployEntryPoints,
  deployFactory,
  deployYesAccount,
  type EntryPointVersion,
  entryPointVersions,
  type Sender,
} from './accountAbstraction.ts'
import { bundlerPackages, createAlto } from './altoProcess.ts'
import type { Checks } from './checks.ts'
import type { Interop } from './interop.ts'
import type { NodeProcess } from './nodeProcess.ts'
import { eventually } from './rpcNode.ts'
import { stopAll } from './stopAll.ts'
import { accounts, type ToolChain, withDevChain, withQbftChain } from './toolChain.ts'
import { createOperations } from './userOperations.ts'

const [user, executor] = accounts.map(({ key }) => key as Hex) as [Hex, Hex]

/** What something is refused with; says so if it is not. */
async function refusalOf(action: Promise<unknown>): Promise<string> {
  return action.then(
    () => 'it was accepted',
    (error: Error) => error.message,
  )
}

interface Bench {
  readonly checks: Checks
  readonly chain: ToolChain
  readonly sender: Sender
  readonly alto: NodeProcess
  readonly counter: Address
}

/** An account that its first operation creates, and that sets a number. */
async function useAccount({ checks, chain, sender, alto, counter }: Bench, version: EntryPointVersion): Promise<void> {
  const title = `${chain.name}: EntryPoint ${version.name}`
  const operations = createOperations(alto, version, sender)
  const factory = await deployFactory(sender, version)
  const { abi } = artifact(version, 'SimpleAccountFactory')
  const args = [sender.account.address, 0n] as const
  const account = (await sender.reads.readContract({
    address: factory,
    abi,
    functionName: 'getAddress',
    args,
  })) as Address
  await operations.deposit(account)
  for (const [i, value] of [7n, 8n].entries()) {
    await checks.step(`${title}: ${i === 0 ? 'an operation that creates its account' : 'the next one'}`, async () => {
      const set = encodeFunctionData({ abi: counterAbi, functionName: 'set', args: [value] })
      const callData = encodeFunctionData({
        abi: artifact(version, 'SimpleAccount').abi,
        functionName: 'execute',
        args: [counter, 0n, set],
      })
      const data = encodeFunctionData({ abi, functionName: 'createAccount', args })
      const creates = i === 0 ? { factory: { address: factory, data } } : {}
      const hash = await operations.send({ sender: account, callData, ...creates })
      if (!(await operations.outcomeOf(hash))) throw new Error('the operation failed')
      const found = await sender.reads.readContract({ address: counter, abi: counterAbi, functionName: 'get' })
      if (found !== value) throw new Error(`the number is ${found}`)
    })
  }
}

/** Accounts whose validation does what ERC-7562 forbids, and one that does not. */
async function useForbidden(
  { checks, chain, sender, alto, counter }: Bench,
  version: EntryPointVersion,
): Promise<void> {
  const title = `${chain.name}: EntryPoint ${version.name}`
  const operations = createOperations(alto, version, sender)
  async function send(opcodes: string): Promise<Hex> {
    const account = await deployYesAccount(sender, opcodes)
    await operations.deposit(account)
    return operations.send({ sender: account, callData: '0x' })
  }
  await checks.step(`${title}: a validation that only agrees is accepted`, async () => {
    if (!(await operations.outcomeOf(await send('')))) throw new Error('the operation failed')
  })
  // TIMESTAMP POP
  const banned = await refusalOf(send('4250'))
  checks.equal(`${title}: a forbidden opcode is refused`, /banned opcode: TIMESTAMP/.test(banned) || banned, true)
  // get() of the counter: MSTORE(0, 0x6d4ce63c), STATICCALL(gas, counter, 28, 4, 0, 32) POP
  const asks = `636d4ce63c600052602060006004601c73${counter.slice(2)}5afa50`
  const foreign = await refusalOf(send(asks))
  checks.equal(`${title}: reading another contract's storage is refused`, /accessed 0x/.test(foreign) || foreign, true)
}

async function runOn(checks: Checks, folder: string, chain: ToolChain): Promise<void> {
  const sender = createSender(chain.url, user)
  await deployEntryPoints(sender)
  const counter = await sender.create(counterBytecode)
  const entryPoints = entryPointVersions.map(({ address }) => address)
  const alto = await createAlto({ folder, nodeUrl: chain.url, entryPoints, keys: [user, executor] })
  await stopAll([alto], async () => {
    // It deploys contracts with the user's key before it answers.
    alto.start()
    const known = await eventually('alto answers', () => alto.call<string[]>('eth_supportedEntryPoints'))
    checks.equal(`${chain.name}: alto knows the entry points`, known, entryPoints)
    for (const version of entryPointVersions) {
      const bench = { checks, chain, sender, alto, counter }
      await useAccount(bench, version)
      await useForbidden(bench, version)
    }
  })
}

export const bundler: Interop = {
  name: 'bundler',
  doc: 'Alto in safe mode with EntryPoint 0.7 and 0.8: operations of users go through, forbidden ones are refused.',
  whyNot: () => bundlerPackages.fetch(),
  async run({ checks, folder }) {
    await withDevChain(join(folder, 'dev'), (chain) => runOn(checks, join(folder, 'dev'), chain))
    await withQbftChain(join(folder, 'qbft'), (chain) => runOn(checks, join(folder, 'qbft'), chain))
  },
}
