import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCliHarness } from '../../../test/support/cliHarness.ts'
import { cliqueGenesisExtraData } from '../../consensus/clique/extraData.ts'
import { devAccounts } from '../../forks/devGenesis.ts'
import { type ImportedFile, importInThread } from '../../importing/importThread.ts'
import { toHex } from '../../primitives/hex.ts'
import { packageRoot } from '../../primitives/packageRoot.ts'
import { privateKeyToAddress } from '../../primitives/secp256k1.ts'

let cli: ReturnType<typeof createCliHarness>
beforeEach(() => {
  cli = createCliHarness()
})
afterEach(() => cli.remove())

const data = (name: string) => `--data-path={dir}/${name}`
const headLine = /head is block (\d+) \((0x[0-9a-f]{64})\)/

/** Besu's JSON form of blocks with one transfer each. */
function jsonBlocks(count: number, firstNumber = 1): string {
  const { privateKey } = devAccounts[0]
  const tx = { secretKey: privateKey, gasLimit: '0x5208', gasPrice: '0xff', value: '0x1', to: devAccounts[1].address }
  return JSON.stringify({
    blocks: Array.from({ length: count }, (_, i) => ({ number: firstNumber + i, transactions: [tx] })),
  })
}

async function makeChain(name: string, count: number) {
  cli.write('blocks.json', jsonBlocks(count))
  return cli.run([data(name), 'blocks', 'import', '--format=JSON', '--start-time=1000', '{dir}/blocks.json'])
}

describe('wrong usage writes nothing', () => {
  const cases = [
    [
      ['export', '--to={dir}/o', '--start-block=5', '--end-block=3'],
      'Parameter --end-block (3) must be greater start block (5).',
    ],
    [
      ['export', '--to={dir}/o', '--start-block=-1'],
      'Parameter --start-block (-1) must be greater than or equal to zero.',
    ],
    [['export'], "Missing required option: '--to=<FILE>'"],
    [['import'], 'No files specified to import.'],
    [
      ['import', '--format=JSON', '--skip-pow-validation-enabled', '{dir}/x'],
      "Can't skip proof of work validation for JSON blocks",
    ],
  ] as const
  test.each(cases)('%j', async (args, text) => {
    const { code, stderr } = await cli.run([data('d'), '--network=dev', 'blocks', ...args])
    expect(code).toBe(2)
    expect(stderr).toContain(text)
    expect(cli.entries()).toEqual([])
  })

  test('a missing file', async () => {
    const { code, stderr } = await cli.run([data('d'), 'blocks', 'import', '--from={dir}/a,{dir}/b'])
    expect([code, stderr]).toEqual([1, 'Could not find file to import: {dir}/a\n'])
    expect(cli.entries()).toEqual([])
  })
})

test('a development chain of other rules is not exported by those of now: the option that fits is named', async () => {
  cli.write('blocks.json', jsonBlocks(1))
  const london = [data('one'), '--dev-fork=london']
  await cli.run([...london, 'blocks', 'import', '--format=JSON', '--start-time=1000', '{dir}/blocks.json'])
  const other = await cli.run([data('one'), '--network=dev', 'blocks', 'export', '--to={dir}/chain'])
  expect(other.code).toBe(1)
  expect(other.stderr).toMatch(/belongs to another network: .+ It was made with --dev-fork=london: start it so/)
  expect((await cli.run([...london, 'blocks', 'export', '--to={dir}/chain'])).stdout).toContain('2 blocks exported')
})

test('blocks are made from JSON, exported and imported elsewhere', async () => {
  const made = await makeChain('one', 3)
  expect(made.stderr).toBe('')
  expect(headLine.exec(made.stdout)?.[1]).toBe('3')
  const written = await cli.run([data('one'), 'blocks', 'export', '--to={dir}/chain.rlp.gz'])
  expect(written.stdout).toContain('4 blocks exported')
  const read = await cli.run([data('two'), 'blocks', 'import', '{dir}/chain.rlp.gz'])
  expect(read.code).toBe(0)
  expect(read.stdout).toContain('3 blocks imported')
  expect(headLine.exec(read.stdout)?.[2]).toBe(headLine.exec(made.stdout)?.[2])
})

describe('JSON that is refused', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['{"blocks": [{"number": "0x0999", "transactions": []}]}', 'Unable to locate block parent at 2456'],
    ['{"blocks": [{"number": 0, "transactions": []}]}', 'block 0 exists already; the next one is 1'],
    ['{"blocks": [{"parentHash": "0x01", "transactions": []}]}', 'Unable to locate block parent at 0x00'],
    ['{"blocks": {}}', 'blocks is not a JSON array'],
    ['{"blocks"', 'Unable to import blocks from'],
    [
      jsonBlocks(1).replace('0x5208', '0x7fffffffffffffff'),
      'Unable to create block.  1 transaction(s) were found to be invalid.',
    ],
    [jsonBlocks(1).replace('"0x5208"', '"much"'), 'gasLimit is not a number: much'],
  ]
  test.each(cases)('%s', async (text, message) => {
    cli.write('bad.json', text)
    const { code, stderr } = await cli.run([data('d'), 'blocks', 'import', '--format=JSON', '{dir}/bad.json'])
    expect(code).toBe(1)
    expect(stderr).toContain('Unable to import blocks from {dir}/bad.json')
    expect(stderr).toContain(message)
  })
})

