import { expect, test } from 'vitest'
import { withTempFolder } from '../../../test/support/tempStore.ts'
import { devSpec, devTx, makeBlock, openTestChain } from '../../../test/support/testChain.ts'
import type { ChainView } from '../../chain/view.ts'
import { fromHex, hexToAddress } from '../../primitives/hex.ts'
import { keccak256 } from '../../primitives/keccak.ts'
import type { StateChanges } from '../../types/stateChanges.ts'
import { proxyAddress } from '../flexible/managementContract.ts'
import { createGroupStates } from './groupStates.ts'
import { createPrivateExecutor } from './privateExecutor.ts'
import type { PrivateExecutor, PrivateJob } from './privateJobs.ts'

const sender = hexToAddress(`0x${'aa'.repeat(20)}`)
const group = new Uint8Array(32).fill(9)
/** JUMPDEST, and a jump back to it. */
const endless = fromHex('0x5b600056')

/** A group whose management is a contract that never ends. */
const hostileGroup: StateChanges = {
  accounts: [
    {
      ...{ address: proxyAddress, wiped: false, slots: [] },
      account: { nonce: 0n, balance: 0n, codeHash: keccak256(endless) },
    },
  ],
  codes: [{ hash: keccak256(endless), code: endless }],
}

/** Counts how often others have their turn until something is done. */
async function countTurns(done: Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  void done.finally(() => (isDone = true)).catch(() => {})
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve))
    turns++
  }
  return turns
}

type Setting = Parameters<Parameters<typeof withExecutor>[1]>[0]

async function withExecutor(
  kind: 'managed' | 'flexible',
  action: (setting: {
    readonly executor: PrivateExecutor
    readonly view: ChainView
    runBlock(jobs: readonly PrivateJob[], maxTurns?: number): ReturnType<PrivateExecutor['runBlock']>
    call(): Promise<unknown>
  }) => Promise<void>,
): Promise<void> {
  await withTempFolder(async (folder) => {
    const chain = openTestChain(devSpec, folder)
    makeBlock(chain.chain, [devTx(0n)])
    const groups = createGroupStates(chain.store)
    chain.store.write((txn) => groups.commit(txn, group, 0, hostileGroup, false))
    const consensus = { beneficiary: () => undefined }
    const executor = createPrivateExecutor({ consensus, standardFrom: undefined, kind })
    const view = chain.chain.openView()
    const openState = () => {
      const reader = chain.store.openSnapshot()
      return { state: groups.of(group).at(reader, 'latest'), close: () => reader.close() }
    }
    try {
      await action({
        ...{ executor, view },
        async runBlock(jobs, maxTurns) {
          const { state, close } = openState()
          return executor.runBlock(view, view.blockAt(1n)!, group, state, jobs, maxTurns).finally(close)
        },
        call: () =>
          executor.call(view, view.head, group, openState, {
            ...{ sender, to: proxyAddress, gasPrice: 0n, data: new Uint8Array(0) },
          }),
      })
    } finally {
      view.close()
      await chain.close()
    }
  })
}

const job = (to: PrivateJob['message']['to'], data: Uint8Array = new Uint8Array(0)): PrivateJob => ({
  ...{ index: 0, isValid: true },
  message: { sender, to, nonce: 0n, gasPrice: 0n, data },
})

test('a transaction that never ends is run once in a block, however often it is marked', () =>
  withExecutor('managed', async ({ runBlock }: Setting) => {
    const other = job(proxyAddress, Uint8Array.of(1))
    const run = runBlock([...Array<PrivateJob>(50).fill(job(proxyAddress)), other, job(undefined)])
    // 200 million gas each, in slices of 2 million, of two transactions.
    const turns = await countTurns(run)
    expect(turns).toBeGreaterThan(180)
    expect(turns).toBeLessThan(300)
    const { receipts } = (await run)!
    expect(receipts.map((receipt) => receipt?.status)).toEqual([...Array<number>(51).fill(0), 1])
  }))

test('one that fails at great cost is run once in a block, and may be run again in the next one', () =>
  withExecutor('managed', async ({ runBlock }: Setting) => {
    // Counts down from 500,000, 26 gas each, and reverts.
    const costly = fromHex('0x6207a1205b600190038060045760006000fd')
    const run = runBlock(Array<PrivateJob>(50).fill(job(undefined, costly)))
    expect(await countTurns(run)).toBeLessThan(30)
    const { receipts, exhausted } = (await run)!
    expect(receipts.map((receipt) => receipt?.status)).toEqual(Array<number>(50).fill(0))
    expect(exhausted).toEqual([])
  }))

test('one that did not end within its work in an earlier block is not run', () =>
  withExecutor('managed', async ({ runBlock }: Setting) => {
    const run = runBlock([{ ...job(proxyAddress), wasExhausted: true }])
    expect(await countTurns(run)).toBeLessThan(10)
    expect((await run)!.receipts).toMatchObject([{ status: 0 }])
  }))

test('groups take turns, and a block that takes longer than it may is given up', () =>
  withExecutor('managed', async ({ runBlock }: Setting) => {
    const slow = runBlock([job(proxyAddress)])
    const quick = runBlock([job(undefined)])
    const other = Array.from({ length: 3 }, () => runBlock([job(proxyAddress)], 5))
    expect((await quick)!.receipts).toMatchObject([{ status: 1 }])
    // Five turns of each of three, and as many of the slow one meanwhile.
    expect(await countTurns(Promise.all(other))).toBeLessThan(40)
    expect(await Promise.all(other)).toEqual([undefined, undefined, undefined])
    expect((await slow)!.exhausted).toEqual([0])
  }))

test('a gate that never ends is asked once in a block, within its own limit', () =>
  withExecutor('flexible', async ({ runBlock }: Setting) => {
    const gate = { privateFrom: group, version: new Uint8Array(32) }
    const run = runBlock(Array<PrivateJob>(100).fill({ ...job(proxyAddress), gate }))
    // Three questions of 5 million gas, in slices of a million.
    const turns = await countTurns(run)
    expect(turns).toBeGreaterThan(10)
    expect(turns).toBeLessThan(60)
    expect((await run)!.receipts).toEqual(Array(100).fill(undefined))
  }))

test('calls of clients leave others their turn, and few of them wait', () =>
  withExecutor('managed', async ({ call, executor }: Setting) => {
    const first = call()
    expect(await countTurns(first)).toBeGreaterThan(50)
    expect(await first).toMatchObject({ status: 0, halt: 'outOfGas' })
    const many = Array.from({ length: 70 }, call)
    expect(await Promise.all(many.slice(65))).toEqual(Array(5).fill(undefined))
    expect(await many[0]).toMatchObject({ status: 0 })
    executor.stop()
    await Promise.allSettled(many)
  }))
