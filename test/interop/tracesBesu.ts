import { readFileSync } from 'node:fs'
import { fromHex, toHex } from '../../src/primitives/hex.ts'
import { decodeRlp } from '../../src/primitives/rlp.ts'
import { serveChain } from '../conformance/rpc/servedChain.ts'
import type { BesuChain } from './besuChain.ts'
import { type Deliberate, type Difference, deliberate, differences } from './besuDifferences.ts'
import type { InteropTerms } from './interop.ts'

/** A chain that Besu has imported. */
export interface ComparedChain {
  readonly name: string
  readonly genesis: string
  readonly blocks: string
  /** Blocks above are not looked at. */
  readonly upTo: number
}

interface Transaction {
  readonly hash: string
  readonly from: string
  readonly to: string | null
  readonly gas: string
  readonly gasPrice: string
  readonly maxFeePerGas?: string
  readonly maxPriorityFeePerGas?: string
  readonly value: string
  readonly input: string
  readonly accessList?: unknown
  readonly blobVersionedHashes?: unknown
}

interface Block {
  readonly hash: string
  readonly transactions: readonly Transaction[]
}

interface FlatTrace {
  readonly action: { readonly to?: string }
  readonly result?: { readonly address?: string } | null
  readonly traceAddress: readonly number[]
}

type Ask = (method: string, ...params: unknown[]) => Promise<unknown>

const allTypes = ['trace', 'vmTrace', 'stateDiff']
const stepOptions = [
  {},
  { disableMemory: true },
  { disableStack: true },
  { disableStorage: true },
  { disableMemory: true, disableStack: true, disableStorage: true },
]
/** Bytes of steps that are compared: Besu keeps them all, several times, until they are sent. */
const maxText = 20_000_000
const quantity = (n: number) => `0x${n.toString(16)}`

/** Answers of a server; an error is one too. */
function createAsk(url: string): Ask {
  return async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result, error } = (await reply.json()) as { result?: unknown; error?: unknown }
    return error ? { error } : result
  }
}

/** Whether an answer is not longer than so many bytes. */
async function isAnsweredWithin(url: string, max: number, method: string, ...params: unknown[]): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  let length = 0
  for await (const piece of reply.body!) if ((length += (piece as Uint8Array).length) > max) return false
  return true
}

function show({ path, have, want }: Difference): string {
  const text = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 120)
  return `${['$', ...path].join('.')} is ${text(have)}, Besu has ${text(want)}`
}

/** Compares answers one by one and keeps what differs against our will until it is taken. */
function createComparison() {
  const meant = new Map<Deliberate, number>()
  let asked = 0
  let faults: string[] = []
  return {
    meant,
    asked: () => asked,
    compare(method: string, have: unknown, want: unknown): void {
      asked++
      for (const difference of differences(have, want)) {
        const reason = deliberate.find((one) => one.covers(difference, { method, have, want }))
        if (reason) meant.set(reason, (meant.get(reason) ?? 0) + 1)
        else {
          faults.push(`${method}: ${show(difference)}`)
          return
        }
      }
    },
    takeFaults(): string[] {
      const taken = faults
      faults = []
      return taken
    },
  }
}

/** A transaction as it is sent: inside a block, those with a type are byte strings. */
function unwrapped(raw: string): string {
  const item = decodeRlp(fromHex(raw))
  return item instanceof Uint8Array ? toHex(item) : raw
}

