import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { workerUrl } from '../../../src/primitives/packageRoot.ts'
import { outputOf } from '../command.ts'
import { type CompilerVersion, compilers, type Sample, samples } from './contracts.ts'
import { type CodeOf, type LinkReferences, linkCode, placesOfLibraries } from './deploySamples.ts'
import { forgeProgram, soljsonOf } from './samplePackages.ts'

/** Forge looks for compilers where svm has them; these have the packages of npm behind the same options. */
const compiler = (version: CompilerVersion) => `#!${process.execPath}
import(${JSON.stringify(workerUrl('sources/compiling/soljson.ts').href)}).then(({ loadSoljson }) => {
  const solc = loadSoljson(${JSON.stringify(soljsonOf(version))})
  const version = solc.version.replace('.Emscripten.clang', '.Linux.g++')
  if (process.argv.includes('--version')) console.log('solc, the solidity compiler commandline interface\\nVersion: ' + version)
  else process.stdout.write(solc.compile(require('node:fs').readFileSync(0, 'utf8')))
})
`

const programOf = (home: string, version: string) => join(home, `.svm/${version}/solc-${version}`)

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** A project of Foundry for each sample: its settings are those of all files of a project. */
export interface ForgeProjects {
  /** The home directory of forge. */
  readonly home: string
  folderOf(sample: Sample): string
  build(sample: Sample): Promise<void>
  /** Code as forge has compiled it. */
  readonly codeOf: CodeOf
}

export function writeForgeProjects(folder: string): ForgeProjects {
  const home = join(folder, 'home')
  for (const version of Object.keys(compilers) as CompilerVersion[]) {
    write(programOf(home, version), compiler(version))
    chmodSync(programOf(home, version), 0o755)
  }
  write(join(home, '.svm/.global-version'), '')
  const places = placesOfLibraries()
  const folderOf = ({ name }: Sample) => join(folder, 'forge', name)
  for (const sample of samples) {
    for (const [name, text] of Object.entries(sample.files)) write(join(folderOf(sample), 'src', name), text)
    write(join(folderOf(sample), 'foundry.toml'), configOf(sample, places.get(sample)!))
  }
  return {
    home,
    folderOf,
    async build(sample) {
      const options = { cwd: folderOf(sample), env: { HOME: home, NO_COLOR: '1' } }
      await outputOf(forgeProgram, ['build', '--use', programOf(home, sample.compiler)], options)
    },
    codeOf(sample, contract, libraries) {
      const [file, name] = contract.split(':') as [string, string]
      const { bytecode } = JSON.parse(readFileSync(join(folderOf(sample), 'out', file, `${name}.json`), 'utf8')) as {
        bytecode: { object: string; linkReferences: LinkReferences }
      }
      const addressOf = (path: string, library: string) => libraries[`${path.replace('src/', '')}:${library}`]!
      return linkCode(bytecode.object, bytecode.linkReferences, addressOf)
    },
  }
}

function configOf({ settings }: Sample, libraries: Readonly<Record<string, string>>): string {
  const { evm, runs, viaIr = false, hash = 'ipfs', hasNoCbor = false } = settings
  const linked = Object.entries(libraries).map(([name, address]) => `src/${name}:${address}`)
  return `[profile.default]
offline = true
evm_version = "${evm}"
optimizer = ${runs !== undefined}
optimizer_runs = ${runs ?? 200}
via_ir = ${viaIr}
bytecode_hash = "${hash}"
cbor_metadata = ${!hasNoCbor}
libraries = ${JSON.stringify(linked)}
`
}
