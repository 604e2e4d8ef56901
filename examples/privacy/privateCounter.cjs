// Deploys a contract that only node0 and node1 of `quoin network --privacy` see: `node privateCounter.cjs FOLDER`.
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const Web3 = require('web3')
const Web3Quorum = require('web3js-quorum')
const { abi, bytecode } = require('../counter.json')

const folder = process.argv[2] ?? 'quoin-network'
const privateKey = '8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63'
const nodes = [8545, 8555, 8565].map((port) => new Web3Quorum(new Web3(`http://127.0.0.1:${port}`)))
const [one, two, outside] = nodes
const [keyOne, keyTwo] = [0, 1].map((i) => readFileSync(join(folder, `node${i}`, 'privacy.pub'), 'utf8').trim())

async function main() {
  const privacyGroupId = await one.priv.createPrivacyGroup({ addresses: [keyOne, keyTwo], name: 'trade' })
  console.log(`a group of two: ${privacyGroupId}`)

  // The hash is that of the marker; the receipt is there when the marker is in a block.
  const send = (node, privateFrom, more) =>
    node.priv.generateAndSendRawTransaction({ privateFrom, privacyGroupId, privateKey, ...more })
  const receiptOf = (node, hash) => node.priv.waitForTransactionReceipt(hash, 60, 500)
  const { contractAddress: to } = await receiptOf(one, await send(one, keyOne, { data: bytecode }))
  console.log(`deployed at ${to}`)

  const contract = new one.eth.Contract(abi)
  const hash = await send(one, keyOne, { to, data: contract.methods.set(5).encodeABI() })
  await receiptOf(two, hash)
  const value = await two.priv.call(privacyGroupId, { to, data: contract.methods.get().encodeABI() }, 'latest')
  console.log(`the other member reads ${Number(value)}`)
  console.log(`outside: ${await outside.priv.getTransactionReceipt(hash)}`)
}

main().catch((error) => {
  console.error(error.message)
  process.exitCode = 1
})
