import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { anvilBinary } from '../rpc/servers.ts'

/** Versions of the programs and tools that benches compare with or need, by name; undefined for those that do not run here. */
export function readPeerVersions(peersDir: string): Record<string, string | undefined> {
  return {
    geth: ask(join(peersDir, 'geth/geth'), ['version'], /^Version: (\S+)/m),
    Besu: ask(join(peersDir, 'besu/besu'), ['--version'], /besu\/v?([^/\s]+)/),
    anvil: ask(anvilBinary, ['--version'], /Version: (\S+)|anvil (\S+)/),
    Go: ask('go', ['version'], /go(\d\S*)/),
    Rust: ask('rustc', ['--version'], /rustc (\S+)/),
    Java: ask('java', ['-version'], /version "([^"]+)"/),
    wrk: ask('wrk', ['-v'], /wrk (\S+)/),
  }
}

function ask(program: string | (() => string), args: readonly string[], pattern: RegExp): string | undefined {
  try {
    const path = typeof program === 'string' ? program : program()
    // A geth that is not there yet is compiled first.
    const { stdout, stderr } = spawnSync(path, args, { encoding: 'utf8', timeout: 600_000 })
    const match = pattern.exec(`${stdout}\n${stderr}`)
    return match?.slice(1).find((part) => part !== undefined)
  } catch {
    return undefined
  }
}
