import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { devTx, makeBlock, openTestChain, removeFolder, type TestChain } from '../../test/support/testChain.ts'
import { createMainnetEngine } from '../consensus/mainnet/mainnetEngine.ts'
import { toHex } from '../primitives/hex.ts'
import { createRecoverPool } from '../recovery/recoverPool.ts'
import { type Block, encodeBlock } from '../types/block.ts'
import { type ExportOptions, exportBlocks } from './exportBlocks.ts'
import { BlockFileError } from './fault.ts'
import { type ImportOptions, importBlockFile } from './importBlockFile.ts'

const folder = mkdtempSync(join(tmpdir(), 'quoin-blocks-'))
const open: TestChain[] = []
const at = (name: string) => join(folder, name)
const blockCount = 6n
let source: TestChain

function start(): TestChain {
  const node = openTestChain()
  open.push(node)
  return node
}

beforeAll(() => {
  source = openTestChain()
  for (let i = 0n; i < blockCount; i++) makeBlock(source.chain, [devTx(2n * i), devTx(2n * i + 1n)])
  return async () => {
    await source.close()
    removeFolder(source.path)
    removeFolder(folder)
  }
})

afterEach(async () => {
  for (const node of open.splice(0)) {
    await node.close()
    removeFolder(node.path)
  }
})

function headOf({ chain }: TestChain): { number: bigint; hash: string } {
  const { header, hash } = chain.head()
  return { number: header.number, hash: toHex(hash) }
}

function blockOf({ chain }: TestChain, number: bigint): Block {
  return chain.read((view) => view.blockAt(number)!.block)
}

const never = new AbortController().signal

function save(name: string, terms: Partial<ExportOptions> = {}) {
  const whole = { startBlock: 0n, endBlock: undefined, append: false, stop: never, onProgress: () => {} }
  return exportBlocks(source.chain, at(name), { ...whole, ...terms })
}

function load({ chain }: TestChain, name: string, terms: Partial<ImportOptions> = {}) {
  const parts = {
    chain,
    consensus: createMainnetEngine({ spec: chain.spec }),
    recover: createRecoverPool({ threads: 0 }),
  }
  return importBlockFile(at(name), parts, {
    startBlock: 0n,
    endBlock: undefined,
    stop: never,
    onProgress: () => {},
    ...terms,
  })
}

async function faultOf(action: Promise<unknown>): Promise<BlockFileError['at']> {
  const error = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(BlockFileError)
  return (error as BlockFileError).at
}

describe('what was exported can be imported', () => {
  test.each(['plain.rlp', 'packed.rlp.gz'])('%s', async (name) => {
    expect(await save(name)).toEqual({ exported: 7, wanted: 7 })
    const node = start()
    expect(await load(node, name)).toMatchObject({ imported: 6, known: 1, share: 1 })
    expect(headOf(node)).toEqual(headOf(source))
  })

  test('packed or not, it is the same', async () => {
    await save('same.rlp')
    await save('same.gz')
    expect(readFileSync(at('same.rlp')).equals(gunzipSync(readFileSync(at('same.gz'))))).toBe(true)
    expect(readFileSync(at('same.gz')).length).toBeLessThan(readFileSync(at('same.rlp')).length)
  })

  test('gzip is known by its first bytes, not by its name', async () => {
    writeFileSync(at('hidden.rlp'), gzipSync(encodeBlock(blockOf(source, 1n))))
    const node = start()
    expect(await load(node, 'hidden.rlp')).toMatchObject({ imported: 1 })
  })

  test.each(['parts.rlp', 'parts.gz'])('in parts that are added to a file: %s', async (name) => {
    await save(name, { endBlock: 3n })
    expect(await save(name, { startBlock: 3n, endBlock: 5n, append: true })).toEqual({ exported: 2, wanted: 2 })
    await save(name, { startBlock: 5n, append: true })
    const node = start()
    await load(node, name)
    expect(headOf(node)).toEqual(headOf(source))
  })

  test('a range of a file', async () => {
    await save('range.rlp')
    const node = start()
    await load(node, 'range.rlp', { endBlock: 3n })
    expect(headOf(node).number).toBe(2n)
    expect(await load(node, 'range.rlp', { startBlock: 3n, endBlock: 5n })).toMatchObject({ imported: 2, known: 1 })
    expect(headOf(node).number).toBe(4n)
  })

  test('again: blocks that are there are passed over', async () => {
    await save('again.rlp')
    const node = start()
    await load(node, 'again.rlp')
    expect(await load(node, 'again.rlp')).toMatchObject({ imported: 0, known: 7 })
  })
})

