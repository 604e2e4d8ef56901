import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const programs = {
  geth: { script: 'geth/geth', env: {}, version: '--version' },
  devp2p: { script: 'geth/geth', env: { GETH_TOOL: 'devp2p' }, version: '--version' },
  besu: { script: 'besu/besu', env: {}, version: '--version' },
  tessera: { script: 'tessera/tessera', env: {}, version: 'version' },
} as const

/** A program of others that is tested against. */
export type PeerProgram = keyof typeof programs

/** What to run for a program, and the environment that makes it that one. */
export function commandOf(program: PeerProgram, peersDir: string): { command: string; env: NodeJS.ProcessEnv } {
  const { script, env } = programs[program]
  return { command: join(peersDir, script), env: { ...process.env, ...env } }
}

/** Why a program cannot be had, undefined when it runs; the first time it may have to be fetched and compiled. */
export function whyMissing(program: PeerProgram, peersDir: string): string | undefined {
  const { command, env } = commandOf(program, peersDir)
  const { status, stderr, error } = spawnSync(command, [programs[program].version], { encoding: 'utf8', env })
  return status === 0 ? undefined : `${program} cannot be had (${error?.message ?? stderr.trim().split('\n').at(-1)})`
}

/** Why a version of Besu is not on this machine; undefined when it is. */
export function whyNoVersion(version: string, peersDir: string): string | undefined {
  const { command, env } = commandOf('besu', peersDir)
  const { status } = spawnSync(command, ['--version'], { env: { ...env, BESU_PEER_VERSION: version } })
  return status === 0 ? undefined : `Besu ${version} cannot be had`
}
