import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../src/primitives/packageRoot.ts'

/** Compiles bench/peers/NAME and gives the program's path. */
export function buildGoPeer(name: string): string {
  const program = join(tmpdir(), 'quoin-bench', name)
  // go-ethereum 1.13 reaches into Go's runtime in a way that newer linkers refuse by default.
  const args = ['build', '-ldflags=-checklinkname=0', '-o', program, '.']
  const cwd = join(packageRoot, 'bench/peers', name)
  const { status, error, stderr } = spawnSync('go', args, { cwd, encoding: 'utf8' })
  if (error) throw new Error(`Go is needed to compile bench/peers/${name}: ${error.message}`)
  if (status !== 0) throw new Error(`bench/peers/${name} does not compile: ${stderr.trim()}`)
  return program
}
