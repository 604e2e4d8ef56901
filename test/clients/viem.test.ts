import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  defineChain,
  type Hex,
  http,
  publicActions,
  sidecarsToVersionedHashes,
  toHex,
  webSocket,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { ipc } from 'viem/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devAccounts } from '../../src/forks/devGenesis.ts'
import { sidecarOf } from '../support/blobs.ts'
import { type DevNode, startDevNode } from '../support/devNode.ts'
import { abi, bytecode } from './counter.ts'
import { startPragueNode } from './pragueGenesis.ts'

const account = privateKeyToAccount(`0x${devAccounts[0].privateKey}`)
const friend = `0x${devAccounts[1].address}` as const

function clientOf({ url }: DevNode) {
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const chain = defineChain({ id: 1337, name: 'dev', nativeCurrency, rpcUrls: { default: { http: [url] } } })
  return createWalletClient({ account, chain, transport: http(url), pollingInterval: 50 }).extend(publicActions)
}

describe('on the development network', () => {
  let node: DevNode
  let client: ReturnType<typeof clientOf>
  let address: `0x${string}`
  let folder: string
  let ipcPath: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quoin-viem-'))
    ipcPath = join(folder, 'quoin.ipc')
    node = await startDevNode({ 'ipc-path': ipcPath })
    client = clientOf(node)
    const hash = await client.deployContract({ abi, bytecode })
    const receipt = await client.waitForTransactionReceipt({ hash })
    expect(receipt.status).toBe('success')
    address = receipt.contractAddress!
  })
  afterAll(async () => {
    await node.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('calls a contract and hears its logs over WebSocket', async () => {
    const listener = createPublicClient({ transport: webSocket(node.wsUrl) })
    let stop = () => {}
    const heard = new Promise((resolve, reject) => {
      stop = listener.watchContractEvent({ abi, address, eventName: 'Changed', onLogs: resolve, onError: reject })
    })
    // The subscription is in place before what it is to hear of happens.
    await listener.getBlockNumber()
    const hash = await client.writeContract({ abi, address, functionName: 'set', args: [7n] })
    await client.waitForTransactionReceipt({ hash })
    const args = { who: account.address, value: 7n }
    expect(await heard).toMatchObject([{ args, transactionHash: hash, removed: false }])
    expect(await client.getContractEvents({ abi, address, fromBlock: 0n })).toMatchObject([{ args }])
    expect(await client.readContract({ abi, address, functionName: 'get' })).toBe(7n)
    stop()
    await (await listener.transport.getRpcClient()).close()
  })

  test('an estimate is enough', async () => {
    const call = { abi, address, functionName: 'set', args: [8n] } as const
    const gas = await client.estimateContractGas({ ...call, account })
    const { status } = await client.waitForTransactionReceipt({ hash: await client.writeContract({ ...call, gas }) })
    expect(status).toBe('success')
  })

  test.each(['legacy', 'eip2930', 'eip1559'] as const)('sends %s', async (type) => {
    const before = await client.getBalance({ address: friend })
    const accessList = [{ address, storageKeys: [toHex(0, { size: 32 })] }]
    const more = type === 'eip2930' ? { type, accessList, gasPrice: 10n ** 9n } : { type }
    const hash = await client.sendTransaction({ to: friend, value: 5n, ...more })
    expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({ type, status: 'success' })
    expect(await client.getTransaction({ hash })).toMatchObject({
      type,
      value: 5n,
      from: account.address.toLowerCase(),
    })
    expect(await client.getBalance({ address: friend })).toBe(before + 5n)
  })

  test('over IPC: calls at the same time, heads and pending transactions', async () => {
    const live = createPublicClient({ transport: ipc(ipcPath) })
    const heads: bigint[] = []
    const pending: Hex[] = []
    const stops = [
      live.watchBlockNumber({ onBlockNumber: (number) => heads.push(number) }),
      live.watchPendingTransactions({ onTransactions: (hashes) => pending.push(...hashes) }),
    ]
    const balances = Array.from({ length: 100 }, () => live.getBalance({ address: account.address }))
    expect(new Set(await Promise.all(balances)).size).toBe(1)
    const hash = await client.sendTransaction({ to: friend, value: 1n })
    const { blockNumber } = await live.waitForTransactionReceipt({ hash })
    await expect.poll(() => heads).toContain(blockNumber)
    await expect.poll(() => pending).toContain(hash)
    for (const stop of stops) stop()
    ;(await live.transport.getRpcClient()).close()
  })

  test('reads why a call reverts', async () => {
    const call = { abi, address, functionName: 'set', args: [1001n], account } as const
    for (const attempt of [client.simulateContract(call), client.estimateContractGas(call)]) {
      const error = await attempt.then(() => undefined).catch((caught: BaseError) => caught)
      expect(error?.details).toBe('execution reverted: too large')
      expect(error?.walk((one) => one instanceof ContractFunctionRevertedError)).toMatchObject({ reason: 'too large' })
    }
  })
})

describe('on a network since Prague', () => {
  let node: DevNode
  let client: ReturnType<typeof clientOf>
  beforeAll(async () => {
    node = await startPragueNode()
    client = clientOf(node)
  })
  afterAll(() => node.stop())

  const { blobs, commitments, proofs } = sidecarOf(0)
  const sidecars = blobs.map((blob, i) => ({
    blob: toHex(blob),
    commitment: toHex(commitments[i]!),
    proof: toHex(proofs[i]!),
  }))
  const blobTransaction = {
    type: 'eip4844',
    to: friend,
    maxFeePerBlobGas: 10n ** 9n,
    blobVersionedHashes: sidecarsToVersionedHashes({ sidecars }),
  } as const

  test('sends blobs', async () => {
    const hash = await client.sendTransaction({ ...blobTransaction, sidecars })
    const receipt = await client.waitForTransactionReceipt({ hash })
    expect(receipt).toMatchObject({ type: 'eip4844', status: 'success', blobGasUsed: BigInt(sidecars.length) << 17n })
  })

  test('cannot send blobs with the proofs of others', async () => {
    const swapped = sidecars.map((sidecar, i) => ({ ...sidecar, proof: sidecars[1 - i]!.proof }))
    const nonce = () => client.getTransactionCount({ address: account.address, blockTag: 'pending' })
    const before = await nonce()
    await expect(client.sendTransaction({ ...blobTransaction, sidecars: swapped })).rejects.toThrow()
    expect(await nonce()).toBe(before)
  })

  test('sends an authorization', async () => {
    const authorization = await client.signAuthorization({ contractAddress: friend, executor: 'self' })
    const hash = await client.sendTransaction({ to: account.address, authorizationList: [authorization] })
    expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({ type: 'eip7702', status: 'success' })
    expect(await client.getCode({ address: account.address })).toBe(`0xef0100${friend.slice(2).toLowerCase()}`)
  })
})
