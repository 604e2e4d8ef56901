import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** Npm packages that a test uses; they are fetched on first use into a folder outside of the repository. */
export interface Packages {
  /** Where they are, with `node_modules` inside. */
  readonly folder: string
  /** Fetches what is not there yet; returns why it cannot be had, undefined when it is there. */
  fetch(): Promise<string | undefined>
}

/** Packages `NAME@VERSION` in a folder of a name. */
export function createPackages(name: string, packages: readonly string[]): Packages {
  const folder = join(tmpdir(), 'quoin-interop', name)
  const stamp = join(folder, 'packages.txt')
  const list = packages.join('\n')
  return {
    folder,
    async fetch() {
      if (existsSync(stamp) && readFileSync(stamp, 'utf8') === list) return undefined
      mkdirSync(folder, { recursive: true })
      // Programs of the packages come as packages of their own, so no script has to run.
      const install = ['install', '--prefix', folder, '--no-save', '--ignore-scripts', ...packages]
      const child = spawn('npm', install, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
      const [noise, code] = await Promise.all([
        text(child.stderr),
        new Promise<number | null>((resolve) => child.on('close', resolve).on('error', () => resolve(null))),
      ])
      if (code !== 0)
        return `npm install ${packages.join(' ')} failed (${noise.trim().split('\n').slice(-3).join(' ')})`
      writeFileSync(stamp, list)
      return undefined
    },
  }
}
