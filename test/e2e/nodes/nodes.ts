import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../src/primitives/packageRoot.ts'
import type { Suite, SuiteTerms } from '../suite.ts'
import { fetchNode, majors, type OtherNode } from './fetchNode.ts'
import { type Place, runCommand, runNetwork, runPackage, runStart } from './nodeParts.ts'

/** Tests of what depends on the version of Node: the engine's flags and WebAssembly, sockets, threads, processes, native packages. */
const fastTests = [
  ...['src/primitives', 'src/http', 'src/store'],
  ...['test/node/startStop.test.ts', 'test/rpc/transcripts.test.ts', 'test/rpc/servers.test.ts'],
]

const ownMajor = Number(process.versions.node.split('.')[0])

/** `newest` is the newest but the one that runs this, which everything else runs on. */
function chosen(only: readonly string[]): readonly (typeof majors)[number][] {
  const newest = majors.findLast(({ major }) => major !== ownMajor)
  return majors.filter(
    (one) => only.length === 0 || only.includes(String(one.major)) || (only.includes('newest') && one === newest),
  )
}

/** In this clone, which is built: what takes less than two minutes. */
async function runFast(place: Place): Promise<void> {
  await runStart(place, [place.node.program, 'scripts/start.mjs'])
  await runNetwork(place, 'bin/quoin')
  await runCommand(place, 'the tests of what depends on it', ['node_modules/vitest/vitest.mjs', 'run', ...fastTests])
}

/** In a fresh clone of what is committed: all that a newcomer does. */
async function runAll(place: Place): Promise<void> {
  const { data, checks } = place
  const clone = { ...place, cwd: join(data, 'clone') }
  execFileSync('git', ['clone', '--quiet', packageRoot, clone.cwd])
  await runCommand(clone, 'npm ci', ['npm', 'ci'])
  await runStart(clone, ['npm', 'start', '--'])
  await runNetwork(clone, 'bin/quoin')
  const said = await runCommand(clone, 'npm test', ['npm', 'test'])
  checks.note(said.trim().split('\n').at(-1) ?? '')
  const name = (await runCommand(clone, 'npm pack', ['npm', 'pack', '--silent'])).trim().split('\n').at(-1)!
  await runPackage(place, join(clone.cwd, name))
}

/** Does something with each version of Node that is wanted and can be had. */
async function onEach({ checks, folder, only }: SuiteTerms, run: (place: Place) => Promise<void>): Promise<void> {
  for (const one of chosen(only)) {
    let node: OtherNode
    try {
      node = await fetchNode(one)
    } catch (error) {
      // A registry that does not answer says nothing about Quoin.
      checks.note(`Node ${one.major} was not run, it cannot be had: ${(error as Error).message.split('\n')[0]}`)
      continue
    }
    const data = join(folder, String(one.major))
    mkdirSync(data)
    await run({ node, checks, cwd: packageRoot, data })
  }
}

export const nodes: Suite = {
  name: 'nodes',
  doc: 'each version of Node: a fresh clone to its package (--only 22,26 or newest; --fast: this clone)',
  onlyByName: true,
  run: (terms) => onEach(terms, terms.fast ? runFast : runAll),
}

export const packed: Suite = {
  name: 'package',
  doc: 'each version of Node: what npm pack makes of this clone, in an empty folder: a node, four validators, the explorer (--only)',
  onlyByName: true,
  async run(terms) {
    const pack = ['pack', '--silent', `--pack-destination=${terms.folder}`]
    const name = execFileSync('npm', pack, { cwd: packageRoot, encoding: 'utf8' }).trim().split('\n').at(-1)!
    await onEach(terms, (place) => runPackage(place, join(terms.folder, name)))
  },
}
