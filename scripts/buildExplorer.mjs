// Bundles the explorer's pages to build/explorer: scripts by rolldown, the style sheets joined to one, names with digests so that
// browsers may keep them forever.
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { copyLicences } from './bundle.mjs'
import { root } from './setup.mjs'

const source = join(root, 'explorer')

/** The script of each page. */
const sources = { main: 'explorer/main.tsx', graphiql: 'explorer/graphiql.ts' }

/** Style sheets of each page, in order. */
const styles = {
  main: [
    'node_modules/uplot/dist/uPlot.min.css',
    ...['tokens', 'base', 'layout', 'parts', 'state', 'sources'].map((name) => `explorer/style/${name}.css`),
  ],
  graphiql: ['node_modules/graphiql/dist/style.css', 'explorer/style/graphiql.css'],
}

/** What the first page may weigh, compressed. */
export const maxFirstPage = 300_000

function digestOf(content) {
  return createHash('sha256').update(content).digest('hex').slice(0, 8)
}

function writeStyle(out, name) {
  const css = styles[name].map((path) => readFileSync(join(root, path), 'utf8')).join('\n')
  const file = `assets/${name}/style-${digestOf(css)}.css`
  writeFileSync(join(out, file), css)
  return file
}

export async function buildExplorer(out = join(root, 'build/explorer')) {
  rmSync(out, { recursive: true, force: true })
  for (const name of Object.keys(sources)) mkdirSync(join(out, 'assets', name), { recursive: true })
  const output = [...(await bundlePage(out, 'main')), ...(await bundlePage(out, 'graphiql'))]
  writePage(out, 'index.html', 'main', output)
  writePage(out, 'graphiql.html', 'graphiql', output)
  copyFileSync(join(source, 'icon.svg'), join(out, 'icon.svg'))
  copyLicences(output, join(out, 'licenses'))
  compressAll(out)
  const weight = firstPageWeight(out)
  if (weight > maxFirstPage)
    throw new Error(`the explorer's first page weighs ${weight} bytes, more than ${maxFirstPage}`)
}

/** Each page is bundled by itself: the pages share nothing that would be worth a file of its own. */
async function bundlePage(out, name) {
  const page = await rolldown({
    cwd: root,
    input: { [name]: sources[name] },
    platform: 'browser',
    tsconfig: join(source, 'tsconfig.json'),
    transform: { define: { 'process.env.NODE_ENV': '"production"' }, target: 'es2022' },
    logLevel: 'warn',
    // “use client” of React's libraries means nothing here.
    onLog: (level, log, next) => log.code === 'MODULE_LEVEL_DIRECTIVE' || next(level, log),
  })
  const { output } = await page.write({
    dir: join(out, 'assets', name),
    format: 'esm',
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    minify: true,
    comments: false,
  })
  await page.close()
  return output
}

function writePage(out, file, name, output) {
  const script = output.find((chunk) => chunk.isEntry && chunk.name === name).fileName
  const html = readFileSync(join(source, file), 'utf8')
    .replace('%style%', writeStyle(out, name))
    .replace('%main%', `assets/${name}/${script}`)
  writeFileSync(join(out, file), html)
}

/** The server sends what browsers accept: it compresses nothing itself. */
function compressAll(out) {
  for (const name of readdirSync(out, { recursive: true }).map(String)) {
    if (!/\.(js|css|html|svg)$/.test(name)) continue
    const content = readFileSync(join(out, name))
    writeFileSync(join(out, `${name}.br`), brotliCompressSync(content))
    writeFileSync(join(out, `${name}.gz`), gzipSync(content, { level: 9 }))
  }
}

/** Compressed size of all that the first page loads. */
export function firstPageWeight(out) {
  const html = readFileSync(join(out, 'index.html'), 'utf8')
  const files = readdirSync(join(out, 'assets/main')).filter((name) => html.includes(name.replace(/\.gz$/, '')))
  const paths = [
    'index.html.gz',
    'icon.svg.gz',
    ...files.filter((name) => name.endsWith('.gz')).map((name) => `assets/main/${name}`),
  ]
  return paths.reduce((sum, path) => sum + statSync(join(out, path)).size, 0)
}
