import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Network, networkOf, readGenesis } from '../../chainData/network.ts'
import { failed, usage } from '../../config/fault.ts'
import { codeAtHead } from '../../doctor/codeAtHead.ts'
import { requestContractsOf } from '../../forks/systemContracts.ts'
import { genesisHashOf } from '../../maintenance/genesisHash.ts'
import { type Address, equalBytes, keyOf } from '../../primitives/bytes.ts'
import { writeFileAtomically } from '../../system/writeFileAtomically.ts'
import type { CommandContext } from '../command.ts'
import { planUpgrade, type UpgradePlan, type UpgradeTarget } from './planUpgrade.ts'

export interface PlanValues {
  readonly 'genesis-file': string | undefined
  readonly to: string
  readonly at: string | undefined
  readonly besu: string | undefined
  readonly 'tx-gas-limit': bigint | undefined
  readonly output: string | undefined
}

/** Reads a time that an operator has written. */
export function parseTime(text: string): bigint {
  if (/^\d+$/.test(text)) return BigInt(text)
  const milliseconds = Date.parse(text)
  if (Number.isNaN(milliseconds)) throw usage(`Invalid value for option '--at': '${text}' is no time`)
  return BigInt(Math.floor(milliseconds / 1000))
}

/** Reads a version of Besu as one number: 26.1 is 2601. */
export function parseBesu(text: string): number {
  const [, year, release] = /^v?(\d{2})\.(\d{1,2})(\.\d+)?$/.exec(text) ?? []
  if (year === undefined) throw usage(`Invalid value for option '--besu': '${text}' is no version such as 25.12`)
  return Number(year) * 100 + Number(release)
}

/** Contracts of the genesis file, and those of the chain if there is one on the data path. */
async function codeOf(network: Network, dataPath: string): Promise<(address: Address) => boolean> {
  const placed = new Set(
    network.spec.genesis.alloc.filter(({ code }) => code.length > 0).map(({ address }) => keyOf(address)),
  )
  const wanted = Object.values(requestContractsOf(network.spec.genesis))
  const found = (await codeAtHead(dataPath, network, wanted)) ?? placed
  return (address) => found.has(keyOf(address))
}

function textOf({ changes, missing, effects, steps }: UpgradePlan): string {
  const list = (lines: readonly string[]) => lines.map((line) => `  - ${line}\n`).join('')
  const shown = changes.map(({ path, value }) => `${path.join('.')}: ${value}`)
  return [
    `Changes of the genesis file:\n${list(shown)}`,
    missing.length > 0 ? `System contracts that are missing:\n${list(missing)}` : 'No system contract is missing.\n',
    `What changes for users:\n${list(effects)}`,
    `Steps:\n${steps.map((step, i) => `  ${i + 1}. ${step}\n`).join('')}`,
  ].join('\n')
}

/** `upgrade plan`: prints the plan, and writes the new genesis file if asked to. */
export async function runPlan(values: PlanValues, { config, io }: CommandContext): Promise<number> {
  const file = values['genesis-file'] ?? config['genesis-file']
  if (file === undefined) throw usage("Missing required option '--genesis-file'")
  const { output } = values
  if (output !== undefined && existsSync(output))
    throw failed(`${output} exists already: the plan does not replace files`)
  const text = readGenesis(file)
  const network = networkOf(file, text, undefined)
  const plan = planUpgrade({
    text,
    to: values.to as UpgradeTarget,
    at: values.at === undefined ? undefined : parseTime(values.at),
    now: BigInt(Math.floor(Date.now() / 1000)),
    oldestBesu: values.besu === undefined ? undefined : parseBesu(values.besu),
    txGasLimit: values['tx-gas-limit'],
    hasCode: await codeOf(network, resolve(config['data-path'])),
  })
  const after = networkOf(file, plan.text, undefined)
  if (!equalBytes(genesisHashOf(network), genesisHashOf(after))) throw failed('the plan would change the genesis block')
  io.stdout(textOf(plan))
  if (output !== undefined) {
    writeFileAtomically(output, plan.text)
    io.stdout(`\nThe new genesis file is ${output}.\n`)
  } else io.stdout('\nWith --output=FILE the new genesis file is written.\n')
  return 0
}
