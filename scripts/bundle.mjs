// Bundles the program and its worker threads: Node loads a few files much faster than seven hundred.
import { spawnSync } from 'node:child_process'
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

/** Packages that stay outside: two have native parts, graphql is loaded when it is first used. */
const outside = /^(?:node:|lmdb|secp256k1|graphql)/

/** What every command loads, and what a node loads besides, are one file each. */
const programFiles = [
  { name: 'main', test: /src.cli.(?:endProcess|io|runCli|stopWithParent)\.ts$/, priority: 2 },
  { name: 'node', test: /src.node.startNode\.ts$/, priority: 1 },
]

/**
 * The program, its workers and what loads the program are bundled apart: each loads only what it needs. The code that V8 makes of
 * the program is stored beside it.
 */
export async function bundle(out) {
  rmSync(out, { recursive: true, force: true })
  const program = {
    dir: join(out, 'program'),
    format: 'cjs',
    extension: 'cjs',
    codeSplitting: { groups: programFiles },
  }
  const output = [
    ...(await bundleEntries({ cli: 'src/cli/main.ts' }, program)),
    ...(await bundleEntries(entriesOf(workers()), { dir: out, chunks: 'workers/' })),
  ]
  // What loads the program is CommonJS as well, which Node starts sooner; its name is that of any other build.
  const loader = join(out, 'cli')
  for (const source of ['src/cli/bundled/main.ts', 'scripts/makeCodeCache.ts'])
    await bundleEntries([source], { dir: loader, format: 'cjs' })
  writeFileSync(join(loader, 'package.json'), '{ "type": "commonjs" }\n')
  copyLicences(output, join(out, 'licenses'))
  makeCodeCache(join(loader, 'makeCodeCache.js'))
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

/** Runs the file that makes it, once, and not by anybody's settings. Without it the program runs all the same. */
function makeCodeCache(file) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:QUOIN|BESU)_/.test(name)))
  const { status, stderr } = spawnSync(process.execPath, [file], { cwd: root, env, encoding: 'utf8' })
  if (status !== 0) process.stderr.write(`Quoin will start a little slower than it could: ${stderr}\n`)
  rmSync(file)
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
