import { setImmediate } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { ChainError } from '../../chain/fault.ts'
import { networkOf } from '../../chainData/network.ts'
import { openChain } from '../../chainData/openChain.ts'
import { BlockError } from '../../execution/fault.ts'
import { createAccountsContract, permissionOf } from '../../permissioning/contracts/accountsContract.ts'
import type { Address } from '../../primitives/bytes.ts'
import { StoreError } from '../../store/fault.ts'
import { type Block, decodeBlock } from '../../types/block.ts'
import { rememberSender } from '../../types/signTx.ts'
import { endHandshake, giveWay } from './handshake.ts'
import {
  type BlocksOrder,
  type CatchUpFailure,
  type CatchUpMessage,
  type CatchUpOrder,
  type CatchUpStart,
  senderSize,
} from './messages.ts'

// The thread behind `openCatchUp`: runs blocks, while yet another one writes them.
const { port, handshake, owner, genesis, networkId, accountsContract, chain: chainOptions } = workerData as CatchUpStart

const post = (message: CatchUpMessage): void => port.postMessage(message)

// Whatever ends this thread.
process.once('exit', () => endHandshake(handshake))

function decode({ blocks, senders }: BlocksOrder): Block[] {
  let next = 0
  return blocks.map((bytes) => {
    const block = decodeBlock(bytes)
    for (const tx of block.transactions) {
      const sender = senders.subarray(next, (next += senderSize)) as Address
      if (sender.some((byte) => byte !== 0)) rememberSender(tx, sender)
    }
    return block
  })
}

function failureOf(error: unknown): CatchUpFailure {
  if (error instanceof StoreError) return { kind: 'store', fault: error.at }
  if (error instanceof ChainError) return { kind: 'chain', fault: error.at }
  return { kind: 'bug', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

const log = { warn: (fields: object, text: string) => post({ kind: 'warning', fields, text }) }
const { chain, consensus, close } = await openChain({
  ...chainOptions,
  network: networkOf(genesis.path, genesis.text, networkId),
  owner,
  permits: accountsContract && permissionOf(createAccountsContract(accountsContract, log)),
})
const bulk = await chain.openBulk()
const hashOf = ({ header }: Block) => consensus.hash(header)

chain.onHead(({ head, added, removed }) =>
  post({
    kind: 'head',
    change: { head: head.hash, added: added.map(({ hash }) => hash), removed: removed.map(({ hash }) => hash) },
  }),
)

/** Imports blocks; returns why one of them is invalid. */
async function importBlocks(order: BlocksOrder): Promise<CatchUpFailure | undefined> {
  const blocks = decode(order)
  await bulk.ready()
  giveWay(handshake, bulk.rest)
  try {
    bulk.importBlocks(blocks)
    return undefined
  } catch (error) {
    if (!(error instanceof BlockError)) throw error
    await bulk.settle()
    const refused = chain.read((view) => blocks.find((block) => !view.headerBy(hashOf(block))))
    return { kind: 'block', fault: error.at, hash: refused && hashOf(refused) }
  }
}

let hasFailed = false

async function handleOrder(order: BlocksOrder): Promise<void> {
  // What was to come after something that is missing.
  if (hasFailed) return
  const failure = await importBlocks(order).catch(failureOf)
  hasFailed = failure !== undefined
  post(failure ? { kind: 'failed', failure } : { kind: 'made' })
  // Messages alone would not let it turn: contracts are compiled, and messages of the writer come in, other turns of the event loop.
  await setImmediate()
}

async function end(): Promise<void> {
  try {
    await bulk.end()
  } catch (error) {
    if (!hasFailed) post({ kind: 'failed', failure: failureOf(error) })
  } finally {
    await close()
    port.close()
  }
}

let last = Promise.resolve()
port.on('message', (order: CatchUpOrder) => {
  if (order.kind === 'look') giveWay(handshake, bulk.rest)
  else if (order.kind === 'end') last = last.then(end)
  else last = last.then(() => handleOrder(order))
})
post({ kind: 'ready' })
