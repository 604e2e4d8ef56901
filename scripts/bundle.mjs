// Bundles the program and its worker threads: Node loads a few files much faster than seven hundred.
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './setup.mjs'

/** Name of each file that runs by itself → its source. */
function entriesOf(sources) {
  return Object.fromEntries(sources.map((name) => [name.replace(/\.ts$/, ''), join('src', name)]))
}

function workers() {
  return readdirSync(join(root, 'src'), { recursive: true })
    .map((name) => String(name).replaceAll('\\', '/'))
    .filter((name) => name.endsWith('Worker.ts'))
}

/** Packages that stay outside: two have native parts, pino finds its own files, graphql is loaded when it is first used. */
const outside = /^(?:node:|lmdb|secp256k1|pino|graphql)/

/**
 * What every command loads, and what a node loads besides, are one file each. Not the entry itself, which waits for the command: what
 * the command loads could not depend on it.
 */
const programFiles = [
  { name: 'main', test: /src.cli.(?:endProcess|io|runCli|stopWithParent)\.ts$/, priority: 2 },
  { name: 'node', test: /src.node.startNode\.ts$/, priority: 1 },
]

/** The program and its workers are bundled apart: a worker loads only what it shares with other workers. */
export async function bundle(out) {
  rmSync(out, { recursive: true, force: true })
  const output = [
    ...(await bundleEntries(entriesOf(['cli/main.ts']), out, 'chunks', { groups: programFiles })),
    ...(await bundleEntries(entriesOf(workers()), out, 'workers', true)),
  ]
  copyLicences(output, join(out, 'licenses'))
}

async function bundleEntries(input, dir, chunks, codeSplitting) {
  const program = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    external: outside,
    tsconfig: false,
    logLevel: 'warn',
  })
  const { output } = await program.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${chunks}/[name].js`,
    codeSplitting,
    comments: false,
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  })
  await program.close()
  return output
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
