import { tokenIndex } from '../../../src/chain/tokens/tokenIndex.ts'
import { verifyAccounts } from '../../../src/chain/verify/verifyAccounts.ts'
import { verifyTokens } from '../../../src/chain/verify/verifyTokens.ts'
import { toHex } from '../../../src/primitives/hex.ts'
import { tokenTables } from '../../../src/store/tokenTables.ts'
import type { Block } from '../../../src/types/block.ts'
import { createdAddress } from '../../../src/types/createdAddress.ts'
import { anyLogsCode, inputOfLogs } from '../../support/anyLogs.ts'
import type { Tally } from '../../support/runCampaign.ts'
import { devSpec, devTx, makeBlock, openTestChain, removeFolder, type TestChain } from '../../support/testChain.ts'
import type { Extent } from '../extent.ts'
import { createRandom, type Random } from '../random.ts'
import { anyToldLog, hostileBatch, type Said } from './tokenStory.ts'

/** Reorganisations of one run. */
const perRun = 20

const contract = createdAddress(devTx(0n, { data: anyLogsCode }))!
const openIndexed = (path?: string, indexAccounts = true): TestChain =>
  openTestChain(devSpec, path, (parts) => ({ ...parts, indexAccounts }))

/** Two nodes: one whose index is looked at, and one that makes the branches. */
class TokenRun {
  private readonly random: Random
  private readonly maker = openTestChain()
  private node = openIndexed()
  /** What the logs of each block say, by its hash. */
  private readonly said = new Map<string, readonly Said[]>()

  constructor(seed: number) {
    this.random = createRandom(seed)
  }

  private make(): Block {
    const { chain } = this.maker
    const number = chain.head().header.number
    const told = Array.from({ length: this.random.below(4) }, () =>
      this.random.percent(10) ? hostileBatch(this.random) : anyToldLog(this.random),
    )
    const txs =
      number === 0n
        ? [devTx(0n, { data: anyLogsCode })]
        : [devTx(number, { to: contract, data: inputOfLogs(told.map(({ log }) => log)), gasLimit: 3_000_000n })]
    const block = makeBlock(chain, txs, { extraData: this.random.bytes(4) })
    this.said.set(toHex(chain.head().hash), number === 0n ? [] : told.flatMap(({ says }) => says))
    return block
  }

  private grow(blocks: number): void {
    for (let i = 0; i < blocks; i++) this.node.chain.importBlock(this.make())
  }

  /** Makes a heavier branch, or sets the head back; both nodes do the same. */
  private reorganise(): void {
    const head = Number(this.maker.chain.head().header.number)
    const depth = this.random.below(Math.min(head, 9))
    this.maker.chain.setHead(BigInt(head - depth))
    if (this.random.percent(40)) this.node.chain.setHead(BigInt(head - depth))
    this.grow(depth + 1 + this.random.below(2))
  }

  private async restart(indexAccounts: boolean): Promise<void> {
    const { path } = this.node
    await this.node.close()
    this.node = openIndexed(path, indexAccounts)
  }

  /** Adds what was missed, as the indexer does in the background. */
  private catchUp(): void {
    const { store } = this.node
    while (!store.read((reader) => tokenIndex.isComplete(reader)))
      store.write((txn) => tokenIndex.addMissing(txn, () => this.random.percent(60)))
  }

  /** Reorganises the chain, merges, restarts and leaves the index off now and then; returns what is wrong at last. */
  async run(): Promise<string | undefined> {
    this.grow(3)
    for (let i = 0; i < perRun; i++) {
      if (this.random.percent(30)) this.node.store.write(tokenIndex.mergeWaiting)
      if (this.random.percent(10)) {
        await this.restart(false)
        this.reorganise()
        await this.restart(true)
        if (this.random.percent(50)) this.catchUp()
      }
      this.reorganise()
    }
    this.catchUp()
    return this.compareBalances() ?? (await this.compareRows())
  }

  /** The balances that the node's pages would show, and those that the logs were written to bring about. */
  private compareBalances(): string | undefined {
    const wanted = new Map<string, bigint>()
    const { chain, store } = this.node
    const head = Number(chain.head().header.number)
    const faults: string[] = []
    const report = { fault: (table: string, text: string) => void faults.push(`${table}: ${text}`), progress() {} }
    store.read((reader) => verifyTokens(reader, head, report))
    store.read((reader) => verifyAccounts(reader, head, report))
    if (faults.length > 0) return faults[0]
    return chain.read((view) => {
      for (let number = 1n; number <= view.head.header.number; number++)
        for (const { kind, from, to, amount } of this.said.get(toHex(view.hashAt(number)!))!) {
          const add = (account: string, much: bigint) => wanted.set(account, (wanted.get(account) ?? 0n) + much)
          add(`${toHex(from)} ${kind}`, -amount)
          add(`${toHex(to)} ${kind}`, amount)
        }
      const held = [0, 1, 2].flatMap((kind) =>
        Array.from(view.tokens.holders({ address: contract, kind: kind as 0 | 1 | 2 }), ({ holder, balance }) => ({
          of: `${toHex(holder)} ${kind}`,
          balance,
        })),
      )
      const positive = [...wanted].filter(([of, sum]) => sum > 0n && !of.startsWith(`0x${'0'.repeat(40)}`))
      if (held.length !== positive.length) return `${held.length} holders instead of ${positive.length}`
      const wrong = held.find(({ of, balance }) => wanted.get(of) !== balance)
      return wrong && `${wrong.of} has ${wrong.balance} instead of ${wanted.get(wrong.of)}`
    })
  }

  private rowsOf({ store }: TestChain): readonly string[] {
    store.write(tokenIndex.mergeWaiting)
    return store.read((reader) =>
      tokenTables.flatMap((table) =>
        Array.from(reader.range(table as never, {}), ([key, value]: readonly [unknown, unknown]) =>
          JSON.stringify([table.name, key, value], (_, part) =>
            part instanceof Uint8Array ? toHex(part) : typeof part === 'bigint' ? String(part) : part,
          ),
        ),
      ),
    )
  }

  /** The rows, and those of an index that was made anew. */
  private async compareRows(): Promise<string | undefined> {
    const anew = openIndexed()
    try {
      const blocks = this.node.chain.read((view) =>
        Array.from({ length: Number(view.head.header.number) }, (_, i) => view.blockAt(BigInt(i + 1))!.block),
      )
      for (const block of blocks) anew.chain.importBlock(block)
      const [have, want] = [this.rowsOf(this.node), this.rowsOf(anew)]
      const at = want.findIndex((row, i) => row !== have[i])
      return at < 0 && have.length === want.length ? undefined : `row ${have[at]} instead of ${want[at]}`
    } finally {
      await anew.close()
      removeFolder(anew.path)
    }
  }

  async close(): Promise<void> {
    for (const node of [this.node, this.maker]) {
      await node.close()
      removeFolder(node.path)
    }
  }
}

/** Random reorganisations of a chain with tokens, true and hostile ones: the index is that of a node which saw the last branch alone. */
export async function fuzzTokens({ minutes, count, seed }: Extent): Promise<Tally> {
  const end = performance.now() + minutes * 60_000
  let [passed, failed] = [0, 0]
  for (let at = seed; passed + failed < count && performance.now() < end; at++) {
    const run = new TokenRun(at)
    try {
      const problem = await run.run()
      if (problem === undefined) passed++
      else {
        failed++
        process.stdout.write(`seed ${at}: ${problem}\n`)
      }
    } finally {
      await run.close()
    }
  }
  process.stdout.write(`${passed * perRun} reorganisations\n`)
  return { passed, failed }
}
