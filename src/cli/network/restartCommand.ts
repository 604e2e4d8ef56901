import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../primitives/packageRoot.ts'

/** The command line that runs the network of a directory, in the way in which this program was started. */
export function restartCommand(dir: string, env: Readonly<Record<string, string | undefined>>): string {
  const folder = /^[\w./:\\-]+$/.test(dir) ? dir : `'${dir}'`
  return `${programName(env)} network --dir ${folder}`
}

function programName(env: Readonly<Record<string, string | undefined>>): string {
  if (env['npm_lifecycle_event'] === 'start') return 'npm start --'
  if (env['npm_command'] === 'exec') return 'npx quoin'
  return existsSync(join(packageRoot, 'src')) ? 'bin/quoin' : 'quoin'
}
