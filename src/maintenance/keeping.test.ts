import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { devNetwork, fillChain } from '../../test/support/fillChain.ts'
import { devTx, makeBlock, openTestChain } from '../../test/support/testChain.ts'
import { isWholeRun, sampled, sampleOf } from '../../test/support/wholeRun.ts'
import { accountIndex } from '../chain/accounts/accountIndex.ts'
import { readBody } from '../chain/records.ts'
import { signsAfter } from '../consensus/producing/restoredMark.ts'
import { toHex } from '../primitives/hex.ts'
import { encodeRlp } from '../primitives/rlp.ts'
import { type Group, idOfGroup } from '../privacyManager/group.ts'
import { openManagerStore } from '../privacyManager/managerStore.ts'
import {
  accountRows,
  bodies,
  canonical,
  headers,
  logIndex,
  receipts,
  senders,
  transactions,
} from '../store/chainTables.ts'
import { openStore } from '../store/openStore.ts'
import { code, publicState, signed } from '../store/schema.ts'
import type { Table, Transaction } from '../store/table.ts'
import { walkPages } from '../store/walkPages.ts'
import { encodeBody } from '../types/block.ts'
import { backupData } from './backupData.ts'
import { genesisHashOf } from './genesisHash.ts'
import { repairData } from './repairData.ts'
import { allowSigning, restoreData } from './restoreData.ts'
import { verifyData } from './verifyData.ts'

const quiet = () => {}
let folder: string
let sound: string
let copy: string
let head: { readonly hash: string; readonly stateRoot: string; readonly number: number }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quoin-keeping-'))
  sound = join(folder, 'sound')
  copy = join(folder, 'copy')
  const node = openTestChain(undefined, sound, (parts) => ({ ...parts, indexAccounts: true }))
  // As many blocks as fill a chunk of history, or in the usual run fewer.
  fillChain(node.chain, sampled(90, 140))
  node.store.write(accountIndex.mergeWaiting)
  const { header, hash } = node.chain.head()
  head = { number: Number(header.number), hash: toHex(hash), stateRoot: toHex(header.stateRoot) }
  await node.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => {
  rmSync(copy, { recursive: true, force: true })
})

/** Changes the database of a copy as only damage does. */
async function damage(change: (txn: Transaction) => void): Promise<void> {
  rmSync(copy, { recursive: true, force: true })
  cpSync(sound, copy, { recursive: true })
  const store = openStore(join(copy, 'database'))
  store.write(change)
  await store.close()
}

/** Changes one byte of the last row of a table. */
function spoil(txn: Transaction, table: Table<unknown, Uint8Array>, at = -1): void {
  for (const [key, value] of txn.range(table, { reverse: true, limit: 1 })) {
    const spoiled = value.slice()
    spoiled[at < 0 ? spoiled.length + at : at]! ^= 1
    txn.put(table, key, spoiled)
  }
}

const tablesWrong = async () => (await verifyData(copy, devNetwork, quiet)).findings.map(({ table }) => table)

function flip(file: string, at: number): void {
  const bytes = readFileSync(file)
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, Uint8Array.of(bytes[at]! ^ 0x20), 0, 1, at)
  closeSync(descriptor)
}

