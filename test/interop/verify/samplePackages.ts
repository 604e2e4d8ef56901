import { join } from 'node:path'
import type { Compiler } from '../../../src/sources/compiling/compilers.ts'
import { parseVersion } from '../../../src/sources/compiling/solcVersion.ts'
import { createPackages } from '../packages.ts'
import { type CompilerVersion, compilers } from './contracts.ts'

const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
const runtime = `node-${process.platform}-${process.arch}`
/** Hardhat 3 needs a newer Node.js than Quoin; where this one is too old, that comes from npm too, and what npm leaves out for it. */
const ownNode = Number(process.versions.node.split('.')[0]) >= 22

/** The tools, Sourcify's own library, and compilers side by side. */
export const packages = createPackages('verify', [
  `@foundry-rs/forge-${platform}@1.7.1`,
  'hardhat@3.18.0',
  '@nomicfoundation/hardhat-verify@3.1.1',
  '@ethereum-sourcify/lib-sourcify@3.4.0',
  // Which that needs, and does not say.
  '@ethereum-sourcify/compilers-types@1.0.7',
  '@shazow/whatsabi@0.27.0',
  ...Object.keys(compilers).map((version) => `solc-${version}@npm:solc@${version}`),
  ...(ownNode ? [] : [`${runtime}@24.21.0`, `@nomicfoundation/edr-${process.platform}-${process.arch}-gnu@0.22.0`]),
])

export const modules = join(packages.folder, 'node_modules')
export const forgeProgram = join(modules, `@foundry-rs/forge-${platform}/bin/forge`)
export const hardhatProgram = join(modules, 'hardhat/dist/src/cli.js')
/** The Node.js that runs Hardhat. */
export const hardhatNode = ownNode ? process.execPath : join(modules, runtime, 'bin/node')

export const soljsonOf = (version: CompilerVersion): string => join(modules, `solc-${version}/soljson.js`)

export const compilerOf = (version: CompilerVersion): Compiler => ({
  kind: 'soljson',
  path: soljsonOf(version),
  version: parseVersion(compilers[version])!,
})
