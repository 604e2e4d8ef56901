import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../src/primitives/packageRoot.ts'
import type { Suite, SuiteTerms } from '../suite.ts'
import { fetchNode, majors, type OtherNode } from './fetchNode.ts'
import { type Place, runCommand, runNetwork, runStart } from './nodeParts.ts'

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
  const { data, checks, node } = place
  const clone = { ...place, cwd: join(data, 'clone') }
  execFileSync('git', ['clone', '--quiet', packageRoot, clone.cwd])
  await runCommand(clone, 'npm ci', ['npm', 'ci'])
  await runStart(clone, ['npm', 'start', '--'])
  await runNetwork(clone, 'bin/quoin')
  const said = await runCommand(clone, 'npm test', ['npm', 'test'])
  checks.note(said.trim().split('\n').at(-1) ?? '')
  const name = (await runCommand(clone, 'npm pack', ['npm', 'pack', '--silent'])).trim().split('\n').at(-1)!
  const elsewhere = { ...place, cwd: join(data, 'elsewhere') }
  mkdirSync(elsewhere.cwd)
  writeFileSync(join(elsewhere.cwd, 'package.json'), '{}')
  await runCommand(elsewhere, 'the package is installed', ['npm', 'install', join(clone.cwd, name)])
  await runStart({ ...elsewhere, data: join(data, 'elsewhere') }, [node.program, 'node_modules/quoin/bin/quoin'])
}

export const nodes: Suite = {
  name: 'nodes',
  doc: 'each version of Node: a fresh clone to its package (--only 22,26 or newest; --fast: this clone)',
  onlyByName: true,
  async run({ checks, folder, only, fast }: SuiteTerms) {
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
      await (fast ? runFast : runAll)({ node, checks, cwd: packageRoot, data })
    }
  },
}
