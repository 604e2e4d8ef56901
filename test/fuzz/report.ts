import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { rulesOf } from '../../src/forks/rules.ts'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { opcodesOf } from '../oracle/opcodes.ts'
import { stateRoot } from '../oracle/stateRoot.ts'
import type { Divergence } from './checks.ts'
import { findingToJson } from './finding.ts'
import { instructionsOf } from './instructions.ts'
import { observeOracle } from './observeOracle.ts'
import type { Scenario } from './scenario.ts'

/** Where fixed cases live, from source and from compiled files alike. */
export const findingsFolder = join(packageRoot, 'test/fuzz/findings')

/** Tells of a divergence and keeps the scenario, which has been made small, as a fixed case. */
export function report(seed: number, small: Scenario, divergences: readonly Divergence[]): void {
  const lines = [`Divergence at seed ${seed}, ${small.fork}:`]
  for (const [differences, who] of byDifferences(divergences)) {
    lines.push(`  oracle ≠ ${who.join(', ')}:`)
    lines.push(differences)
  }
  for (const [address, { code }] of small.pre)
    if (code.length > 0) lines.push(`  code of 0x${address.toString(16)}: ${disassembly(small, code)}`)
  for (const { tx, sender } of small.txs)
    lines.push(`  transaction of type ${tx.type} from 0x${sender.toString(16)}: ${text(tx)}`)
  lines.push(`  kept as ${keep(seed, small, divergences)}`)
  process.stdout.write(lines.join('\n') + '\n')
}

/** Who sees the same. */
function byDifferences(divergences: readonly Divergence[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const { who, tx, differences } of divergences) {
    const some = differences.slice(0, 8).map((difference) => `    transaction ${tx}: ${difference}`)
    const key = some.join('\n')
    groups.set(key, [...(groups.get(key) ?? []), who])
  }
  return groups
}

function keep(seed: number, scenario: Scenario, divergences: readonly Divergence[]): string {
  const about = divergences.map(({ who, differences }) => `${who}: ${differences[0]}`).join('; ')
  const roots = observeOracle(scenario).map(({ post }) => stateRoot(post))
  const file = join(findingsFolder, `${scenario.fork}-${seed}.json`)
  mkdirSync(findingsFolder, { recursive: true })
  writeFileSync(file, findingToJson({ about, seed, scenario, roots }))
  return relative(packageRoot, file)
}

function disassembly({ fork }: Scenario, code: Uint8Array): string {
  const table = opcodesOf(rulesOf(fork))
  return instructionsOf(code)
    .map(([byte, ...data]) => {
      const name = table[byte!]?.name ?? `0x${byte!.toString(16)}`
      return data.length > 0 ? `${name} ${Buffer.from(data).toString('hex')}` : name
    })
    .join(', ')
}

function text(value: object): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === 'bigint') return member.toString()
    return member instanceof Uint8Array ? '0x' + Buffer.from(member).toString('hex') : member
  })
}
