import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { abi, bytecode } from '../clients/counter.ts'
import { runCommand } from './command.ts'
import type { Interop } from './interop.ts'
import { createNodeProcess } from './nodeProcess.ts'
import { createPackages } from './packages.ts'
import { quoinProgram } from './quoinProcess.ts'
import { eventually } from './rpcNode.ts'
import { stopAll } from './stopAll.ts'
import { accounts } from './toolChain.ts'

/** The client of Besu's private transactions. */
export const quorumPackages = createPackages('web3js-quorum', ['web3@1.10.4', 'web3js-quorum@22.4.0'])

/** What users of Besu's private transactions have; each line that it prints is a check. */
const program = `const Web3 = require('web3')
const Web3Quorum = require('web3js-quorum')
const abi = ${JSON.stringify(abi)}
const say = (name, right) => console.log((right ? 'ok ' : 'wrong ') + name)
const same = (values) => values.every((value) => JSON.stringify(value) === JSON.stringify(values[0]))
const refused = (promise) => promise.then(() => false, (error) => /enclave|privacy group|not found/i.test(error.message))
async function main() {
  const urls = process.env.QUOIN_URLS.split(','), keys = process.env.QUOIN_KEYS.split(',')
  const nodes = urls.map((url) => new Web3Quorum(new Web3(url)))
  const members = nodes.slice(0, 3), [first, second] = members, outside = nodes[3]
  const privateKey = process.env.QUOIN_KEY.slice(2)
  const from = first.eth.accounts.privateKeyToAccount('0x' + privateKey).address
  const addresses = keys.slice(0, 3)

  const privacyGroupId = await first.priv.createPrivacyGroup({ addresses, name: 'trade', description: 'of three' })
  say('a group is created', /^[A-Za-z0-9+/]{43}=$/.test(privacyGroupId))
  const found = await Promise.all(members.map((node) => node.priv.findPrivacyGroup(addresses)))
  say('every member finds it', found.every((groups) => groups.some((group) => group.privacyGroupId === privacyGroupId && group.name === 'trade')))

  const contract = new first.eth.Contract(abi)
  const send = (node, i, more) => node.priv.generateAndSendRawTransaction({ privateFrom: keys[i], privacyGroupId, privateKey, ...more })
  const receiptsOf = (hash) => Promise.all(members.map((node) => node.priv.waitForTransactionReceipt(hash, 60, 500)))
  const deployed = await send(first, 0, { data: '${bytecode}' })
  const deployments = await receiptsOf(deployed)
  const to = deployments[0].contractAddress
  say('a contract is deployed', deployments[0].status === '0x1' && same(deployments))

  const set = await send(second, 1, { to, data: contract.methods.set(5).encodeABI() })
  const receipts = await receiptsOf(set)
  say('another member calls it', receipts[0].status === '0x1' && receipts[0].logs.length === 1 && same(receipts))
  const failed = await send(first, 0, { to, data: contract.methods.set(2000).encodeABI() })
  const failures = await receiptsOf(failed)
  say('a failure has its reason', failures[0].status === '0x0' && /746f6f206c61726765/.test(failures[0].revertReason) && same(failures))

  const call = { to, from, data: contract.methods.get().encodeABI() }
  const values = await Promise.all(members.map((node) => node.priv.call(privacyGroupId, call, 'latest')))
  say('all read the same', BigInt(values[0]) === 5n && same(values))
  const logs = await Promise.all(members.map((node) => node.priv.getLogs(privacyGroupId, { fromBlock: 'earliest', toBlock: 'latest', addresses: [to] })))
  say('all have the same logs', logs[0].length === 1 && same(logs))
  const roots = await Promise.all(members.map((node) => node.priv.debugGetStateRoot(privacyGroupId, 'latest')))
  say('all have the same state root', same(roots))
  const codes = await Promise.all(members.map((node) => node.priv.getCode(privacyGroupId, to, 'latest')))
  say('all have the code', codes[0].length > 2 && same(codes))
  say('the count', (await first.priv.getTransactionCount(from, privacyGroupId)) === 2)
  const seen = await Promise.all(members.map((node) => node.priv.getPrivateTransaction(set)))
  say('all see the transaction', seen[0].privateFrom === keys[1] && same(seen))
  const filter = await first.priv.newFilter(privacyGroupId, { addresses: [to] })
  await receiptsOf(await send(second, 1, { to, data: contract.methods.set(6).encodeABI() }))
  say('a filter sees a new log', (await first.priv.getFilterChanges(privacyGroupId, filter)).length === 1)
  say('and is removed', (await first.priv.uninstallFilter(privacyGroupId, filter)) === true)

  say('outside: no receipt', (await outside.priv.getTransactionReceipt(set)) === null)
  say('outside: no transaction', (await outside.priv.getPrivateTransaction(set)) === null)
  say('outside: no group', (await outside.priv.findPrivacyGroup(addresses)).length === 0)
  say('outside: no code', (await outside.priv.getCode(privacyGroupId, to, 'latest')) === null)
  say('outside: no state', (await outside.priv.call(privacyGroupId, call, 'latest')) === '0x')
  say('outside: no logs', (await outside.priv.getLogs(privacyGroupId, { fromBlock: 'earliest' })).length === 0)
  say('outside: no count', (await outside.priv.getTransactionCount(from, privacyGroupId)) === 0)
  say('outside: no root', await refused(outside.priv.debugGetStateRoot(privacyGroupId, 'latest')))
  say('outside: no sending', await refused(send(outside, 3, { to, data: contract.methods.set(7).encodeABI(), nonce: 9 })))
  say('outside: no deletion', await refused(outside.priv.deletePrivacyGroup(privacyGroupId)))
  const marker = await outside.eth.getTransaction(set)
  say('outside: of the marker only a key of 32 bytes', /7e$/i.test(marker.to) && marker.input.length === 66)
  say('outside: no public log', (await outside.eth.getPastLogs({ fromBlock: 0 })).length === 0)

  say('the group is deleted', (await first.priv.deletePrivacyGroup(privacyGroupId)) === privacyGroupId)
  say('for all of them', (await Promise.all(members.map((node) => node.priv.findPrivacyGroup(addresses)))).every((groups) => groups.length === 0))
  say('nothing is sent to it any more', await refused(send(second, 1, { to, data: '0x', nonce: 9 })))

  const legacy = await first.priv.generateAndSendRawTransaction({ privateFrom: keys[0], privateFor: [keys[1]], privateKey, data: '${bytecode}' })
  const [sent, received, other] = await Promise.all([nodes[0], nodes[1], nodes[2]].map((node) => node.priv.waitForTransactionReceipt(legacy, 60, 500)))
  say('privateFor', sent.status === '0x1' && same([sent, received]) && other === null)
}
main().catch((error) => { console.log('wrong ' + error.message); process.exit(1) })
`