describe('verify', () => {
  test('a sound database, and what its head is', async () => {
    const { head: found, findings } = await verifyData(sound, devNetwork, quiet)
    expect(findings).toEqual([])
    expect(found && { ...found, hash: toHex(found.hash), stateRoot: toHex(found.stateRoot) }).toEqual(head)
  })

  test.each(
    sampleOf(
      [
        ['receipts', receipts],
        ['senders', senders],
        ['code', code],
        ['logIndex', logIndex],
        ['public.roots', publicState.roots],
        ['public.slots', publicState.slots],
        ['public.accounts', publicState.accounts],
        ['public.accountHistory', publicState.accountHistory],
        // What a slot was shows in the root of the account that has it.
        ['public.accountHistory', publicState.slotHistory],
        ['public.branches', publicState.branches],
        ['public.branchHistory', publicState.branchHistory],
        ...(isWholeRun ? [['public.accountHistory', publicState.accountChunks]] : []),
      ] as [string, Table<unknown, Uint8Array>][],
      5,
    ),
  )('a changed byte: %s', async (name, table) => {
    await damage((txn) => spoil(txn, table))
    expect(await tablesWrong()).toContain(name)
  })

  test('rows of empty blocks, as older versions wrote them', async () => {
    await damage((txn) => {
      for (const [key] of txn.range(headers, {}))
        if (!txn.peek(bodies, key)) {
          txn.put(bodies, key, encodeBody(readBody(txn, key)!))
          txn.put(receipts, key, encodeRlp([]))
        }
    })
    expect(await tablesWrong()).toEqual([])
  })

  test.each([
    ['bodies', bodies],
    ['receipts', receipts],
  ] as const)('a block with transactions without its row of %s', async (name, table) => {
    await damage((txn) => {
      for (const [key] of txn.range(table, { limit: 1 })) txn.remove(table, key)
    })
    expect(await tablesWrong()).toContain(name)
  })

  test('an index that lacks a row', async () => {
    await damage((txn) => {
      for (const [key] of txn.range(transactions, { limit: 1 })) txn.remove(transactions, key)
    })
    expect(await tablesWrong()).toEqual(['transactions', 'transactions'])
  })

  test('an index of accounts that lacks a row, or has one too many', async () => {
    await damage((txn) => {
      for (const [key] of txn.range(accountRows, { limit: 1 })) txn.remove(accountRows, key)
    })
    expect(await tablesWrong()).toEqual(['accountRows', 'accountRows'])
    await damage((txn) => {
      for (const [{ address }] of txn.range(accountRows, { limit: 1 }))
        txn.put(accountRows, { address, number: head.number + 1 }, [0, 0])
    })
    expect(await tablesWrong()).toEqual(['accountRows'])
  })

  test('a chain that ends before its head', async () => {
    await damage((txn) => txn.remove(canonical, head.number))
    expect(await tablesWrong()).toContain('marks')
  })

  test('a record of what a validator signed that is not what was written', async () => {
    const key = new Uint8Array(24).fill(7)
    await damage((txn) => {
      txn.put(signed, key, Uint8Array.of(1, 2, 3))
      txn.put(signed, Uint8Array.of(...key, ...new TextEncoder().encode('.sum')), new Uint8Array(8))
    })
    expect(await tablesWrong()).toEqual(['signed'])
  })

  test('a table whose name is damaged, though nothing else needs it', async () => {
    cpSync(sound, copy, { recursive: true })
    const file = join(copy, 'database/data.mdb')
    // As long as before, and in the same place in the order of names.
    writeFileSync(
      file,
      Buffer.from(readFileSync(file, 'latin1').replaceAll('private.payloads', 'private.payloadt'), 'latin1'),
    )
    expect((await verifyData(copy, devNetwork, quiet)).findings.map(({ text }) => text)).toEqual([
      expect.stringContaining("a table 'private.payloadt'"),
    ])
  })

  test('a database that is in use is left alone', async () => {
    const store = openStore(join(sound, 'database'))
    await expect(verifyData(sound, devNetwork, quiet)).rejects.toThrow(`in use by process ${process.pid}`)
    await store.close()
  })

  test('pages are read without LMDB: rows, free pages, and nothing left over', () => {
    let rows = 0
    const { findings, entries } = walkPages(join(sound, 'database/data.mdb'), { onRow: () => void rows++ })
    expect(findings).toEqual([])
    expect(rows).toBe([...entries.values()].reduce((a, b) => a + b, 0))
  })
})

