import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Checks } from './checks.ts'
import { createDevp2pTool, type Devp2pTool, findTestChain } from './devp2pTool.ts'
import type { Interop } from './interop.ts'
import type { NodeProcess } from './nodeProcess.ts'
import { findInvalidTx } from './poolValidity.ts'
import { createQuoinProcess, quoinProgram } from './quoinProcess.ts'
import { eventually, reach } from './rpcNode.ts'
import { createSeat } from './seat.ts'
import { stopAll } from './stopAll.ts'

/** Times that a test is run when the tool's own patience, 0.3 s or 2 s, was too short for a busy machine. */
const maxAttempts = 3
const isLate = (failure: string) => /timed out|timeout/.test(failure)

interface Suite {
  readonly name: string
  readonly command: readonly string[]
  /** Options of the node, beside the usual ones. */
  readonly options: readonly string[]
  /** Takes another look at the failures of some tests: what remains of them, or undefined. */
  readonly reviews: Readonly<Record<string, Review>>
}

type Review = (subject: Subject, suite: Suite, failure: string) => Promise<string | undefined>

interface Subject {
  readonly checks: Checks
  readonly tool: Devp2pTool
  readonly node: NodeProcess
  /** Height of the chain that the node has. */
  readonly height: number
}

/** Runs a suite against the node, which is started afresh for each attempt: its pool must be empty. */
async function runSuite(subject: Subject, suite: Suite): Promise<void> {
  const { checks, tool, node, height } = subject
  let names: readonly string[] | undefined
  for (let attempt = 1; attempt === 1 || names; attempt++) {
    const late: string[] = []
    await stopAll([node], async () => {
      node.start(...suite.options)
      await reach([node], height)
      for (const { name, failure: first } of await tool.test(names, ...suite.command)) {
        const review = suite.reviews[name]
        const failure = first !== undefined && review ? await review(subject, suite, first) : first
        if (failure !== undefined && isLate(failure) && attempt < maxAttempts) late.push(name)
        else
          await checks.step(`${suite.name} ${name}`, async () => {
            if (failure !== undefined) throw new Error(failure)
          })
      }
    })
    if (late.length > 0) checks.note(`${suite.name}: once more, for the answer came late: ${late.join(', ')}`)
    names = late.length > 0 ? late : undefined
  }
}

/**
 * The tool counts two transactions as invalid that only geth's pool refuses (TestInvalidTxs in ethtest/suite.go): one
 * whose nonce a pending transaction has, at a price that Besu lets replace it, and one of more than 128 KiB. It also takes
 * any message of transactions for one of these: it looks at what it sent, not at what came (sendInvalidTxs in
 * ethtest/transaction.go). Besu 24.1.2 fails the test in the same way. So the pool is looked at: all in it must be valid.
 */
async function reviewInvalidTxs({ checks, node }: Subject, _: Suite, failure: string): Promise<string | undefined> {
  if (!failure.includes('received bad tx')) return failure
  checks.note(
    'eth: InvalidTxs: transactions came that geth would not pass on; whether all in the pool are valid counts',
  )
  return findInvalidTx(node)
}

/** New transactions of `LargeTxRequest`. */
const manyTxs = 2000

/** A busy machine needs longer for so many: once the node has them, the tool asks for them again. */
async function reviewLargeTxRequest({ checks, tool, node }: Subject, { command }: Suite, failure: string) {
  if (!isLate(failure)) return failure
  checks.note(`eth: LargeTxRequest: ${manyTxs} new transactions took longer than the tool waits; asked for again`)
  await eventually('the pool has all transactions', async () => {
    return (await node.call<unknown[]>('txpool_besuTransactions')).length >= manyTxs
  })
  const [again] = await tool.test(['LargeTxRequest'], ...command)
  return again!.failure
}

/** The tool wants the state of the genesis block refused, because geth has 128 states; Quoin serves those of 1,024 blocks. */
async function reviewAccountRange({ checks }: Subject, _: Suite, failure: string) {
  if (!/^test 11 failed: expected 0 accounts, got \d+$/.test(failure)) return failure
  checks.note('snap: AccountRange: the state of the genesis block is served, which geth has no more')
  return undefined
}

/** Tells the tool that the head is set: before it sends transactions it asks an engine API for that, which Quoin has not. */
async function withEngine(action: (url: string) => Promise<void>): Promise<void> {
  const answer = JSON.stringify({ jsonrpc: '2.0', id: null, result: { payloadStatus: { status: 'VALID' } } })
  const server = createServer((request, response) => {
    request.resume()
    response.setHeader('content-type', 'application/json').end(answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await action(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

function importChain(folder: string, genesisFile: string, file: string): void {
  const args = [`--data-path=${folder}`, `--genesis-file=${genesisFile}`, 'blocks', 'import', file]
  // The chain was made without proofs of work.
  const { status, stderr } = spawnSync(process.execPath, [quoinProgram, ...args, '--skip-pow-validation-enabled'], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the chain is not imported: ${stderr.slice(-500)}`)
}

/** geth's own tests of discovery, of eth and of snap, against Quoin with the chain that they are made for. */
export const devp2p: Interop = {
  name: 'devp2p',
  doc: "geth's devp2p tool tests discovery, the eth protocol and the snap protocol.",
  needs: ['devp2p'],
  async run({ checks, folder, peersDir, basePort }) {
    const tool = createDevp2pTool(peersDir)
    const chain = await findTestChain(tool, folder)
    const genesisFile = join(chain, 'genesis.json')
    const head = JSON.parse(readFileSync(join(chain, 'headblock.json'), 'utf8')) as { number: string }
    const seat = createSeat(folder, 'quoin', basePort, 0)
    const node = createQuoinProcess({ ...seat, genesisFile })
    const subject = { checks, tool, node, height: Number(head.number) }

    await checks.step('the chain of the tests is imported', async () =>
      importChain(seat.folder, genesisFile, join(chain, 'chain.rlp')),
    )
    await stopAll([node], async () => {
      node.start()
      await reach([node], subject.height)
      await checks.step('rlpx ping', async () => {
        const hello = await tool.run('rlpx', 'ping', seat.enode)
        if (!/^\{Version:5 Name:quoin\/.* Caps:\[.*eth\/68/.test(hello)) throw new Error(hello)
      })
      await checks.step('discv4 requestenr', async () => {
        const record = await tool.run('discv4', 'requestenr', '--addr=127.0.0.1:0', seat.enode)
        if (!record.startsWith('enr:')) throw new Error(record)
      })
    })
    await runSuite(subject, {
      name: 'discv4',
      command: ['discv4', 'test', `--remote=${seat.enode}`],
      options: [],
      reviews: {},
    })
    await withEngine((url) =>
      runSuite(subject, {
        name: 'eth',
        command: ['rlpx', 'eth-test', `--chain=${chain}`, `--node=${seat.enode}`, `--engineapi=${url}`],
        options: ['--discovery-enabled=false'],
        reviews: { InvalidTxs: reviewInvalidTxs, LargeTxRequest: reviewLargeTxRequest },
      }),
    )
    await withEngine((url) =>
      runSuite(subject, {
        name: 'snap',
        command: ['rlpx', 'snap-test', `--chain=${chain}`, `--node=${seat.enode}`, `--engineapi=${url}`],
        options: ['--discovery-enabled=false', '--snapsync-server-enabled'],
        reviews: { AccountRange: reviewAccountRange },
      }),
    )
  },
}
