import {
  type BaseContract,
  Contract,
  ContractFactory,
  hexlify,
  JsonRpcProvider,
  Wallet,
  WebSocketProvider,
} from 'ethers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import { sidecarOf } from '../support/blobs.ts'
import { type DevNode, startDevNode } from '../support/devNode.ts'
import { abi, bytecode } from './counter.ts'
import { startPragueNode } from './pragueGenesis.ts'

const friend = `0x${devAccounts[1].address}`

function walletOf({ url }: DevNode) {
  const provider = new JsonRpcProvider(url, undefined, { pollingInterval: 50, cacheTimeout: -1 })
  return new Wallet(devAccounts[0].privateKey, provider)
}

describe('on the development network', () => {
  let node: DevNode
  let wallet: Wallet
  let counter: BaseContract
  beforeAll(async () => {
    node = await startDevNode()
    wallet = walletOf(node)
    counter = await (await new ContractFactory(abi, bytecode, wallet).deploy()).waitForDeployment()
  })
  afterAll(async () => {
    wallet.provider?.destroy()
    await node.stop()
  })

  test('calls a contract and hears its logs over WebSocket', async () => {
    const provider = new WebSocketProvider(node.wsUrl)
    const listener = new Contract(await counter.getAddress(), abi, provider)
    let hear: (values: unknown[]) => void
    const heard = new Promise<unknown[]>((resolve) => {
      hear = resolve
    })
    await listener.on('Changed', (...values) => hear(values.slice(0, 2)))
    // The subscription is in place before what it is to hear of happens.
    await provider.send('eth_blockNumber', [])
    const receipt = await (await counter.getFunction('set')(7)).wait()
    expect(receipt.status).toBe(1)
    expect(await heard).toEqual([wallet.address, 7n])
    expect(await counter.queryFilter('Changed', 0)).toMatchObject([{ args: [wallet.address, 7n] }])
    expect(await counter.getFunction('get')()).toBe(7n)
    await listener.removeAllListeners()
    await provider.destroy()
  })

  test('an estimate is enough', async () => {
    const set = counter.getFunction('set')
    const gasLimit = await set.estimateGas(8)
    expect((await (await set(8, { gasLimit })).wait()).status).toBe(1)
  })

  test.each([0, 1, 2])('sends type %i', async (type) => {
    const before = await wallet.provider!.getBalance(friend)
    const accessList = [{ address: await counter.getAddress(), storageKeys: [`0x${'0'.repeat(64)}`] }]
    const sent = await wallet.sendTransaction({ to: friend, value: 5n, type, ...(type === 1 ? { accessList } : {}) })
    expect(await sent.wait()).toMatchObject({ status: 1, type, from: wallet.address })
    expect(await wallet.provider!.getTransaction(sent.hash)).toMatchObject({ type, value: 5n })
    expect(await wallet.provider!.getBalance(friend)).toBe(before + 5n)
  })

  test('reads why a call reverts', async () => {
    const set = counter.getFunction('set')
    for (const attempt of [set.staticCall(1001), set.estimateGas(1001)])
      await expect(attempt).rejects.toMatchObject({ code: 'CALL_EXCEPTION', reason: 'too large' })
  })
})

describe('on a network since Prague', () => {
  let node: DevNode
  let wallet: Wallet
  beforeAll(async () => {
    node = await startPragueNode()
    wallet = walletOf(node)
  })
  afterAll(async () => {
    wallet.provider?.destroy()
    await node.stop()
  })

  const { blobs, commitments, proofs } = sidecarOf(0)
  const sidecars = blobs.map((blob, i) => ({
    data: hexlify(blob),
    commitment: hexlify(commitments[i]!),
    proof: hexlify(proofs[i]!),
  }))
  const blobTransaction = { type: 3, to: friend, maxFeePerBlobGas: 10n ** 9n }

  test('sends blobs', async () => {
    const sent = await wallet.sendTransaction({ ...blobTransaction, blobs: sidecars })
    expect(await sent.wait()).toMatchObject({ type: 3, status: 1, blobGasUsed: BigInt(sidecars.length) << 17n })
  })

  test('cannot send blobs with the proofs of others', async () => {
    const swapped = sidecars.map((sidecar, i) => ({ ...sidecar, proof: sidecars[1 - i]!.proof }))
    const before = await wallet.getNonce('pending')
    await expect(wallet.sendTransaction({ ...blobTransaction, blobs: swapped })).rejects.toThrow()
    expect(await wallet.getNonce('pending')).toBe(before)
  })

  test('sends an authorization', async () => {
    const nonce = await wallet.getNonce('pending')
    const authorization = await wallet.authorize({ address: friend, nonce: nonce + 1 })
    const sent = await wallet.sendTransaction({ type: 4, to: wallet.address, authorizationList: [authorization] })
    expect(await sent.wait()).toMatchObject({ type: 4, status: 1 })
    expect(await wallet.provider!.getCode(wallet.address)).toBe(`0xef0100${friend.slice(2).toLowerCase()}`)
  })
})