describe('repair', () => {
  const options = { keepRevertReasons: true, indexLogs: true, onProgress: quiet }

  test('what follows from blocks is rebuilt', async () => {
    await damage((txn) => {
      spoil(txn, publicState.accounts as Table<unknown, Uint8Array>)
      txn.put(signed, Uint8Array.of(1), Uint8Array.of(2))
    })
    const { kept, wanted, damaged } = await repairData(copy, devNetwork, options)
    expect([kept, wanted, existsSync(damaged)]).toEqual([head.number, head.number, true])
    const { head: now, findings } = await verifyData(copy, devNetwork, quiet)
    expect([findings, now && toHex(now.hash)]).toEqual([[], head.hash])
    const store = openStore(join(copy, 'database'), { readOnly: true })
    expect(store.read((reader) => reader.get(signed, Uint8Array.of(1)))).toEqual(Uint8Array.of(2))
    await store.close()
    expect(readdirSync(copy).sort()).toEqual(['database', 'database.damaged'])
  })

  test.each([1000, 2000, 2100, 2864, 4000, 4100, 8000])(
    'rows of %d bytes are kept, wherever they lie',
    async (size) => {
      const path = join(folder, `rows${size}`)
      const node = openTestChain(undefined, path)
      // Enough that other rows are read before these are written elsewhere.
      for (let i = 0; i < 6; i++)
        makeBlock(node.chain, [devTx(BigInt(i), { data: new Uint8Array(size - 150).fill(i + 1) })])
      const record = new Uint8Array(size).fill(9)
      node.store.write((txn) => {
        txn.put(signed, Uint8Array.of(1), record)
        for (let i = 2; i < 9; i++) txn.put(signed, Uint8Array.of(i), new Uint8Array(size).fill(i))
        spoil(txn, publicState.accounts as Table<unknown, Uint8Array>)
      })
      await node.close()
      const { kept, wanted } = await repairData(path, devNetwork, options)
      expect([kept, wanted]).toEqual([6, 6])
      const store = openStore(join(path, 'database'), { readOnly: true })
      expect(store.read((reader) => reader.get(signed, Uint8Array.of(1)))).toEqual(record)
      await store.close()
    },
  )

  test('a record of what was signed that is damaged is left out, and the validator waits', async () => {
    const key = new Uint8Array(24).fill(7)
    await damage((txn) => {
      txn.put(signed, key, Uint8Array.of(1, 2, 3))
      txn.put(signed, Uint8Array.of(...key, ...new TextEncoder().encode('.sum')), new Uint8Array(8))
    })
    const { kept, recordKept } = await repairData(copy, devNetwork, options)
    expect([kept, recordKept]).toEqual([head.number, false])
    expect(await tablesWrong()).toEqual([])
    const store = openStore(join(copy, 'database'))
    expect(signsAfter(store)).toBeGreaterThan(0n)
    await store.close()
  })

  test('no node is started on a database that is being repaired', async () => {
    cpSync(sound, copy, { recursive: true })
    const refused: unknown[] = []
    const onProgress = () => {
      if (refused.length > 0) return
      try {
        void openStore(join(copy, 'database')).close()
        refused.push('was opened')
      } catch (error) {
        refused.push((error as Error).message)
      }
    }
    await repairData(copy, devNetwork, { ...options, onProgress })
    expect(refused).toEqual([expect.stringContaining(`is in use by process ${process.pid}`)])
    await openStore(join(copy, 'database')).close()
    // And the other way round.
    const store = openStore(join(copy, 'database'))
    await expect(repairData(copy, devNetwork, options)).rejects.toThrow(`in use by process ${process.pid}`)
    await store.close()
  })

  test('blocks are found below a damaged page that led to them', async () => {
    cpSync(sound, copy, { recursive: true })
    const file = join(copy, 'database/data.mdb')
    const bytes = readFileSync(file)
    // All branch pages of tables of blocks, and of others.
    for (let page = 2; page < bytes.length / 4096; page++)
      if (bytes.readUInt16LE(page * 4096 + 18) === 1) flip(file, page * 4096 + 18)
    expect(await tablesWrong()).toContain('data.mdb')
    const { kept, reason } = await repairData(copy, devNetwork, options)
    expect([kept, reason]).toEqual([head.number, undefined])
    expect((await verifyData(copy, devNetwork, quiet)).findings).toEqual([])
  })

  test('pages that are damaged cost the blocks on them and those that follow', async () => {
    cpSync(sound, copy, { recursive: true })
    const file = join(copy, 'database/data.mdb')
    // The transactions of block 80 are large enough to have pages of their own.
    const at = readFileSync(file).indexOf(Buffer.alloc(9000, 80).subarray(0, 5000))
    flip(file, at + 3)
    expect(await tablesWrong()).toContain('bodies')
    const { kept, wanted, reason } = await repairData(copy, devNetwork, options)
    expect(kept).toBe(80)
    expect(reason).toBe('the transactions of block 81 cannot be read')
    expect(wanted).toBe(head.number)
    expect((await verifyData(copy, devNetwork, quiet)).findings).toEqual([])
  })
})

