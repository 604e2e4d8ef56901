// Deploys a contract, writes, reads, finds its events, and shows why a call is refused.
import { readFileSync } from 'node:fs'
import { createWalletClient, defineChain, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const url = process.env.QUOIN_URL ?? 'http://127.0.0.1:8545'
const key = process.env.QUOIN_KEY ?? '0x8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63'
const { abi, bytecode } = JSON.parse(readFileSync(new URL('counter.json', import.meta.url), 'utf8'))

const chain = defineChain({
  id: 1337,
  name: 'Quoin',
  nativeCurrency: { name: 'ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [url] } },
})
const client = createWalletClient({ account: privateKeyToAccount(key), chain, transport: http() }).extend(publicActions)
const mined = (hash) => client.waitForTransactionReceipt({ hash, pollingInterval: 200 })

const { contractAddress: address } = await mined(await client.deployContract({ abi, bytecode }))
console.log(`deployed at ${address}`)

const { blockNumber } = await mined(await client.writeContract({ address, abi, functionName: 'set', args: [5n] }))
const number = await client.readContract({ address, abi, functionName: 'get' })
const events = await client.getContractEvents({ address, abi, eventName: 'Changed', fromBlock: blockNumber })
console.log(`number is ${number}, ${events.length} event`)

try {
  await client.simulateContract({ address, abi, functionName: 'set', args: [2000n] })
} catch (error) {
  console.log(error.details)
}
