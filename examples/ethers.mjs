// Deploys a contract and listens for its events while it is used.
import { readFileSync } from 'node:fs'
import { ContractFactory, JsonRpcProvider, Wallet } from 'ethers'

const url = process.env.QUOIN_URL ?? 'http://127.0.0.1:8545'
const key = process.env.QUOIN_KEY ?? '0x8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63'
const { abi, bytecode } = JSON.parse(readFileSync(new URL('counter.json', import.meta.url), 'utf8'))

// Blocks of the development network come at once: a nonce that ethers remembers for a quarter of a second may be used by then.
const provider = new JsonRpcProvider(url, undefined, { pollingInterval: 200, cacheTimeout: -1 })
const contract = await new ContractFactory(abi, bytecode, new Wallet(key, provider)).deploy()
await contract.waitForDeployment()
console.log(`deployed at ${await contract.getAddress()}`)

const changed = new Promise((resolve) => contract.once('Changed', (who, value) => resolve(`${who} has set ${value}`)))
await (await contract.set(7)).wait()
console.log(await changed)
console.log(`number is ${await contract.get()}`)
provider.destroy()
