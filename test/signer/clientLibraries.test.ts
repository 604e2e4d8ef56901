import {
  type BaseContract,
  ContractFactory,
  JsonRpcProvider,
  type JsonRpcSigner,
  verifyMessage,
  verifyTypedData,
} from 'ethers'
import { createPublicClient, createWalletClient, http, verifyTypedData as viemVerifies } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import { abi, bytecode } from '../clients/counter.ts'
import { type DevNode, startDevNode } from '../support/devNode.ts'
import { startTestSigner, type TestSigner } from '../support/testSigner.ts'

const [first, second] = [`0x${devAccounts[0].address}`, `0x${devAccounts[1].address}`] as const
const typed = {
  domain: { name: 'Quoin', chainId: 1337, verifyingContract: second },
  types: {
    Order: [
      { name: 'amount', type: 'uint256' },
      { name: 'to', type: 'address' },
    ],
  },
} as const
const order = { amount: 5n, to: second }

let node: DevNode
let signer: TestSigner
beforeAll(async () => {
  node = await startDevNode()
  signer = await startTestSigner(node)
})
afterAll(async () => {
  await signer.close()
  await node.stop()
})

describe('ethers', () => {
  let provider: JsonRpcProvider
  let account: JsonRpcSigner
  let counter: BaseContract
  beforeAll(async () => {
    provider = new JsonRpcProvider(signer.url, undefined, { pollingInterval: 50, cacheTimeout: -1 })
    account = await provider.getSigner()
    counter = await (await new ContractFactory(abi, bytecode, account).deploy()).waitForDeployment()
  })
  afterAll(() => provider.destroy())

  test('finds the accounts', async () => {
    expect((await provider.listAccounts()).map(({ address }) => address.toLowerCase())).toEqual(
      devAccounts.map(({ address }) => `0x${address}`),
    )
  })

  test('uses a contract', async () => {
    expect((await (await counter.getFunction('set')(7)).wait()).status).toBe(1)
    expect(await counter.getFunction('get')()).toBe(7n)
    await expect(counter.getFunction('set')(1001)).rejects.toMatchObject({
      code: 'CALL_EXCEPTION',
      reason: 'too large',
    })
  })

  test.each([
    ['what the node suggests', {}, 2],
    ['a gas price', { gasPrice: 2_000_000_000n }, 0],
    ['a gas price and an access list', { gasPrice: 2_000_000_000n, accessList: [] }, 1],
    ['a fee per gas', { maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }, 2],
  ])('sends with %s', async (_, fees, type) => {
    const before = await provider.getBalance(second)
    const receipt = await (await account.sendTransaction({ to: second, value: 3n, ...fees })).wait()
    expect(receipt).toMatchObject({ status: 1, type, from: account.address })
    expect(await provider.getBalance(second)).toBe(before + 3n)
  })

  test('signs messages and typed data', async () => {
    expect(verifyMessage('hello', await account.signMessage('hello'))).toBe(account.address)
    expect(verifyMessage('hello', await account._legacySignMessage('hello'))).toBe(account.address)
    const types = { Order: [...typed.types.Order] }
    const signature = await account.signTypedData(typed.domain, types, order)
    expect(verifyTypedData(typed.domain, types, order, signature)).toBe(account.address)
  })
})

describe('viem', () => {
  test('deploys, writes and signs', async () => {
    const transport = http(signer.url)
    const wallet = createWalletClient({ account: first, transport })
    const reader = createPublicClient({ transport, pollingInterval: 50 })
    const deployed = await wallet.deployContract({ abi, bytecode, chain: null })
    const { contractAddress: address } = await reader.waitForTransactionReceipt({ hash: deployed })
    const hash = await wallet.writeContract({ abi, address: address!, functionName: 'set', args: [9n], chain: null })
    expect(await reader.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success', type: 'eip1559' })
    expect(await reader.readContract({ abi, address: address!, functionName: 'get' })).toBe(9n)
    const data = { ...typed, primaryType: 'Order', message: order } as const
    expect(await viemVerifies({ ...data, address: first, signature: await wallet.signTypedData(data) })).toBe(true)
    expect(await wallet.requestAddresses()).toHaveLength(devAccounts.length)
  })
})
