import { readFileSync } from 'node:fs'
import {
  type Abi,
  type Address,
  concat,
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeDeployData,
  getContractAddress,
  type Hex,
  http,
  parseEther,
  recoverTransactionAddress,
  type TransactionSerializedLegacy,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { artifactFile } from './altoProcess.ts'

/** A version of ERC-4337's contracts: how their files are called, and the salt of their address on all networks. */
export interface EntryPointVersion {
  readonly name: '0.7' | '0.8'
  readonly files: string
  readonly salt: Hex
  readonly address: Address
}

export const entryPointVersions: readonly EntryPointVersion[] = [
  {
    name: '0.7',
    files: '07',
    salt: '0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3',
    address: '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
  },
  {
    name: '0.8',
    files: '08',
    salt: '0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9',
    address: '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
  },
]

/** The contract that creates others at the same addresses on all networks; the transaction that makes it is everybody's. */
const deployer = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
const deployerCode = `604580600e600039806000f350fe7${'f'.repeat(63)}e03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3`
const deployerTx: Hex = `0xf8a58085174876e800830186a08080b853${deployerCode}1ba0${'22'.repeat(32)}a0${'22'.repeat(32)}`

interface Artifact {
  readonly abi: Abi
  readonly bytecode: Hex
}

export function artifact(version: EntryPointVersion, name: string): Artifact {
  return JSON.parse(readFileSync(artifactFile(version.files, name), 'utf8')) as Artifact
}

/** Someone with ether on a network, who sends transactions and waits for their receipts. */
export function createSender(url: string, key: Hex) {
  const chain = defineChain({
    id: 1337,
    name: 'quoin',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
  const account: PrivateKeyAccount = privateKeyToAccount(key)
  const reads = createPublicClient({ chain, transport: http(url), pollingInterval: 200 })
  const writes = createWalletClient({ account, chain, transport: http(url) })

  async function receiptOf(hash: Hex) {
    const receipt = await reads.waitForTransactionReceipt({ hash, timeout: 180_000 })
    if (receipt.status !== 'success') throw new Error(`transaction ${hash} failed`)
    return receipt
  }

  async function send(to: Address | undefined, data: Hex, value = 0n) {
    return receiptOf(await writes.sendTransaction(to ? { to, data, value } : { data, value }))
  }

  return {
    account,
    reads,
    send,
    async create(code: Hex): Promise<Address> {
      return (await send(undefined, code)).contractAddress!
    },
    async raw(serializedTransaction: Hex) {
      return receiptOf(await writes.sendRawTransaction({ serializedTransaction }))
    },
  }
}

export type Sender = ReturnType<typeof createSender>

/** Puts the entry points where every network has them. */
export async function deployEntryPoints(sender: Sender): Promise<void> {
  const maker = await recoverTransactionAddress({ serializedTransaction: deployerTx as TransactionSerializedLegacy })
  await sender.send(maker, '0x', parseEther('0.01'))
  await sender.raw(deployerTx)
  for (const version of entryPointVersions) {
    const { bytecode } = artifact(version, 'EntryPoint')
    const address = getContractAddress({ opcode: 'CREATE2', from: deployer, salt: version.salt, bytecode })
    if (address !== version.address) throw new Error(`EntryPoint ${version.name} would be at ${address}`)
    await sender.send(deployer, concat([version.salt, bytecode]))
  }
}

/** The factory of the simple account that comes with a version. */
export async function deployFactory(sender: Sender, version: EntryPointVersion): Promise<Address> {
  const { abi, bytecode } = artifact(version, 'SimpleAccountFactory')
  return sender.create(encodeDeployData({ abi, bytecode, args: [version.address] }))
}

/** An account that agrees to everything; before that it runs opcodes. */
export async function deployYesAccount(sender: Sender, opcodes: string): Promise<Address> {
  // MSTORE(0, 0), RETURN(0, 32)
  const code = `${opcodes}600060005260206000f3`
  const size = (code.length / 2).toString(16).padStart(2, '0')
  return sender.create(`0x60${size}600c60003960${size}6000f3${code}`)
}
