import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Contract, type EventLog, Web3 } from 'web3'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import { type DevNode, startDevNode } from '../support/devNode.ts'
import { abi, bytecode } from './counter.ts'

// The library signs the types 0 to 2 only.

const friend = `0x${devAccounts[1].address}`

let node: DevNode
let web3: Web3
let counter: Contract<typeof abi>
let from: string

beforeAll(async () => {
  node = await startDevNode()
  web3 = new Web3(node.wsUrl)
  // Receipts are looked for as soon as a block comes.
  web3.eth.setConfig({
    enableExperimentalFeatures: { useSubscriptionWhenCheckingBlockTimeout: true, useRpcCallSpecification: false },
  })
  web3.eth.transactionPollingInterval = 50
  from = web3.eth.accounts.wallet.add(`0x${devAccounts[0].privateKey}`)[0]!.address
  counter = await new web3.eth.Contract(abi).deploy({ data: bytecode }).send({ from })
})
afterAll(async () => {
  web3.provider?.disconnect()
  await node.stop()
})

test('calls a contract and hears its logs over WebSocket', async () => {
  const events = counter.events.Changed()
  const heard = new Promise<EventLog>((resolve, reject) => {
    events.on('data', resolve)
    events.on('error', reject)
  })
  await new Promise((resolve) => events.on('connected', resolve))
  const receipt = await counter.methods.set(7).send({ from })
  expect(receipt.status).toBe(1n)
  expect((await heard).returnValues).toMatchObject({ who: from, value: 7n })
  const past = (await counter.getPastEvents('Changed', { fromBlock: 0 })) as EventLog[]
  expect(past.map(({ returnValues }) => returnValues)).toMatchObject([{ who: from, value: 7n }])
  expect(await counter.methods.get().call()).toBe(7n)
  await events.unsubscribe()
})

test('an estimate is enough', async () => {
  const call = counter.methods.set(8)
  const gas = await call.estimateGas({ from })
  expect((await call.send({ from, gas: String(gas) })).status).toBe(1n)
})

test.each([0, 1, 2])('sends type %i', async (type) => {
  const before = await web3.eth.getBalance(friend)
  const price = { gasPrice: 10n ** 9n }
  const more = [
    price,
    { ...price, accessList: [{ address: counter.options.address!, storageKeys: [`0x${'0'.repeat(64)}`] }] },
    { maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n },
  ][type]
  const receipt = await web3.eth.sendTransaction({ from, to: friend, value: 5n, gas: 50_000n, type, ...more })
  expect(receipt).toMatchObject({ status: 1n, type: BigInt(type) })
  expect(await web3.eth.getTransaction(receipt.transactionHash)).toMatchObject({ type: BigInt(type), value: 5n })
  expect(await web3.eth.getBalance(friend)).toBe(before + 5n)
})

test('reads why a call reverts', async () => {
  const call = counter.methods.set(1001)
  for (const attempt of [call.call({ from }), call.estimateGas({ from })])
    await expect(attempt).rejects.toMatchObject({ cause: { message: expect.stringContaining('too large') } })
})
