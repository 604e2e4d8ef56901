import { existsSync } from 'node:fs'
import { networkOf, readGenesis } from '../../chainData/network.ts'
import { failed, usage } from '../../config/fault.ts'
import { genesisHashOf } from '../../maintenance/genesisHash.ts'
import { type Address, equalBytes } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { writeFileAtomically } from '../../system/writeFileAtomically.ts'
import type { CommandContext } from '../command.ts'
import { interruptible } from '../interruptible.ts'
import { replaceValidators } from './replaceValidators.ts'
import { openValidatorApi } from './validatorApi.ts'

export interface ReplaceValues {
  readonly 'genesis-file': string | undefined
  readonly 'rpc-url': readonly string[]
  readonly lost: readonly Address[]
  readonly new: readonly Address[]
  readonly block: bigint | undefined
  readonly output: string
}

interface Present {
  readonly heads: readonly number[]
  readonly validators: readonly string[]
}

async function ask(urls: readonly string[], stop: AbortSignal): Promise<Present> {
  const nodes = await Promise.all(urls.map((url) => openValidatorApi(url, stop)))
  const heads = await Promise.all(nodes.map((node) => node.head()))
  const highest = nodes[heads.indexOf(Math.max(...heads))]!
  return { heads, validators: await highest.validators() }
}

/** The validators that there are, without those that are lost, and with new ones. */
export function changedValidators(now: readonly string[], lost: readonly string[], added: readonly string[]): string[] {
  const unknown = lost.find((one) => !now.includes(one))
  if (unknown !== undefined) throw failed(`${unknown} is not a validator; those are ${now.join(', ')}`)
  const known = added.find((one) => now.includes(one))
  if (known !== undefined) throw failed(`${known} is a validator already`)
  if (lost.length + added.length === 0) throw usage('--lost or --new: nothing would change')
  return [...now.filter((one) => !lost.includes(one)), ...added]
}

/** `validator replace`: writes the genesis file by which a network goes on with other validators. */
export async function runReplace(values: ReplaceValues, { config, io }: CommandContext): Promise<number> {
  const file = values['genesis-file'] ?? config['genesis-file']
  if (file === undefined) throw usage("Missing required option '--genesis-file'")
  const { output } = values
  if (existsSync(output)) throw failed(`${output} exists already: it is not replaced`)
  const text = readGenesis(file)
  const network = networkOf(file, text, undefined)
  const { heads, validators: now } = await interruptible((stop) => ask(values['rpc-url'], stop))
  const head = Math.max(...heads)
  const block = values.block === undefined ? head + 1 : Number(values.block)
  if (block <= head) throw failed(`block ${block} is there already: the head is ${head}`)
  const validators = changedValidators(now, values.lost.map(toHex), values.new.map(toHex))
  const { text: after, engine, migrates, tolerance } = replaceValidators({ text, block, validators })
  if (!equalBytes(genesisHashOf(network), genesisHashOf(networkOf(file, after, undefined))))
    throw failed('the change would be one of the genesis block')
  writeFileAtomically(output, after)
  const lines = [
    `${output}: from block ${block} on the validators are ${validators.join(', ')}${migrates ? ', under QBFT' : ''}`,
    tolerance === 0 ? 'None of them may fail: that takes four validators at least' : `${tolerance} of them may fail`,
    `Heads of the nodes that were asked: ${heads.join(', ')}. No node may have block ${block}: ask them all, with --rpc-url, before the file is used`,
    `Stop all nodes, give them this file in place of ${file} (those of Besu too${migrates ? '; it has no change from Clique, so that all have to be Quoin' : ''}), and start them again`,
    `Votes that are pending for ${engine === 'ibft2' ? 'IBFT 2.0' : 'QBFT'} end at that block; keys that were lost sign nothing from there on`,
  ]
  io.stdout(`${lines.join('\n')}\n`)
  return 0
}
