import { expect, test } from 'vitest'
import { devSpec, devTx, makeBlock, openTestChain } from '../../test/support/testChain.ts'
import { withTempFolder } from '../../test/tempStore.ts'
import type { ChainView } from '../chain/view.ts'
import { fromHex, hexToAddress } from '../primitives/hex.ts'
import { keccak256 } from '../primitives/keccak.ts'
import type { StateChanges } from '../types/stateChanges.ts'
import { proxyAddress } from './flexible/managementContract.ts'
import { createGroupStates } from './groupStates.ts'
import { createPrivateExecutor, type PrivateExecutor, type PrivateJob } from './privateExecutor.ts'

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
    runBlock(jobs: readonly PrivateJob[]): ReturnType<PrivateExecutor['runBlock']>
    callInTurns(): Promise<unknown>
  }) => Promise<void>,
): Promise<void> {
  await withTempFolder(async (folder) => {
    const chain = openTestChain(devSpec, folder)
    makeBlock(chain.chain, [devTx(0n)])
    const groups = createGroupStates(chain.store)
    chain.store.write((txn) => groups.commit(txn, group, 0, hostileGroup, false))
    const consensus = { beneficiary: () => undefined }
    const executor = createPrivateExecutor({ consensus, exactFrom: undefined, kind })
    const view = chain.chain.openView()
    const openState = () => {
      const reader = chain.store.openSnapshot()
      return { state: groups.of(group).at(reader, 'latest'), close: () => reader.close() }
    }
    try {
      await action({
        ...{ executor, view },
        async runBlock(jobs) {
          const { state, close } = openState()
          return executor.runBlock(view, view.blockAt(1n)!, group, state, jobs).finally(close)
        },
        callInTurns: () =>
          executor.callInTurns(view, view.head, group, openState, {
            ...{ sender, to: proxyAddress, gasPrice: 0n, data: new Uint8Array(0) },
          }),
      })
    } finally {
      view.close()
      await chain.close()
    }
  })
}

const job = (to: PrivateJob['message']['to'], data = new Uint8Array(0)): PrivateJob => ({
  ...{ index: 0, isValid: true },
  message: { sender, to, nonce: 0n, gasPrice: 0n, data },
})

test('a transaction that never ends is run once in a block, however often it is marked', () =>
  withExecutor('managed', async ({ runBlock }: Setting) => {
    const other = job(proxyAddress, Uint8Array.of(1))
    const run = runBlock([...Array<PrivateJob>(50).fill(job(proxyAddress)), other, job(undefined)])
    // 200 million gas each, in slices of 5 million, of two transactions.
    const turns = await countTurns(run)
    expect(turns).toBeGreaterThan(60)
    expect(turns).toBeLessThan(160)
    const { receipts } = await run
    expect(receipts.map((receipt) => receipt?.status)).toEqual([...Array<number>(51).fill(0), 1])
  }))

test('a gate that never ends is asked once in a block, within its own limit', () =>
  withExecutor('flexible', async ({ runBlock }: Setting) => {
    const gate = { privateFrom: group, version: new Uint8Array(32) }
    const run = runBlock(Array<PrivateJob>(100).fill({ ...job(proxyAddress), gate }))
    // Three questions of 5 million gas, in slices of a million.
    const turns = await countTurns(run)
    expect(turns).toBeGreaterThan(10)
    expect(turns).toBeLessThan(60)
    expect((await run).receipts).toEqual(Array(100).fill(undefined))
  }))

test('calls of clients leave others their turn, and few of them wait', () =>
  withExecutor('managed', async ({ callInTurns, executor }: Setting) => {
    const first = callInTurns()
    expect(await countTurns(first)).toBeGreaterThan(50)
    expect(await first).toMatchObject({ status: 0, halt: 'outOfGas' })
    const many = Array.from({ length: 70 }, callInTurns)
    expect(await Promise.all(many.slice(65))).toEqual(Array(5).fill(undefined))
    expect(await many[0]).toMatchObject({ status: 0 })
    executor.stop()
    await Promise.allSettled(many)
  }))
