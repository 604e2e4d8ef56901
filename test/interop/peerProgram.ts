import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const scripts = { geth: 'geth/geth', besu: 'besu/besu' } as const

/** A program of others that is tested against. */
export type PeerProgram = keyof typeof scripts

/** Why a program cannot be had, undefined when it runs; the first time it may have to be fetched and compiled. */
export function whyMissing(program: PeerProgram, peersDir: string): string | undefined {
  const { status, stderr, error } = spawnSync(join(peersDir, scripts[program]), ['--version'], { encoding: 'utf8' })
  return status === 0 ? undefined : `${program} cannot be had (${error?.message ?? stderr.trim().split('\n').at(-1)})`
}
