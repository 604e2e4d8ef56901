import { join } from 'node:path'
import { abi, bytecode } from '../clients/counter.ts'
import type { Interop } from './interop.ts'
import { createPackages } from './packages.ts'
import { runSayingProgram } from './sayingProgram.ts'
import { accounts, withDevChain, withQbftChain } from './toolChain.ts'

/** The line of web3 that many dapps still have; viem, ethers and web3 4 are tested with every change (test/clients). */
const packages = createPackages('web3-1', ['web3@1.10.4'])

/** What a program with web3 1 does; each line that it prints is a check. */
const program = `const Web3 = require('web3')
const abi = ${JSON.stringify(abi)}
const say = (name, right) => console.log((right ? 'ok ' : 'wrong ') + name)
async function main() {
  const web3 = new Web3(process.env.QUOIN_URL)
  const live = new Web3(process.env.QUOIN_WS_URL)
  const { address: from } = web3.eth.accounts.wallet.add(process.env.QUOIN_KEY)
  say('chain id', (await web3.eth.getChainId()) === 1337)
  say('balance', BigInt(await web3.eth.getBalance(from)) > 0n)
  say('block', (await web3.eth.getBlock('latest')).hash.length === 66)
  const gasPrice = await web3.eth.getGasPrice()
  const to = '0x00000000000000000000000000000000000000cc'
  const sent = await web3.eth.sendTransaction({ from, to, value: 1, gas: 21000, gasPrice })
  say('transfer', sent.status === true && (await web3.eth.getBalance(to)) === '1')
  const deploy = new web3.eth.Contract(abi).deploy({ data: '${bytecode}' })
  const counter = await deploy.send({ from, gas: await deploy.estimateGas({ from }), gasPrice })
  say('deployment', web3.utils.isAddress(counter.options.address))
  const heads = new Promise((resolve, reject) => live.eth.subscribe('newBlockHeaders', (e, head) => (e ? reject(e) : resolve(head))))
  let start
  const connected = new Promise((resolve) => (start = resolve))
  const logs = new Promise((resolve, reject) =>
    live.eth.subscribe('logs', { address: counter.options.address }, (e, log) => (e ? reject(e) : resolve(log))).on('connected', start))
  await connected
  const gas = await counter.methods.set(5).estimateGas({ from })
  const { events } = await counter.methods.set(5).send({ from, gas, gasPrice })
  say('write', events.Changed.returnValues.value === '5')
  say('read', (await counter.methods.get().call()) === '5')
  say('events', (await counter.getPastEvents('Changed', { fromBlock: 0 })).length === 1)
  say('revert', /too large/.test(await counter.methods.set(2000).estimateGas({ from }).then(() => '', (e) => e.message + JSON.stringify(e.data))))
  say('subscription to heads', (await heads).number > 0)
  say('subscription to logs', (await logs).address === counter.options.address)
  live.currentProvider.disconnect()
}
main().catch((error) => { console.log('wrong ' + error.message); process.exit(1) })
`

export const clients: Interop = {
  name: 'clients',
  doc: 'web3 1 on a development network and a QBFT network: transfer, deploy, write, read, events, subscriptions.',
  whyNot: () => packages.fetch(),
  async run({ checks, folder }) {
    for (const withChain of [withDevChain, withQbftChain])
      await withChain(folder, ({ name, url, wsUrl }) => {
        const env = { QUOIN_URL: url, QUOIN_WS_URL: wsUrl, QUOIN_KEY: accounts[0]!.key }
        const [script, command] = [join(packages.folder, 'program.cjs'), [process.execPath] as const]
        return runSayingProgram(checks, `${name}: web3 1`, { text: program, script, command, env })
      })
  },
}
