import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemAccountKeys } from '../../src/forks/systemAccounts.ts'
import type { InteropTerms } from './interop.ts'
import { createQuoinProcess } from './quoinProcess.ts'
import { reach } from './rpcNode.ts'
import type { Seat } from './seat.ts'
import { quoin, withForks } from './upgradePlan.ts'

/** What a node that has a chain of the network says to a file: `doctor`, and at its start. */
async function whatNodeSays(seat: Seat, genesisFile: string): Promise<string> {
  const { stdout } = await quoin(`--genesis-file=${genesisFile}`, `--data-path=${seat.folder}`, 'doctor')
  return stdout
}

/** A network that names the forks, and contracts that it does not have, is told so before they come. */
export async function withoutPlan(terms: InteropTerms, genesis: object, seat: Seat, enode: string): Promise<void> {
  const { checks, folder } = terms
  const now = Math.floor(Date.now() / 1000)
  const at = now + 3 * 86_400
  const london = join(folder, 'london.json')
  const naive = join(folder, 'naive.json')
  writeFileSync(london, JSON.stringify(genesis))
  const times = { shanghaiTime: at, cancunTime: at, pragueTime: at }
  writeFileSync(naive, withForks(genesis, times, systemAccountKeys('prague')))
  const follower = createQuoinProcess({ ...seat, genesisFile: naive })
  const told = 'no block can be made from then on'
  try {
    follower.start(`--bootnodes=${enode}`)
    await checks.step('a node with such a file follows until then', () => reach([follower], 2))
  } finally {
    await follower.stop()
  }
  const log = readFileSync(join(seat.folder, 'quoin.log'), 'utf8')
  checks.equal('without a plan: a start tells that the network would stop', log.includes(told), true)
  const said = await whatNodeSays(seat, naive)
  checks.equal('without a plan: doctor calls it an error', /ERROR.*no block can be made from then on/.test(said), true)
  const plan = (file: string, ...more: readonly string[]) =>
    quoin(`--data-path=${seat.folder}`, 'upgrade', 'plan', `--genesis-file=${file}`, ...more)
  const late = await plan(naive, '--to=osaka', '--besu=25.12', `--at=${at + 86_400}`)
  checks.equal(
    'a plan for such a file is refused',
    [late.code, /its contracts are missing/.test(late.stderr)],
    [1, true],
  )
  const soon = await plan(london, '--to=osaka', `--at=${now + 60}`)
  checks.equal('a plan for a minute from now is refused', [soon.code, /too early/.test(soon.stderr)], [1, true])
}
