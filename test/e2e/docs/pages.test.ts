import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../../src/primitives/packageRoot.ts'
import { withTempFolder } from '../../support/tempStore.ts'
import { checkBlock } from './checkBlock.ts'
import { listPages } from './docs.ts'
import { readQuoin } from './quoinCommand.ts'
import { type Block, readPage } from './readPage.ts'
import { runPage } from './runPage.ts'
import { isPartOfOutput, isSameOutput } from './sameOutput.ts'
import { firstWords, splitCommands } from './shell.ts'

const read = (page: string) => readFileSync(join(packageRoot, page), 'utf8')

// rpc.md has one curl per method, made from examples that other tests hold.
const examples = ['README.md', 'privacy/README.md', 'hardhat/README.md'].map((page) => `examples/${page}`)
const pages = [...listPages(), ...examples]
describe.each(pages.filter((page) => page !== 'docs/rpc.md'))('%s', (page) => {
  const blocks = readPage(read(page)).filter((step): step is Block => step.kind === 'block')
  test.each(blocks)('line $line: $text', (block) => checkBlock(block))

  test('has no indented code, whose language nobody knows', () => {
    expect(read(page)).not.toMatch(/\n\n {4}(quoin|npm|curl|\{)/)
  })
})

async function run(page: string): Promise<string[]> {
  const failures: string[] = []
  await withTempFolder((folder) =>
    runPage(page, folder, {
      async step(name, action) {
        try {
          return await action()
        } catch (error) {
          failures.push(`${name}: ${(error as Error).message}`)
          return undefined
        }
      },
    }),
  )
  return failures
}

const fence = '```'

test('a page runs: files are written, variables kept, outputs compared', async () => {
  const page = `Put this into \`a.json\`:

${fence}json
{ "a": 1 }
${fence}

${fence}sh
A=$(cat a.json)
cd / && B=1
${fence}

${fence}sh
echo "$A" in "$PWD"
${fence}

${fence}text
{ "a": … } in /
${fence}

<!-- exit: 1 -->

${fence}sh
quoin --no-such-option
${fence}`
  // The option that does not exist is found before it runs.
  expect(await run(page)).toEqual([expect.stringContaining("Unknown option: '--no-such-option'")])
})

test.each([
  ['another output', `${fence}sh\necho 1\n${fence}\n\n${fence}text\n2\n${fence}`],
  ['an exit code', `${fence}sh\nfalse\n${fence}`],
  ['invalid JSON', `${fence}json\n{a}\n${fence}`],
  ['a language that is missing', `${fence}\nquoin\n${fence}`],
  ['a reason that is missing', `<!-- not run:  -->\n${fence}sh\nquoin\n${fence}`],
  ['something to begin with that there is not', '<!-- with: a nework -->'],
  ['an incomplete command', `${fence}sh\nfor a in b; do\n${fence}`],
])('a page fails by %s', async (_, page) => expect(await run(page)).toHaveLength(1))

test('commands are joined where bash needs more lines', () => {
  expect(splitCommands("# why\na \\\n  b\nfor c in d; do\n  e\ndone\n\nf 'g\nh'\ncat <<X\ni\nX\nj")).toEqual([
    'a \\\n  b',
    'for c in d; do\n  e\ndone',
    "f 'g\nh'",
    'cat <<X\ni\nX',
    'j',
  ])
})

test('words of a command are without quotes, assignments and what follows it', () => {
  expect(firstWords(`A=b quoin --x='1 2' "a b"c \\\n  d # e | f`)).toEqual(['quoin', '--x=1 2', 'a bc', 'd'])
  expect(firstWords('quoin help | less')).toEqual(['quoin', 'help'])
})

test('servers are known by the option table', () => {
  expect(readQuoin('quoin --rpc-http-port=1')).toEqual({ isServer: true, place: '1' })
  expect(readQuoin('besu --rpc-http-port=2')).toEqual({ isServer: true, place: '2' })
  expect(readQuoin('npm start -- network --base-port 20000')).toEqual({ isServer: true, place: '20000' })
  expect(readQuoin('quoin --data-path=d verify')).toMatchObject({ isServer: false })
  expect(readQuoin('curl x')).toBeUndefined()
  expect(() => readQuoin('quoin signer --devv')).toThrow()
})

test('… stands for anything, a line of it for any lines', () => {
  expect(isSameOutput('a 0x12 b\n', 'a … b')).toBe(true)
  expect(isSameOutput('a\nx\ny\nb', 'a\n…\nb')).toBe(true)
  expect(isSameOutput('a\nb\n', 'a\n…\nb')).toBe(true)
  expect(isSameOutput('a\nx\ny\n', 'a\n…')).toBe(true)
  expect(isSameOutput('a.b', 'axb')).toBe(false)
  expect(isSameOutput('{"a":"b c"}\n', '{\n  "a": "b c"\n}')).toBe(true)
  expect(isSameOutput('a b c', 'a b')).toBe(false)
  expect(isPartOfOutput('x\na b\nc', 'a b')).toBe(true)
})