describe('backup', () => {
  const restore = (from: string, genesis?: string) => restoreData(copy, { from, genesis, onProgress: quiet })

  test.each(['folder', 'file.tar'])('to a %s and back', async (name) => {
    const to = join(folder, name)
    writeFileSync(join(sound, 'static-nodes.json'), '[]')
    const note = await backupData(sound, { to, withKey: false, onProgress: quiet })
    expect(note.head).toEqual(head)
    expect(await restore(to, toHex(genesisHashOf(devNetwork)))).toEqual(note)
    expect((await verifyData(copy, devNetwork, quiet)).findings).toEqual([])
    expect(readdirSync(copy).sort()).toEqual(['database', 'static-nodes.json'])
    await expect(restore(to)).rejects.toThrow('exists already')
    await expect(backupData(sound, { to, withKey: false, onProgress: quiet })).rejects.toThrow('exists already')
  })

  test('a restored database signs nothing on older heads, until an operator says that it may', async () => {
    const waitsUntil = async () => {
      const store = openStore(join(copy, 'database'))
      try {
        return signsAfter(store)
      } finally {
        await store.close()
      }
    }
    const before = BigInt(Math.floor(Date.now() / 1000))
    await restore(join(folder, 'folder'))
    expect(await waitsUntil()).toBeGreaterThanOrEqual(before)
    expect((await verifyData(copy, devNetwork, quiet)).findings).toEqual([])
    await allowSigning(copy)
    expect(await waitsUntil()).toBe(0n)
    rmSync(copy, { recursive: true, force: true })
    await restoreData(copy, { from: join(folder, 'folder'), genesis: undefined, maySign: true, onProgress: quiet })
    expect(await waitsUntil()).toBe(0n)
  })

  test('payloads of private transactions, and with the keys those of the manager', async () => {
    const path = join(folder, 'private')
    cpSync(sound, path, { recursive: true })
    const group: Group = {
      ...{ name: 'trade', description: '', type: 'PANTHEON', state: 'ACTIVE' },
      ...{ members: [new Uint8Array(32).fill(1)], seed: new Uint8Array(20).fill(2) },
    }
    // As of a manager that runs.
    const running = openManagerStore(join(path, 'privacy'))
    await running.write((writer) => writer.putGroup(group))
    writeFileSync(join(path, 'privacy.key'), 'secret')
    for (const withKey of [false, true]) {
      const to = join(folder, `private-${withKey}.tar`)
      await backupData(path, { to, withKey, onProgress: quiet })
      rmSync(copy, { recursive: true, force: true })
      await restore(to)
      expect(existsSync(join(copy, 'privacy.key'))).toBe(withKey)
      const restored = openManagerStore(join(copy, 'privacy'))
      expect(restored.group(idOfGroup(group))).toEqual(group)
      await restored.close()
    }
    await running.close()
  })

  test('of another network', async () => {
    await expect(restore(join(folder, 'folder'), `0x${'1'.repeat(64)}`)).rejects.toThrow('of another network')
    await expect(restore(join(folder, 'none'))).rejects.toThrow('does not exist')
  })

  test('a changed byte anywhere is found, and nothing is restored', async () => {
    const file = join(folder, 'flipped.tar')
    const { size } = statSync(join(folder, 'file.tar'))
    // In the first header, in the database, and at the end, where the checksums are.
    const places = [
      ...range(0, 512, 43),
      ...range(512, size - 4096, Math.floor(size / 20)),
      ...range(size - 4096, size, 149),
      size - 1,
    ]
    for (const at of places) {
      cpSync(join(folder, 'file.tar'), file)
      flip(file, at)
      await expect(restore(file), `byte ${at}`).rejects.toThrow('is damaged')
      expect(existsSync(join(copy, 'database'))).toBe(false)
    }
    writeFileSync(file, readFileSync(join(folder, 'file.tar')).subarray(0, size - 512))
    await expect(restore(file)).rejects.toThrow('is damaged')
  })

  test('of a folder, each file', async () => {
    for (const name of ['SHA256SUMS', 'backup.json', 'static-nodes.json', 'database/data.mdb']) {
      const from = join(folder, 'flipped')
      rmSync(from, { recursive: true, force: true })
      cpSync(join(folder, 'folder'), from, { recursive: true })
      flip(join(from, name), Math.floor(statSync(join(from, name)).size / 2))
      await expect(restore(from), name).rejects.toThrow(/is damaged/)
    }
  })
})

function range(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, i) => from + i * step)
}
