import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Interop } from './interop.ts'
import { samples } from './verify/contracts.ts'
import { deploySamples } from './verify/deploySamples.ts'
import { verifyWithForge } from './verify/forge.ts'
import { writeForgeProjects } from './verify/forgeProjects.ts'
import { writeHardhatProject } from './verify/hardhat.ts'
import { judge } from './verify/judge.ts'
import { readWithWhatsabi } from './verify/readers.ts'
import { packages } from './verify/samplePackages.ts'
import { withSourceChain } from './verify/sourceChain.ts'
import { withReleaseList } from './verify/withReleaseList.ts'

type Terms = Parameters<Interop['run']>[0]

/** Some of all: the other API leads to the same code behind it. */
const someOf = <T>(all: readonly T[]): readonly T[] => all.filter((_, i) => i % 3 === 0)

/** Forge sends all contracts to one node by Sourcify's API, and some to another by Etherscan's. */
async function runForge({ checks, folder }: Terms): Promise<void> {
  const projects = writeForgeProjects(folder)
  for (const sample of samples) await checks.step(`forge build: ${sample.name}`, () => projects.build(sample))
  await withReleaseList(folder, async (env) => {
    for (const api of ['sourcify', 'blockscout'] as const)
      await withSourceChain(join(folder, `forge-${api}`), async (chain) => {
        const all = await deploySamples(chain, projects.codeOf, 'as they differ')
        const sent = api === 'sourcify' ? all : someOf(all)
        for (const deployed of sent) await verifyWithForge({ checks, chain, projects, api, env }, deployed)
        if (api === 'sourcify') await judge(checks, 'forge', chain, sent)
        await readWithWhatsabi(checks, chain, sent)
      })
  })
}

/**
 * Hardhat looks itself whether a contract has the code that it has compiled, before it sends anything. For the node to be what refuses
 * those that differ, Hardhat sees another chain, on which they are as the sources say, at the same addresses.
 */
async function runHardhat({ checks, folder }: Terms): Promise<void> {
  const project = writeHardhatProject(folder)
  await checks.step('hardhat build', () => project.build())
  await withSourceChain(join(folder, 'hardhat-right'), (right) =>
    withSourceChain(join(folder, 'hardhat-differing'), async (differing) => {
      await deploySamples(right, project.codeOf, 'as the sources say')
      const all = await deploySamples(differing, project.codeOf, 'as they differ')
      await project.verify('sourcify', all, right, differing, checks)
      await judge(checks, 'Hardhat', differing, all)
      // The other node knows no sources yet.
      const same = all.filter(({ difference }) => difference === undefined)
      await project.verify('blockscout', someOf(same), right, right, checks)
    }),
  )
}

export const verify: Interop = {
  name: 'verify',
  doc: 'Forge and Hardhat 3 verify contracts at a node and are refused for others; what it has is compared with lib-sourcify and read by whatsabi.',
  whyNot: () => packages.fetch(),
  async run(terms) {
    mkdirSync(terms.folder, { recursive: true })
    await runForge(terms)
    await runHardhat(terms)
  },
}