function callOf(tx: Transaction): object {
  const { from, to, gas, value, input, accessList, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = tx
  const price = maxFeePerGas === undefined ? { gasPrice } : { maxFeePerGas, maxPriorityFeePerGas }
  return { from, ...(to && { to }), gas, value, data: input, ...price, ...(accessList ? { accessList } : {}) }
}

/** Compares a chain with a Besu that has imported it: a check for each block, and for each transaction. */
export async function compareWithBesu({ checks }: InteropTerms, chain: ComparedChain, besu: BesuChain): Promise<void> {
  const served = await serveChain({
    genesis: JSON.parse(readFileSync(chain.genesis, 'utf8')),
    blocks: readFileSync(chain.blocks),
  })
  const ours = createAsk(served.url)
  const theirs = createAsk(besu.url)
  const comparison = createComparison()

  async function both(method: string, ...params: unknown[]): Promise<unknown> {
    const [have, want] = await Promise.all([ours(method, ...params), theirs(method, ...params)])
    comparison.compare(method, have, want)
    return have
  }

  async function check(name: string, questions: () => Promise<void>): Promise<void> {
    await checks.step(`besu: ${chain.name} ${name}`, async () => {
      // What one question brought to light does not keep the others from being asked.
      const failure = await questions().catch((error: Error) => error.message)
      const faults = [...comparison.takeFaults(), ...(failure ? [failure] : [])]
      if (faults.length > 0) throw new Error(faults.join('; '))
    })
  }

  // Besu lets each of these wait for seconds now and then: they are asked side by side.
  async function compareBlock(number: number, { hash, transactions }: Block, hasSteps: boolean): Promise<void> {
    const block = quantity(number)
    const calls = transactions.map((tx) => [callOf(tx), allTypes])
    const raw = await both('debug_getRawBlock', block)
    await Promise.all([
      ...[allTypes, ...allTypes.map((type) => [type])].map((types) =>
        both('trace_replayBlockTransactions', block, types),
      ),
      both('trace_block', block),
      both('trace_filter', { fromBlock: block, toBlock: block }),
      hasSteps && both('debug_traceBlockByNumber', block, { disableMemory: true }),
      hasSteps && both('debug_traceBlockByHash', hash, { disableStorage: true }),
      // By the specification a block of one transaction answers with its trace, not with a list.
      ...(hasSteps && number > 0 && transactions.length !== 1
        ? [both('debug_traceBlock', raw, { disableStack: true })]
        : []),
      both('debug_getRawHeader', block),
      both('debug_getRawReceipts', block),
      both('debug_accountRange', block, 0, '0x0', 1000),
      both('eth_getBlockReceipts', block),
      both('eth_getMinerDataByBlockNumber', block),
      both('eth_getMinerDataByBlockHash', hash),
      calls.length > 0 && both('trace_callMany', calls, quantity(number - 1)),
    ])
  }

  async function compareSteps({ hash }: Transaction, block: string, index: number): Promise<void> {
    for (const options of stepOptions) {
      const have = await ours('debug_traceTransaction', hash, options)
      // Besu traces a transaction without those before it in its block; of a whole block it does better.
      const want =
        index === 0
          ? await theirs('debug_traceTransaction', hash, options)
          : ((await theirs('debug_traceBlockByHash', block, options)) as readonly unknown[])[index]
      comparison.compare('debug_traceTransaction', have, want)
    }
  }

  async function compareTx(number: number, block: string, tx: Transaction, index: number, hasBaseFee: boolean) {
    const { hash, from, to, maxFeePerGas, blobVersionedHashes } = tx
    // Besu forgets the tip of a transaction that names one price where blocks have a base fee, and wants to see blobs.
    const isTried = !blobVersionedHashes && (maxFeePerGas !== undefined || !hasBaseFee)
    const traces = (await both('trace_transaction', hash)) as readonly FlatTrace[]
    const raw = (await both('debug_getRawTransaction', hash)) as string
    const touched = new Set([from, to, ...traces.flatMap(({ action, result }) => [action.to, result?.address])])
    const addresses = [...touched].filter((address) => typeof address === 'string')
    await Promise.all([
      ...traces.map(({ traceAddress }) => both('trace_get', hash, traceAddress.map(quantity))),
      both('trace_call', callOf(tx), allTypes, quantity(number - 1)),
      both('trace_call', callOf(tx), allTypes, quantity(number)),
      isTried && both('trace_rawTransaction', unwrapped(raw), allTypes),
      both('eth_getTransactionReceipt', hash),
      ...addresses.map((address) => both('debug_accountAt', block, index, address)),
      // Here too Besu forgets the transactions before.
      ...(index > 0 ? [] : addresses.map((address) => both('debug_storageRangeAt', block, index, address, '0x0', 100))),
    ])
  }

  try {
    const { baseFeePerGas } = (await ours('eth_getBlockByNumber', 'latest', false)) as { baseFeePerGas?: string }
    const hasBaseFee = baseFeePerGas !== undefined
    const last = Math.min(chain.upTo, besu.head)
    for (let number = 0; number <= last; number++) {
      const block = (await ours('eth_getBlockByNumber', quantity(number), true)) as Block
      const { hash, transactions } = block
      if (transactions.length === 0 && number % 10 > 0) continue
      const hasSteps = await isAnsweredWithin(served.url, maxText, 'debug_traceBlockByHash', hash)
      if (!hasSteps) checks.note(`${chain.name} block ${number}: its steps take more text than Besu has room for`)
      await check(`block ${number}`, () => compareBlock(number, block, hasSteps))
      for (const [index, tx] of transactions.entries())
        await check(`block ${number} ${tx.hash}`, async () => {
          if (hasSteps) await compareSteps(tx, hash, index)
          await compareTx(number, hash, tx, index, hasBaseFee)
        })
    }
  } finally {
    await served.close()
    checks.note(`${chain.name}: ${comparison.asked()} answers beside Besu's`)
    for (const [{ reason }, count] of comparison.meant) checks.note(`${chain.name}: ${count} × ${reason}`)
  }
}
