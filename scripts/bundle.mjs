// Bundles the program and its worker threads: Node loads a few files much faster than seven hundred. Packages stay outside,
// because some of them have native parts.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './setup.mjs'

/** Name of each file that runs by itself → its source. */
export function entries() {
  const workers = readdirSync(join(root, 'src'), { recursive: true })
    .map(String)
    .filter((f) => f.endsWith('Worker.ts'))
  const sources = ['cli/main.ts', ...workers.map((name) => name.replaceAll('\\', '/'))]
  return Object.fromEntries(sources.map((name) => [name.replace(/\.ts$/, ''), join('src', name)]))
}

export async function bundle(out) {
  const program = await rolldown({
    cwd: root,
    input: entries(),
    platform: 'node',
    external: /^[^./]/,
    tsconfig: false,
    logLevel: 'warn',
  })
  await program.write({
    dir: out,
    format: 'esm',
    cleanDir: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    comments: false,
  })
  await program.close()
}
