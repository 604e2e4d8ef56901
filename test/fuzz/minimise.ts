import type { AccountState } from '../oracle/state.ts'
import { codeOfInstructions, instructionsOf } from './instructions.ts'
import { observeOracle } from './observeOracle.ts'
import type { Scenario, ScenarioTx } from './scenario.ts'

type Fails = (scenario: Scenario) => boolean | Promise<boolean>

/** Attempts after which the scenario is small enough. */
const patience = 3000

/** The smallest scenario near the given one that still fails. */
export async function minimise(scenario: Scenario, fails: Fails): Promise<Scenario> {
  let best = scenario
  let left = patience
  const attempt = async (smaller: Scenario): Promise<boolean> => {
    if (left-- <= 0 || !(await fails(smaller))) return false
    best = smaller
    return true
  }

  let size: number
  do {
    size = sizeOf(best)
    // The first transactions may have done their work before the scenario begins.
    const { txs } = best
    for (const [done, { post }] of observeOracle(best).entries())
      await attempt({ ...best, pre: post, txs: txs.slice(done + 1) })
    await dropMembers(best.txs, (txs) => attempt({ ...best, txs }))
    await dropMembers([...best.pre], (accounts) => attempt({ ...best, pre: new Map(accounts) }))
    for (const address of best.pre.keys()) {
      const change = (fields: Partial<AccountState>) => {
        const account = { ...best.pre.get(address)!, ...fields }
        return attempt({ ...best, pre: new Map(best.pre).set(address, account) })
      }
      const { code, storage } = best.pre.get(address)!
      await dropMembers([...storage], (slots) => change({ storage: new Map(slots) }))
      await dropMembers(instructionsOf(code), (list) => change({ code: codeOfInstructions(list) }))
    }
    for (const index of best.txs.keys()) {
      const change = (fields: object) => {
        const txs = best.txs.map((sent, i) => (i === index ? withFields(sent, fields) : sent))
        return attempt({ ...best, txs })
      }
      const { tx } = best.txs[index]!
      await dropMembers(instructionsOf(tx.data), (list) => change({ data: codeOfInstructions(list) }))
      if (tx.type > 0) await change({ accessList: [] })
      if (tx.type === 4) await dropMembers(tx.authorizations, (authorizations) => change({ authorizations }))
      if (tx.value > 0n) await change({ value: 0n })
    }
  } while (sizeOf(best) < size && left > 0)
  return best
}

function withFields({ tx, sender }: ScenarioTx, fields: object): ScenarioTx {
  return { tx: { ...tx, ...fields }, sender }
}

function sizeOf({ pre, txs }: Scenario): number {
  let size = 100 * txs.length
  for (const { code, storage } of pre.values()) size += 10 + code.length + storage.size
  for (const { tx } of txs) size += tx.data.length
  return size
}

/** Tries to leave out members: first halves, then ever smaller runs, in the end single ones. */
async function dropMembers<T>(list: readonly T[], accept: (rest: readonly T[]) => Promise<boolean>): Promise<void> {
  let rest = list
  for (let run = Math.ceil(list.length / 2); run >= 1; run = run === 1 ? 0 : Math.ceil(run / 2)) {
    for (let at = 0; at < rest.length; ) {
      const shorter = [...rest.slice(0, at), ...rest.slice(at + run)]
      if (await accept(shorter)) rest = shorter
      else at += run
    }
  }
}