describe('an export', () => {
  test('ends where the chain ends', async () => {
    expect(await save('beyond.rlp', { startBlock: 5n, endBlock: 100n })).toEqual({ exported: 2, wanted: 95 })
  })

  test('that is stopped leaves the file as it was', async () => {
    const stop = AbortSignal.abort()
    writeFileSync(at('old.rlp'), 'old')
    await save('old.rlp', { stop })
    await save('old.rlp', { stop, append: true })
    expect(readFileSync(at('old.rlp'), 'utf8')).toBe('old')
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})

describe('a file that is refused', () => {
  test('is missing', async () => {
    expect(await faultOf(load(start(), 'nowhere'))).toEqual({ code: 'FILE_MISSING', path: at('nowhere') })
  })

  test('is a folder', async () => {
    expect((await faultOf(load(start(), '.'))).code).toBe('FILE_UNREADABLE')
  })

  test('is no RLP from some byte on; what stands before it is imported', async () => {
    const first = encodeBlock(blockOf(source, 1n))
    writeFileSync(at('text'), Buffer.concat([first, Buffer.from('this is no block')]))
    const node = start()
    expect(await faultOf(load(node, 'text'))).toMatchObject({ code: 'FILE_NOT_BLOCKS', at: first.length })
    expect(headOf(node).number).toBe(1n)
  })

  test('holds lists that are no blocks', async () => {
    writeFileSync(at('lists'), Uint8Array.of(0xc1, 0x01))
    expect(await faultOf(load(start(), 'lists'))).toMatchObject({ code: 'FILE_NOT_BLOCKS', at: 0 })
  })

  test('tells of a length that no block has', async () => {
    writeFileSync(at('huge'), Uint8Array.of(0xff, 1, 2, 3, 4, 5, 6, 7, 8))
    expect(await faultOf(load(start(), 'huge'))).toMatchObject({ code: 'FILE_NOT_BLOCKS', at: 0 })
  })

  test('is cut off; the whole blocks in it are imported', async () => {
    await save('whole.rlp')
    const bytes = readFileSync(at('whole.rlp'))
    writeFileSync(at('cut.rlp'), bytes.subarray(0, bytes.length - 3))
    const node = start()
    const last = encodeBlock(blockOf(source, blockCount)).length
    expect(await faultOf(load(node, 'cut.rlp'))).toMatchObject({ code: 'FILE_TRUNCATED', at: bytes.length - last })
    expect(headOf(node).number).toBe(blockCount - 1n)
  })

  test('is cut off within its gzip', async () => {
    await save('whole.gz')
    writeFileSync(at('cut.gz'), readFileSync(at('whole.gz')).subarray(0, statSync(at('whole.gz')).size - 20))
    expect((await faultOf(load(start(), 'cut.gz'))).code).toBe('FILE_UNREADABLE')
  })

  test('begins with the genesis block of another network', async () => {
    const { header, ...body } = blockOf(source, 0n)
    writeFileSync(at('other'), encodeBlock({ header: { ...header, gasLimit: 5000n }, ...body }))
    expect((await faultOf(load(start(), 'other'))).code).toBe('OTHER_GENESIS')
  })

  test('has an invalid block; those before it are imported', async () => {
    const { header, ...body } = blockOf(source, 3n)
    const wrong = { header: { ...header, gasUsed: header.gasUsed + 1n }, ...body }
    writeFileSync(
      at('wrong'),
      Buffer.concat([1n, 2n].map((n) => encodeBlock(blockOf(source, n))).concat(encodeBlock(wrong))),
    )
    const node = start()
    const fault = await faultOf(load(node, 'wrong'))
    expect(fault).toMatchObject({ code: 'BLOCK_REFUSED', number: 3n })
    expect(fault).toHaveProperty('reason', expect.stringContaining('GAS_USED_MISMATCH'))
    expect(headOf(node).number).toBe(2n)
  })
})

test('an import that is stopped goes on where it was', async () => {
  await save('stopped.rlp')
  const node = start()
  const controller = new AbortController()
  controller.abort()
  expect(await load(node, 'stopped.rlp', { stop: controller.signal })).toMatchObject({ imported: 0 })
  await load(node, 'stopped.rlp')
  expect(headOf(node)).toEqual(headOf(source))
})
