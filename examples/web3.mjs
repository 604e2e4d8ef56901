// Deploys a contract, writes, reads and finds its events.
import { readFileSync } from 'node:fs'
import { Web3 } from 'web3'

const url = process.env.QUOIN_URL ?? 'http://127.0.0.1:8545'
const key = process.env.QUOIN_KEY ?? '0x8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63'
const { abi, bytecode } = JSON.parse(readFileSync(new URL('counter.json', import.meta.url), 'utf8'))

const web3 = new Web3(url)
const { address: from } = web3.eth.accounts.wallet.add(key).get(0)
const contract = await new web3.eth.Contract(abi).deploy({ data: bytecode }).send({ from })
console.log(`deployed at ${contract.options.address}`)

const { blockNumber } = await contract.methods.set(9).send({ from })
const events = await contract.getPastEvents('Changed', { fromBlock: blockNumber })
console.log(`number is ${await contract.methods.get().call()}, ${events.length} event`)
