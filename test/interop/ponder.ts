import { join } from 'node:path'
import { encodeFunctionData, type Hex } from 'viem'
import { abi, bytecode } from '../clients/counter.ts'
import { freePort } from '../support/freePort.ts'
import { createSender, type Sender } from './accountAbstraction.ts'
import type { Checks } from './checks.ts'
import { writeProject } from './hardhatProject.ts'
import type { Interop } from './interop.ts'
import { createNodeProcess } from './nodeProcess.ts'
import { createPackages } from './packages.ts'
import { eventually } from './rpcNode.ts'
import { stopAll } from './stopAll.ts'
import { accounts, type ToolChain, withDevChain, withQbftChain } from './toolChain.ts'

/** What npm calls 1.0.0 is older. */
const packages = createPackages('ponder', ['ponder@0.16.6', 'hono@4.13.19', 'viem@2.57.1'])

/** The first block has no traces, as in geth. */
const config = `import { createConfig } from 'ponder'
const { QUOIN_URL: rpc, QUOIN_CONTRACT: address, QUOIN_ACCOUNT: person } = process.env
export default createConfig({
  chains: { quoin: { id: 1337, rpc, pollingInterval: 200 } },
  contracts: {
    Counter: { chain: 'quoin', abi: ${JSON.stringify(abi)}, address, startBlock: 1, includeCallTraces: true, includeTransactionReceipts: true },
  },
  accounts: { Person: { chain: 'quoin', address: person, startBlock: 1 } },
  blocks: { Each: { chain: 'quoin', interval: 1, startBlock: 1 } },
})
`

/** Events, calls inside transactions, transfers to an account, blocks, and state that is read as of a block. */
const files = {
  'package.json': '{"name":"indexer","private":true,"type":"module"}',
  'ponder.config.ts': config,
  'ponder.schema.ts': `import { onchainTable } from 'ponder'
export const change = onchainTable('change', (t) => ({ id: t.text().primaryKey(), value: t.bigint().notNull(), read: t.bigint().notNull(), worked: t.boolean().notNull() }))
export const call = onchainTable('call', (t) => ({ id: t.text().primaryKey(), value: t.bigint().notNull() }))
export const payment = onchainTable('payment', (t) => ({ id: t.text().primaryKey(), value: t.bigint().notNull() }))
export const block = onchainTable('block', (t) => ({ number: t.bigint().primaryKey() }))
`,
  'src/index.ts': `import { ponder } from 'ponder:registry'
import { block, call, change, payment } from 'ponder:schema'
ponder.on('Counter:Changed', async ({ event, context }) => {
  const { abi, address } = context.contracts.Counter
  const read = await context.client.readContract({ abi, address, functionName: 'get' })
  const worked = event.transactionReceipt.status === 'success'
  await context.db.insert(change).values({ id: event.id, value: event.args.value, read, worked })
})
ponder.on('Counter.set()', async ({ event, context }) => {
  await context.db.insert(call).values({ id: event.id, value: event.args[0] })
})
ponder.on('Person:transfer:to', async ({ event, context }) => {
  await context.db.insert(payment).values({ id: event.id, value: event.transfer.value })
})
ponder.on('Each:block', async ({ event, context }) => {
  await context.db.insert(block).values({ number: event.block.number })
})
`,
  'src/api/index.ts': `import { db } from 'ponder:api'
import schema from 'ponder:schema'
import { Hono } from 'hono'
import { graphql } from 'ponder'
const app = new Hono()
app.use('/graphql', graphql({ db, schema }))
export default app
`,
} as const

interface Counts {
  readonly changes: { readonly totalCount: number; readonly items: readonly Record<string, unknown>[] }
  readonly calls: { readonly totalCount: number }
  readonly payments: { readonly totalCount: number }
  readonly blocks: { readonly totalCount: number }
}

const query = `{
  changes(orderBy: "value", limit: 1000) { totalCount items { value read worked } }
  calls { totalCount } payments { totalCount } blocks { totalCount }
}`

async function ask(port: number): Promise<Counts> {
  const reply = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { data, errors } = (await reply.json()) as { data?: Counts; errors?: unknown }
  if (!data) throw new Error(JSON.stringify(errors))
  return data
}

/** Somebody who receives ether, and does nothing. */
const person = '0x00000000000000000000000000000000000000cc'
const [past, further] = [30, 10]

async function use(sender: Sender, counter: Hex, first: number, count: number): Promise<void> {
  for (let value = first; value < first + count; value++) {
    await sender.send(counter, encodeFunctionData({ abi, functionName: 'set', args: [BigInt(value)] }))
    await sender.send(person, '0x', 1n)
  }
}

async function runOn(checks: Checks, folder: string, chain: ToolChain): Promise<void> {
  const sender = createSender(chain.url, accounts[0]!.key as Hex)
  const counter = await sender.create(bytecode)
  await use(sender, counter, 1, past)
  const port = await freePort()
  const project = writeProject(join(packages.folder, `project-${chain.name}`), files)
  const indexer = createNodeProcess({
    name: 'ponder',
    httpPort: port,
    logFile: join(folder, 'ponder.log'),
    command: process.execPath,
    cwd: project,
    args: [
      join(packages.folder, 'node_modules/ponder/dist/esm/bin/ponder.js'),
      '--log-format=json',
      'start',
      `--port=${port}`,
      '--hostname=127.0.0.1',
      '--schema=indexed',
    ],
    env: {
      ...process.env,
      QUOIN_URL: chain.url,
      QUOIN_CONTRACT: counter,
      QUOIN_ACCOUNT: person,
      PONDER_TELEMETRY_DISABLED: 'true',
    },
  })
  const has = (changes: number) =>
    eventually(`${changes} changes`, async () => {
      const counts = await ask(port)
      return counts.changes.totalCount >= changes && counts
    })
  await stopAll([indexer], async () => {
    indexer.start()
    await checks.step(`${chain.name}: ponder comes to the head`, () =>
      eventually('it is ready', async () => (await fetch(`http://127.0.0.1:${port}/ready`)).ok),
    )
    const before = await has(past)
    checks.equal(`${chain.name}: events of the past`, before.changes.totalCount, past)
    await use(sender, counter, past + 1, further)
    const total = past + further
    const { changes, calls, payments, blocks } = await has(total)
    checks.equal(`${chain.name}: events as they happen`, changes.totalCount, total)
    const right = changes.items.every(
      ({ value, read, worked }, i) => value === String(i + 1) && read === value && worked === true,
    )
    checks.equal(`${chain.name}: their values, receipts and state`, right || changes.items, true)
    checks.equal(`${chain.name}: calls of traces`, calls.totalCount, total)
    // The last payment is in a block of its own, after the last event.
    checks.equal(`${chain.name}: transfers`, payments.totalCount >= total - 1, true)
    checks.equal(`${chain.name}: blocks`, blocks.totalCount > 2 * total - 2, true)
  })
}

export const ponder: Interop = {
  name: 'ponder',
  doc: 'ponder indexes events, calls, transfers and blocks of a development network and QBFT, past ones and as they are made.',
  whyNot: () => packages.fetch(),
  async run({ checks, folder }) {
    for (const withChain of [withDevChain, withQbftChain])
      await withChain(join(folder, withChain.name), (chain) => runOn(checks, join(folder, withChain.name), chain))
  },
}
