import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../primitives/packageRoot.ts'

const systems: Partial<Record<NodeJS.Platform, string>> = { darwin: 'osx', win32: 'windows' }
const processors: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch_64' }

/** Name, version and platform as peers, web3_clientVersion and --version show them. */
export function clientVersion(identity?: string): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string }
  const platform = `${systems[process.platform] ?? process.platform}-${processors[process.arch] ?? process.arch}`
  return ['quoin', ...(identity ? [identity] : []), `v${version}`, platform, `node-${process.version}`].join('/')
}
