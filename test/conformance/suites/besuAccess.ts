import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { accessDifferences, type Difference, differenceName } from '../access/differences.ts'
import { type FlowResult, runFlows } from '../access/runFlows.ts'
import { type Data, MissingData } from '../data.ts'
import type { Case, Suite } from '../suite.ts'

interface Flow {
  readonly name: string
  /** The set-up of nodes that it shares with other flows. */
  readonly share?: string
}

/** Flows that can run on the same nodes. */
type Group = readonly string[]

export const besuAccess: Suite = {
  name: 'besu-access',
  doc: 'Flows of permissioning, authentication, TLS and hosts recorded from Besu 24.1.2, on nodes of their own.',
  rare: true,
  async *cases(data, { filter = '' }) {
    for (const group of data.share(groupsOf(data))) {
      const wanted = group.filter((name) => name.includes(filter))
      if (wanted.length === 0) continue
      for (const result of await runFlows(join(data.folder, 'besu-access'), wanted)) yield* casesOf(result)
    }
  },
}

/** A case for the flow, and one for each step that is known to differ. */
function casesOf({ name, fail, skip }: FlowResult): readonly Case[] {
  const known = accessDifferences.filter(({ flow }) => flow === name)
  const isKnown = (step: number, why: string) => known.some((one) => one.step === step && why.includes(one.instead))
  const others = fail
    .filter(({ step, why }) => !isKnown(step, why))
    .map((one) => `step ${one.step} ${one.what}: ${one.why}`)
  const gone = known
    .filter((one) => skip === undefined && !fail.some(({ step }) => step === one.step))
    .map(describeGone)
  const problems = [...others, ...gone, ...(skip === undefined ? [] : [`skipped: ${skip}`])]
  const run = () => {
    if (problems.length) throw new Error(problems.join('\n  '))
  }
  return [{ name, run }, ...known.map((one) => ({ name: differenceName(one), run() {} }))]
}

function describeGone({ step }: Difference): string {
  return `step ${step} does not differ any more: remove the difference`
}

function groupsOf(data: Data): readonly Group[] {
  const place = join(data.folder, 'besu-access', 'flows')
  let files: string[]
  try {
    files = readdirSync(place).sort()
  } catch {
    throw new MissingData(`no besu-access/flows in ${data.folder}`)
  }
  const groups = new Map<string, string[]>()
  for (const file of files) {
    const { name, share } = data.json(`besu-access/flows/${file}`) as Flow
    const key = share === undefined ? `flow ${name}` : `nodes ${share}`
    groups.set(key, [...(groups.get(key) ?? []), name])
  }
  return [...groups.values()]
}
