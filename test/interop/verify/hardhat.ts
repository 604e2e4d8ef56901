import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Checks } from '../checks.ts'
import { outputOf } from '../command.ts'
import { quietly, writeProject } from '../hardhatProject.ts'
import { type CompileSettings, type Sample, samples } from './contracts.ts'
import { type CodeOf, type Deployed, type LinkReferences, linkCode } from './deploySamples.ts'
import { hardhatNode, hardhatProgram, modules, soljsonOf } from './samplePackages.ts'
import { chainId, type SourceChain } from './sourceChain.ts'
import { bestMatch, checkResult } from './verdicts.ts'

/** Who is asked to verify by Hardhat: its own names. */
export type HardhatApi = 'sourcify' | 'blockscout'

const settingsOf = ({ evm, runs, viaIr, hash, hasNoCbor }: CompileSettings) => ({
  optimizer: { enabled: runs !== undefined, runs: runs ?? 200 },
  evmVersion: evm,
  ...(viaIr && { viaIR: true }),
  ...((hash || hasNoCbor) && {
    metadata: { ...(hash && { bytecodeHash: hash }), ...(hasNoCbor && { appendCBOR: false }) },
  }),
})

const pathOf = ({ name }: Sample, file: string) => `contracts/${name}/${file}`

const compilerOf = ({ compiler, settings }: Sample) => ({
  ...{ version: compiler, path: soljsonOf(compiler), settings: settingsOf(settings) },
})

const overrides = () =>
  Object.fromEntries(
    samples.flatMap((sample) => Object.keys(sample.files).map((file) => [pathOf(sample, file), compilerOf(sample)])),
  )

const config = () => `import { defineConfig } from 'hardhat/config'
import verify from '@nomicfoundation/hardhat-verify'
const { QUOIN_URL: url = 'http://127.0.0.1:8545', SOURCES_URL: sources = 'http://127.0.0.1:8548' } = process.env
const blockscout = { name: 'Own', url: sources, apiUrl: sources + '/api' }
export default defineConfig({
  plugins: [verify],
  solidity: { compilers: [${JSON.stringify(compilerOf(samples[0]!))}], overrides: ${JSON.stringify(overrides())} },
  networks: { own: { type: 'http', chainType: 'l1', url, accounts: [] } },
  chainDescriptors: { ${chainId}: { name: 'Own', blockExplorers: { blockscout } } },
  verify: { etherscan: { enabled: false }, blockscout: { enabled: true }, sourcify: { enabled: true, apiUrl: sources } },
})
`

/** Verifies all that a file lists, and writes what Hardhat said of each. */
const script = `import { readFileSync, writeFileSync } from 'node:fs'
import hre from 'hardhat'
import { verifyContract } from '@nomicfoundation/hardhat-verify/verify'
const said = []
for (const asked of JSON.parse(readFileSync('asked.json', 'utf8'))) {
  try {
    said.push((await verifyContract(asked, hre)) ? 'verified' : 'not verified')
  } catch (error) {
    said.push(error.message)
  }
}
writeFileSync('said.json', JSON.stringify(said))
`

/** A project of Hardhat with all samples. */
export interface HardhatProject {
  build(): Promise<void>
  /** Code as Hardhat has compiled it. */
  readonly codeOf: CodeOf
  /** Verifies contracts that are on one chain at the node of another, where others may be at their addresses. */
  verify(api: HardhatApi, all: readonly Deployed[], on: SourceChain, at: SourceChain, checks: Checks): Promise<void>
}

// Users build for production what they verify.
const production = ['--build-profile', 'production']

export function writeHardhatProject(parent: string): HardhatProject {
  const files = Object.fromEntries(
    samples.flatMap((sample) => Object.entries(sample.files).map(([file, text]) => [pathOf(sample, file), text])),
  )
  const folder = writeProject(join(parent, 'hardhat'), {
    ...{
      'package.json': '{"private":true,"type":"module"}',
      'hardhat.config.ts': config(),
      'scripts/verify.ts': script,
    },
    ...files,
  })
  symlinkSync(modules, join(folder, 'node_modules'))
  const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    outputOf(hardhatNode, [hardhatProgram, ...production, ...args], { cwd: folder, env: { ...quietly, ...env } })
  return {
    async build() {
      await run(['build'])
    },
    codeOf(sample, contract, libraries) {
      const [file, name] = contract.split(':') as [string, string]
      const path = join(folder, 'artifacts', pathOf(sample, file), `${name}.json`)
      const { bytecode, linkReferences } = JSON.parse(readFileSync(path, 'utf8')) as {
        bytecode: string
        linkReferences: LinkReferences
      }
      const addressOf = (at: string, library: string) => libraries[`${at.slice(at.lastIndexOf('/') + 1)}:${library}`]!
      return linkCode(bytecode, linkReferences, addressOf)
    },
    async verify(api, all, on, at, checks) {
      const asked = all.map(({ sample, address, args, libraries }) => ({
        ...{ address, contract: pathOf(sample, sample.target), provider: api },
        constructorArgs: args.map(({ value }) => value),
        libraries: Object.fromEntries(
          Object.entries(libraries).map(([name, place]) => [`project/${pathOf(sample, name)}`, place]),
        ),
      }))
      writeFileSync(join(folder, 'asked.json'), JSON.stringify(asked))
      await run(['run', '--no-compile', 'scripts/verify.ts', '--network', 'own'], {
        ...{ QUOIN_URL: on.url, SOURCES_URL: at.sourcesUrl },
      })
      const said = JSON.parse(readFileSync(join(folder, 'said.json'), 'utf8')) as readonly string[]
      for (const [i, deployed] of all.entries()) {
        // Hardhat compiles without addresses of libraries, which it then sends: they are in the metadata.
        const match = deployed.sample.libraries ? 'match' : bestMatch(deployed.sample)
        const terms = { checks, chain: at, tool: `Hardhat 3, ${api}` }
        await checkResult(terms, deployed, said[i]!, { success: /^verified$/, match })
      }
    },
  }
}
