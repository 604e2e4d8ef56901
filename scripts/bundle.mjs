// Bundles the program and its worker threads: Node loads a few files much faster than seven hundred.
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
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

/** Packages that stay outside: two have native parts, pino finds its own files, graphql is loaded when it is first used. */
const outside = /^(?:node:|lmdb|secp256k1|pino|graphql)/

export async function bundle(out) {
  const program = await rolldown({
    cwd: root,
    input: entries(),
    platform: 'node',
    external: outside,
    tsconfig: false,
    logLevel: 'warn',
  })
  const { output } = await program.write({
    dir: out,
    format: 'esm',
    cleanDir: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    comments: false,
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  })
  await program.close()
  copyLicences(output, join(out, 'licenses'))
}

/** Packages without a file of their licence → the package of the same project that has it. */
const licencesElsewhere = {
  'react-compiler-runtime': 'react',
  'react-remove-scroll-bar': 'react-remove-scroll',
  'toggle-selection': 'copy-to-clipboard',
  '@graphiql/plugin-doc-explorer': 'graphiql',
  '@graphiql/plugin-history': 'graphiql',
}

/** The licences of the packages whose code is in the bundle ask for their text beside it. */
export function copyLicences(output, out) {
  mkdirSync(out)
  const inside = output.flatMap(({ moduleIds = [] }) => moduleIds.flatMap((id) => packageOf(id) ?? []))
  for (const name of new Set(inside)) {
    const folder = join(root, 'node_modules', licencesElsewhere[name] ?? name)
    const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file))
    if (!licence) throw new Error(`${name} has no file with its licence`)
    copyFileSync(join(folder, licence), join(out, `${name.replace('/', '+')}.txt`))
  }
}

const packageOf = (id) => /node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id)?.[1]?.replaceAll('\\', '/')
