import type { Checks } from '../checks.ts'
import { runCommand } from '../command.ts'
import { eventually } from '../rpcNode.ts'
import { compilers } from './contracts.ts'
import { type Deployed, encodeArguments } from './deploySamples.ts'
import type { ForgeProjects } from './forgeProjects.ts'
import { forgeProgram } from './samplePackages.ts'
import { chainId, type SourceChain } from './sourceChain.ts'
import { bestMatch, checkResult } from './verdicts.ts'

/** The API that forge speaks: Sourcify's, or Etherscan's, which Blockscout has as well. */
export type ForgeApi = 'sourcify' | 'blockscout'

export interface ForgeTerms {
  readonly checks: Checks
  readonly chain: SourceChain
  readonly projects: ForgeProjects
  readonly api: ForgeApi
  readonly env: NodeJS.ProcessEnv
}

/** Has forge verify a contract and ask for the outcome, as users do. */
export async function verifyWithForge(terms: ForgeTerms, deployed: Deployed): Promise<void> {
  const { checks, chain, projects, api } = terms
  const { sample, address, args } = deployed
  // Forge joins paths to the address of Sourcify, as of a folder.
  const url = chain.sourcesUrl + (api === 'sourcify' ? '/' : '/api')
  const where = ['--chain', String(chainId), '--verifier', api, '--verifier-url', url]
  const options = { cwd: projects.folderOf(sample), env: { ...terms.env, HOME: projects.home, NO_COLOR: '1' } }
  const run = async (command: string, ...more: readonly string[]) => {
    const { stdout, stderr } = await runCommand(forgeProgram, [command, ...more, ...where], options)
    return `${stdout}${stderr}`.trim()
  }
  const compiler = ['--compiler-version', compilers[sample.compiler]]
  const given = args.length > 0 ? ['--constructor-args', encodeArguments(args)] : []
  const sent = await run('verify-contract', address, `src/${sample.target}`, ...compiler, ...given)
  const id = /(?:Job ID|GUID): `([^`]+)`/.exec(sent)?.[1]
  if (id === undefined) return checks.equal(`forge, ${api}: ${sample.name}`, sent.slice(-700), 'a job')
  await eventually(`job ${id}`, async () => {
    const reply = await fetch(`${chain.sourcesUrl}/v2/verify/${id}`)
    return ((await reply.json()) as { isJobCompleted: boolean }).isJobCompleted
  })
  const says = await run('verify-check', id)
  const success = /successfully verified|Pass - Verified/i
  await checkResult({ checks, chain, tool: `forge, ${api}` }, deployed, says, { success, match: bestMatch(sample) })
}
