import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Enode } from '../net/enode.ts'
import { hexToAddress, toHex } from '../primitives/hex.ts'
import { curve } from '../primitives/secp256k1.ts'
import type { Tx } from '../types/transaction.ts'
import { openAccountsAllowlist } from './accountsAllowlist.ts'
import { openNodesAllowlist } from './nodesAllowlist.ts'

const folder = mkdtempSync(join(tmpdir(), 'quoin-permissions-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
function fileOf(text: string): string {
  const path = join(folder, `${files++}.toml`)
  writeFileSync(path, text)
  return path
}
const textOf = (path: string) => readFileSync(path, 'utf8')

const [a, b, c] = ['a1', 'B2', 'c3'].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string]
const anyTx = {} as Tx
const idOf = (n: number) => curve.publicKey(new Uint8Array(32).fill(n))
const own = idOf(9)
const node = (n: number, ip = '10.0.0.1', tcpPort = 1, udpPort = tcpPort): Enode => ({
  id: idOf(n),
  ip,
  tcpPort,
  udpPort,
})
const url = (n: number, rest = '10.0.0.1:1') => `enode://${toHex(idOf(n)).slice(2)}@${rest}`
const open = (path: string, more: { fixed?: readonly Enode[]; names?: Record<string, string> } = {}) =>
  openNodesAllowlist({
    path,
    ownId: own,
    fixed: more.fixed ?? [],
    lookUp: more.names && (async (name) => more.names![name]),
  })
const listOf = (...nodes: string[]) => fileOf(`nodes-allowlist=${JSON.stringify(nodes)}`)

function replaceByFolder(path: string): void {
  rmSync(path)
  mkdirSync(path)
}

describe('the accounts of a file', () => {
  test('may send, in any letter case', () => {
    const list = openAccountsAllowlist(fileOf(`accounts-allowlist=["${a}","${b}"]`))
    expect(list.list()).toEqual([a, b.toLowerCase()])
    expect(list.rule.check(anyTx, hexToAddress(b))).toBe('allowed')
    expect(list.rule.check(anyTx, hexToAddress(c))).toBe('refused')
  })

  test('count once if they are listed twice, and are removed wholly', () => {
    const path = fileOf(`accounts-allowlist=["${b}","${a}","${b.toLowerCase()}"]`)
    const list = openAccountsAllowlist(path)
    expect(list.list()).toEqual([b.toLowerCase(), a])
    list.remove([b])
    expect(textOf(path)).toBe(`accounts-allowlist=["${a}"]`)
  })

  test('change in the file with comments, other keys and tables kept', () => {
    const text = `# ours\naccounts-allowlist = [\n  "${a}", # boss\n]\nother = 1\nnodes-whitelist=[]\n[table]\nx = "y"\n`
    const path = fileOf(text)
    const list = openAccountsAllowlist(path)
    list.add([c])
    expect(textOf(path)).toBe(text.replace('# boss\n', `# boss\n  "${c}",\n`))
    expect(openAccountsAllowlist(path).list()).toEqual([a, c])
  })

  test('may stand under the old key, which stays', async () => {
    const path = fileOf(`accounts-whitelist=["${a}"]\nnodes-whitelist=["${url(1)}"]`)
    openAccountsAllowlist(path).add([c])
    const nodes = await open(path)
    await nodes.add([url(2)])
    expect(textOf(path)).toBe(`accounts-whitelist=["${a}","${c}"]\nnodes-whitelist=["${url(1)}","${url(2)}"]`)
  })

  test('are told to listeners when they change', () => {
    const path = fileOf(`accounts-allowlist=["${a}"]`)
    const list = openAccountsAllowlist(path)
    const seen: (readonly string[])[] = []
    const end = list.onChange(() => seen.push(list.list()))
    list.add([c])
    list.read()()
    end()
    list.remove([c])
    expect(seen).toEqual([
      [a, c],
      [a, c],
    ])
  })

  test('do not change where the file has gone, is a folder or is broken', () => {
    for (const spoil of [
      (path: string) => rmSync(path),
      replaceByFolder,
      (path: string) => writeFileSync(path, 'accounts-allowlist=[['),
      (path: string) => writeFileSync(path, `accounts-allowlist=["${a}"]\nx=1\nx=2`),
    ]) {
      const path = fileOf(`accounts-allowlist=["${a}"]`)
      const list = openAccountsAllowlist(path)
      spoil(path)
      expect(() => list.add([c])).toThrow('NOT_PERSISTED')
      expect(() => list.read()).toThrow()
      expect(list.list()).toEqual([a])
    }
  })

  test('change in memory alone where the file lacks one of them', () => {
    const path = fileOf(`accounts-allowlist=["${a}"]`)
    const list = openAccountsAllowlist(path)
    writeFileSync(path, `accounts-allowlist=["${b}"]`)
    expect(() => list.add([c])).toThrow('OUT_OF_SYNC')
    expect(list.list()).toEqual([a, c])
    expect(textOf(path)).toBe(`accounts-allowlist=["${b}"]`)
  })

  test('that only the file has stay there', () => {
    const path = fileOf(`accounts-allowlist=["${a}"]`)
    const list = openAccountsAllowlist(path)
    writeFileSync(path, `accounts-allowlist=["${b}","${a}"]`)
    list.remove([a])
    expect(textOf(path)).toBe(`accounts-allowlist=["${b}"]`)
    expect(list.list()).toEqual([])
  })

  test('are written through a link, and the mode of the file stays', () => {
    const path = fileOf(`accounts-allowlist=["${a}"]`)
    chmodSync(path, 0o640)
    const link = join(folder, 'link.toml')
    symlinkSync(path, link)
    openAccountsAllowlist(link).add([c])
    expect(textOf(path)).toContain(c)
    expect(statSync(path).mode & 0o777).toBe(0o640)
  })
})

describe('a file that cannot be used', () => {
  test('is refused with one line that does not show what is in it', () => {
    const secret = fileOf('root:x:0:0:secret\n')
    expect(() => openAccountsAllowlist(secret)).toThrow(
      /^Unable to read permissioning TOML config file : [^\n]*line 1[^\n]*$/,
    )
    expect(() => openAccountsAllowlist(secret)).not.toThrow('secret')
    expect(() => openAccountsAllowlist(fileOf('# nothing'))).toThrow('Empty TOML result:')
    expect(() => openAccountsAllowlist(fileOf('x=1'))).toThrow('accounts-allowlist config option missing')
    expect(() => openAccountsAllowlist(fileOf(`accounts-allowlist="${a}"`))).toThrow('not an array')
    expect(() => openAccountsAllowlist(fileOf('accounts-allowlist=["0x12"]'))).toThrow('Invalid account 0x12')
    expect(() => openAccountsAllowlist(fileOf('accounts-allowlist=[1]'))).toThrow('Invalid account 1')
    expect(() => openAccountsAllowlist(join(folder, 'none'))).toThrow(/Configuration file does not exist: .*none$/)
    expect(() => openAccountsAllowlist(folder)).toThrow('cannot be read (EISDIR)')
  })
})

describe('the nodes of a file', () => {
  test('may connect if ID, address and port fit; this node always may', async () => {
    const { rule } = await open(listOf(url(1), url(2, '[::1]:2?discport=3')))
    const self = node(9, '10.0.0.9', 99)
    expect(rule.allows(self, node(1))).toBe(true)
    expect(rule.allows(node(1), self)).toBe(true)
    expect(rule.allows(self, node(2, '::1', 2))).toBe(true)
    for (const other of [node(1, '10.0.0.2'), node(1, '10.0.0.1', 2), node(2), node(3)]) {
      expect(rule.allows(self, other)).toBe(false)
      expect(rule.allows(other, self)).toBe(false)
    }
  })

  test('must include bootnodes and static nodes, whatever their discovery port', async () => {
    await open(listOf(url(1)), { fixed: [node(1, '10.0.0.1', 1, 7)] })
    await expect(open(listOf(url(1)), { fixed: [node(1), node(2)] })).rejects.toThrow(
      `Specified node(s) not in nodes-allowlist [${url(2)}]`,
    )
  })

  test('keep their names in the file, where names are allowed', async () => {
    const path = listOf(url(1, 'one.example:1'))
    await expect(open(path)).rejects.toThrow('Invalid ip address.')
    const names = { 'one.example': '10.0.0.1', 'two.example': '10.0.0.2' }
    const list = await open(path, { names })
    expect(list.list()).toEqual([url(1)])
    await list.add([url(2, 'two.example:1')])
    await expect(list.add([url(3, 'three.example:1')])).rejects.toThrow('NODE_INVALID')
    expect(textOf(path)).toBe(`nodes-allowlist=["${url(1, 'one.example:1')}","${url(2, '10.0.0.2:1')}"]`)
    await list.remove([url(1)])
    expect(textOf(path)).toBe(`nodes-allowlist=["${url(2, '10.0.0.2:1')}"]`)
  })

  test('follow their names', async () => {
    const names: Record<string, string> = { 'one.example': '10.0.0.1' }
    const list = await open(listOf(url(1, 'one.example:1'), url(2)), { names })
    let changes = 0
    list.rule.onChange(() => changes++)
    await list.refreshNames()
    expect(changes).toBe(0)
    names['one.example'] = '10.0.0.7'
    await list.refreshNames()
    expect(list.list()).toEqual([url(1, '10.0.0.7:1'), url(2)])
    delete names['one.example']
    await list.refreshNames()
    expect(list.list()).toEqual([url(1, '10.0.0.7:1'), url(2)])
    expect(changes).toBe(1)
  })

  test('cannot be removed while they are fixed', async () => {
    const list = await open(listOf(url(1), url(1, '10.0.0.1:1?discport=5')), { fixed: [node(1)] })
    await expect(list.remove([url(1)])).rejects.toThrow('NODE_FIXED')
    await list.remove([url(1, '10.0.0.1:1?discport=5')])
    expect(list.list()).toEqual([url(1)])
  })
})