describe('on a Clique network', () => {
  const key = new Uint8Array(32).fill(1)
  const genesis = () => ({
    config: { chainId: 5, berlinBlock: 0, clique: { blockPeriodSeconds: 2, epochLength: 2 } },
    gasLimit: '0x1000000',
    difficulty: '0x1',
    extraData: toHex(cliqueGenesisExtraData([privateKeyToAddress(key)])),
    alloc: { [devAccounts[0].address]: { balance: '0xffffffffffff' } },
  })
  const network = ['--genesis-file={dir}/genesis.json', '--node-private-key-file={dir}/signer']

  test('the node seals what it makes from JSON, and others accept it', async () => {
    cli.write('genesis.json', JSON.stringify(genesis()))
    cli.write('signer', toHex(key))
    cli.write('blocks.json', jsonBlocks(3))
    const json = ['blocks', 'import', '--format=JSON', '--start-time=1000', '{dir}/blocks.json']
    const made = await cli.run([data('one'), ...network, ...json])
    expect(made.stderr).toBe('')
    await cli.run([data('one'), ...network, 'blocks', 'export', '--to={dir}/chain.rlp'])
    const read = await cli.run([data('two'), network[0]!, 'blocks', 'import', '{dir}/chain.rlp'])
    expect(read.stderr).toBe('')
    expect(headLine.exec(read.stdout)?.slice(1)).toEqual(headLine.exec(made.stdout)?.slice(1))
  })

  test('blocks cannot name their beneficiary', async () => {
    cli.write('genesis.json', JSON.stringify(genesis()))
    cli.write('blocks.json', '{"blocks": [{"coinbase": "0x02", "extradata": "0x01", "transactions": []}]}')
    const json = ['blocks', 'import', '--format=JSON', '{dir}/blocks.json']
    const { code, stderr } = await cli.run([data('one'), network[0]!, ...json])
    expect(code).toBe(1)
    expect(stderr).toContain(
      'Some fields (coinbase, extraData) are unsupported by the current consensus engine: clique',
    )
  })
})

/** Imports a file in a process of its own, which ends like one that is killed once the first blocks are on disk. */
async function importAndDie(file: string, folder: string): Promise<NodeJS.Signals | null> {
  const module = (name: string) => JSON.stringify(pathToFileURL(join(packageRoot, 'dist/src', name)).href)
  const program = `
    import { importBlockFile } from ${module('blockfiles/importBlockFile.js')}
    import { loadNetwork } from ${module('chainData/network.js')}
    import { openChain } from ${module('chainData/openChain.js')}
    import { createRecoverPool } from ${module('recovery/recoverPool.js')}
    const [file, dataPath] = process.argv.slice(1)
    const network = loadNetwork(undefined, undefined)
    const offline = await openChain({ dataPath, network, keepRevertReasons: false, checkWork: false })
    await importBlockFile(file, { ...offline, recover: createRecoverPool() }, {
      startBlock: 0n,
      endBlock: undefined,
      stop: new AbortController().signal,
      onProgress() {
        offline.store.flush()
        process.kill(process.pid, 'SIGKILL')
      },
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, file, folder], { stdio: 'inherit' })
  await once(child, 'close')
  return child.signalCode
}

test('an import that was killed goes on where it was', async () => {
  const made = await makeChain('one', 40)
  await cli.run([data('one'), 'blocks', 'export', '--to={dir}/chain.rlp'])
  expect(await importAndDie(`${cli.dir}/chain.rlp`, `${cli.dir}/two`)).toBe('SIGKILL')
  const { code, stdout } = await cli.run([data('two'), 'blocks', 'import', '{dir}/chain.rlp'])
  expect(code).toBe(0)
  // On a busy machine lines of progress come before.
  const [, imported, known] = /^(\d+) blocks imported .* (\d+) known blocks skipped/m.exec(stdout) ?? []
  // The genesis block is known to everybody; the killed process must have added some, not all.
  expect(Number(known)).toBeGreaterThan(1)
  expect(Number(imported)).toBeGreaterThan(0)
  expect(Number(imported) + Number(known)).toBe(41)
  expect(headLine.exec(stdout)?.[2]).toBe(headLine.exec(made.stdout)?.[2])
})

test('an import that is told to stop keeps what it has, and a later one goes on', async () => {
  const made = await makeChain('one', 40)
  await cli.run([data('one'), 'blocks', 'export', '--to={dir}/chain.rlp'])
  const job = {
    chain: { dataPath: `${cli.dir}/two`, keepRevertReasons: false, checkWork: false },
    genesisFile: undefined,
    networkId: undefined,
    files: [`${cli.dir}/chain.rlp`],
    startBlock: 0n,
    endBlock: undefined,
  }
  let imported = 0
  const importUntil = async (stop: AbortController) => {
    const outcomes: ImportedFile[] = []
    const listener = {
      onProgress: () => stop.abort(),
      onImported: (_: string, one: ImportedFile) => outcomes.push(one),
    }
    await importInThread(job, listener, stop.signal)
    expect(outcomes).toHaveLength(1)
    imported += outcomes[0]!.imported
    expect(outcomes[0]!.head.number).toBe(BigInt(imported))
  }
  const stopped = new AbortController()
  stopped.abort()
  await importUntil(stopped)
  expect(imported).toBe(0)
  await importUntil(new AbortController())
  expect(imported).toBeGreaterThan(0)
  const { code, stdout } = await cli.run([data('two'), 'blocks', 'import', '{dir}/chain.rlp'])
  expect(code).toBe(0)
  expect(stdout).toContain(`${40 - imported} blocks imported`)
  expect(headLine.exec(stdout)?.[2]).toBe(headLine.exec(made.stdout)?.[2])
})
