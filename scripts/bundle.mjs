// Bundles the program and its worker threads: Node loads a few files much faster than seven hundred.
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
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

/** Packages that stay outside: three have native parts, the others are loaded when they are first used. */
const outside = /^(?:node:|lmdb|secp256k1|koffi|graphql|quickjs-emscripten-core|@jitl)/

/** What every command loads, and what a node loads besides, are one file each. */
const programFiles = [
  { name: 'main', test: /src.cli.(?:endProcess|io|runCli|stopWithParent)\.ts$/, priority: 2 },
  { name: 'node', test: /src.node.startNode\.ts$/, priority: 1 },
]

/**
 * The program and its workers are bundled apart: each loads only what it needs. The program is CommonJS, which Node starts sooner
 * than modules of ECMAScript; from version 22 on it keeps the compiled code of it as well (bin/quoin).
 */
export async function bundle(out) {
  rmSync(out, { recursive: true, force: true })
  const program = {
    dir: join(out, 'cli'),
    format: 'cjs',
    extension: 'cjs',
    codeSplitting: { groups: programFiles },
  }
  const output = [
    ...(await bundleEntries({ main: 'src/cli/main.ts' }, program)),
    ...(await bundleEntries(entriesOf(workers()), { dir: out, chunks: 'workers/' })),
  ]
  copyLicences(output, join(out, 'licenses'))
}

async function bundleEntries(input, { dir, format = 'esm', extension = 'js', chunks = '', codeSplitting = true }) {
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
    format,
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `${chunks}[name].${extension}`,
    codeSplitting,
    comments: false,
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  })
  await program.close()
  for (const { fileName, code } of output) writeFileSync(join(dir, fileName), inAscii(code))
  return output
}

/** V8 keeps a text with any other character in twice the memory. They occur in literals only. */
const inAscii = (code) =>
  code.replace(/[^\0-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

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