/** The client that was made for Besu's private transactions, on a network of one command. */
export const privacyClient: Interop = {
  name: 'privacy-client',
  doc: 'web3js-quorum on `quoin network --privacy`: groups, contracts, logs, receipts of three members; a fourth node learns nothing.',
  whyNot: () => quorumPackages.fetch(),
  async run({ checks, folder, basePort }) {
    const dir = join(folder, 'net')
    const script = join(quorumPackages.folder, 'program.cjs')
    writeFileSync(script, program)
    const urls = [0, 1, 2, 3].map((i) => `http://127.0.0.1:${basePort + 10 * i}`)
    const network = createNodeProcess({
      ...{ name: 'quoin network', httpPort: basePort, logFile: join(folder, 'network.log') },
      command: process.execPath,
      args: [quoinProgram, 'network', '--privacy', '--validators=4', `--dir=${dir}`, `--base-port=${basePort}`],
    })
    await stopAll([network], async () => {
      network.start()
      await eventually('every manager knows the others', async () => {
        const counts = await Promise.all(
          urls.map(async (url) => {
            const manager = `http://127.0.0.1:${Number(new URL(url).port) + 4}/partyinfo`
            const answer = await fetch(manager).catch(() => undefined)
            return ((await answer?.json()) as { keys: unknown[] } | undefined)?.keys.length
          }),
        )
        return counts.every((count) => count === 4)
      })
      const keys = urls.map((_, i) => readFileSync(join(dir, `node${i}/privacy.pub`), 'utf8'))
      const env = { QUOIN_URLS: urls.join(), QUOIN_KEYS: keys.join(), QUOIN_KEY: accounts[0]!.key }
      const { stdout, stderr } = await runCommand(process.execPath, [script], { env })
      // The client says that it waits, too.
      const said = stdout.split('\n').filter((line) => /^(?:ok|wrong) /.test(line))
      for (const line of said) checks.equal(line.replace(/^\w+ /, ''), line.split(' ')[0], 'ok')
      checks.equal('all was tried', said.length === 29 ? 29 : stderr.slice(-500), 29)
    })
  },
}
