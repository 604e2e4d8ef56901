import { mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withTempFolder } from '../../../test/support/tempStore.ts'
import { openSourceStore } from './sourceStore.ts'
import type { ContractDetails, ContractSummary } from './verifiedContract.ts'

const limits = { contract: 1 << 20, all: 1 << 20 }
const address = (byte: string) => `0x${byte.repeat(20)}`
const abi = [{ type: 'function', name: 'f', inputs: [] }]

function contractOf(at: string, codeHash = '0x01') {
  const details = { compilerVersion: '0.8.30', compiled: { abi } } as unknown as ContractDetails
  const summary: Omit<ContractSummary, 'matchId'> = {
    ...{ address: at, chainId: '1337', name: 'C', verifiedAt: '2026-01-01T00:00:00.000Z', codeHash },
    runtimeMatch: 'match',
    creationMatch: null,
  }
  return { summary, details }
}

test('what was kept is there when the folder is opened again, in its order', () =>
  withTempFolder(async (folder) => {
    const path = join(folder, 'sources')
    const store = await openSourceStore(path, limits)
    for (const byte of ['cc', 'aa', 'bb']) store.put(contractOf(address(byte), byte === 'bb' ? '0x02' : '0x01'))
    store.put(contractOf(address('cc')))
    store.putGiven({ address: address('dd'), at: 'now', abi: [] })
    for (const one of [store, await openSourceStore(path, limits)]) {
      expect([...one.summaries()].map((summary) => [summary.address, summary.matchId])).toEqual([
        [address('aa'), 2],
        [address('bb'), 3],
        [address('cc'), 4],
      ])
      expect(one.withCode('0x01').map((summary) => summary.address)).toEqual([address('aa'), address('cc')])
      expect(await one.abi(address('aa'))).toEqual(abi)
      expect((await one.contract(address('bb')))?.details.compilerVersion).toBe('0.8.30')
      expect(await one.given(address('dd'))).toMatchObject({ at: 'now' })
      expect(await one.contract(address('ee'))).toBeUndefined()
    }
  }))

test('what a crash or a stranger left behind does not count', () =>
  withTempFolder(async (folder) => {
    const store = await openSourceStore(folder, limits)
    for (const byte of ['aa', 'bb']) store.put(contractOf(address(byte)))
    truncateSync(join(folder, `${address('aa')}.verified`), 10)
    writeFileSync(join(folder, `${address('cc')}.verified.0123.tmp`), 'half')
    writeFileSync(join(folder, 'notes.txt'), 'mine')
    mkdirSync(join(folder, 'more'))
    const again = await openSourceStore(folder, limits)
    expect([...again.summaries()].map((summary) => summary.address)).toEqual([address('bb')])
    expect(readdirSync(folder).sort()).toEqual([
      `${address('aa')}.verified`,
      `${address('bb')}.verified`,
      'more',
      'notes.txt',
    ])
  }))

test('more than there is room for is refused, and nothing of it stays', () =>
  withTempFolder(async (folder) => {
    const store = await openSourceStore(folder, { contract: 2000, all: 1000 })
    store.put(contractOf(address('aa')))
    const large = { address: address('bb'), at: 'now', abi: [{ name: 'x'.repeat(900) }] }
    expect(() => store.putGiven(large)).toThrow('no room left')
    expect(() => store.putGiven({ ...large, abi: [{ name: 'x'.repeat(3000) }] })).toThrow('too long')
    expect(readdirSync(folder)).toEqual([`${address('aa')}.verified`])
    // The same again takes the place of the first, however full it is.
    for (let i = 0; i < 20; i++) store.put(contractOf(address('aa')))
    store.putGiven({ ...large, abi: [] })
    store.removeGiven(address('bb'))
    expect(await store.given(address('bb'))).toBeUndefined()
  }))
