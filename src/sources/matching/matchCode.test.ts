import { createRequire } from 'node:module'
import { beforeAll, expect, test } from 'vitest'
import { compileContract } from '../compiling/compileContract.ts'
import { type LoadedCompiler, loadSoljson } from '../compiling/soljson.ts'
import { readStandardJson } from '../compiling/standardJson.ts'
import type { CompiledContract } from './compiled.ts'
import { matchCreation, matchRuntime } from './matchCode.ts'

let solc: LoadedCompiler
beforeAll(() => {
  solc = loadSoljson(createRequire(import.meta.url).resolve('solc/soljson.js'))
})

const head = '// SPDX-License-Identifier: Apache-2.0\npragma solidity ^0.8.0;\n'

/** Compiles the contract C of a text. */
function compile(text: string, settings: object = {}): Promise<CompiledContract> {
  const input = readStandardJson({ language: 'Solidity', sources: { 'C.sol': { content: head + text } }, settings })
  return compileContract(input, { path: 'C.sol', name: 'C' }, async (json) => solc.compile(json))
}

/** Code with other digits at a place. */
const put = (code: string, byte: number, digits: string) =>
  code.slice(0, 2 * byte) + digits + code.slice(2 * byte + digits.length)

const word = (value: number) => value.toString(16).padStart(64, '0')
const plain = (comment = '') => `contract C { ${comment} uint256 public x; constructor(uint8 first) { x = first; } }`

test('the same sources match exactly, others with the same code do but for their hash', async () => {
  const one = await compile(plain())
  expect(matchRuntime(one, one.runtime.code)).toEqual({ match: 'exact_match', transformations: [], values: {} })
  const other = await compile(plain('/* another */'))
  expect(other.runtime.code).not.toBe(one.runtime.code)
  const offset = one.runtime.auxdata![1]!.offset
  expect(matchRuntime(one, other.runtime.code)).toEqual({
    match: 'match',
    transformations: [{ type: 'replace', reason: 'cborAuxdata', offset, id: '1' }],
    values: { cborAuxdata: { 1: other.runtime.auxdata![1]!.value } },
  })
})

test('other code matches in no way', async () => {
  const one = await compile(plain())
  const other = await compile(plain().replace('= first', '= first + 1'))
  expect(matchCreation(one, other.creation.code + word(1))).toBeUndefined()
  for (const byte of [0, 40, one.runtime.auxdata![1]!.offset - 1])
    expect(matchRuntime(one, put(one.runtime.code, byte, 'aa'))).toBeUndefined()
  expect(matchRuntime(one, `${one.runtime.code}00`)).toBeUndefined()
  expect(matchRuntime(one, one.runtime.code.slice(0, -2))).toBeUndefined()
  // Bytes that are no CBOR in the place of the hash may be code.
  expect(matchRuntime(one, put(one.runtime.code, one.runtime.auxdata![1]!.offset, 'ff5b'))).toBeUndefined()
})

test('arguments of a constructor have to be its own', async () => {
  const one = await compile(plain())
  const offset = one.creation.code.length / 2
  expect(matchCreation(one, one.creation.code + word(255))).toEqual({
    match: 'exact_match',
    transformations: [{ type: 'insert', reason: 'constructorArguments', offset }],
    values: { constructorArguments: `0x${word(255)}` },
  })
  for (const behind of [word(256), word(1) + word(2), '00', word(1).slice(2)])
    expect(matchCreation(one, one.creation.code + behind)).toBeUndefined()
})

test('immutable values, addresses of libraries and of the library itself may be any', async () => {
  const library = 'library L { function f(uint256 x) external pure returns (uint256) { return x * 7; } }'
  const user =
    'contract C { uint256 immutable y; constructor(uint256 z) { y = z; } function g() external view returns (uint256) { return L.f(y) + y; } }'
  const one = await compile(`${library}\n${user}`)
  const places = Object.values(one.runtime.immutableReferences)[0]!
  const links = one.runtime.linkReferences['C.sol']!['L']!
  expect([places.length, links.length]).toEqual([2, 1])
  let code = one.runtime.code
  for (const { start } of places) code = put(code, start, word(1234))
  for (const { start } of links) code = put(code, start, 'ab'.repeat(20))
  expect(matchRuntime(one, code)).toMatchObject({
    match: 'exact_match',
    values: {
      immutables: { [Object.keys(one.runtime.immutableReferences)[0]!]: `0x${word(1234)}` },
      libraries: { 'C.sol:L': `0x${'ab'.repeat(20)}` },
    },
  })
  const itself = await compile(library.replace('library L', 'library C'))
  expect(matchRuntime(itself, put(itself.runtime.code, 1, 'cd'.repeat(20)))).toMatchObject({
    match: 'exact_match',
    values: { callProtection: `0x${'cd'.repeat(20)}` },
  })
  expect(matchRuntime(itself, put(itself.runtime.code, 0, '74'))).toBeUndefined()
})

test('without a hash of the metadata no match is exact', async () => {
  for (const metadata of [{ bytecodeHash: 'none' }, { appendCBOR: false }]) {
    const one = await compile(plain(), { metadata })
    expect(matchRuntime(one, one.runtime.code)?.match).toBe('match')
    expect(matchCreation(one, one.creation.code + word(1))?.match).toBe('match')
  }
  const swarm = await compile(plain(), { metadata: { bytecodeHash: 'bzzr1' } })
  expect(matchRuntime(swarm, swarm.runtime.code)?.match).toBe('exact_match')
})

test('a contract that was deployed without appended data matches sources that would have it', async () => {
  const [one, without] = [await compile(plain()), await compile(plain(), { metadata: { appendCBOR: false } })]
  expect(matchRuntime(one, without.runtime.code)).toMatchObject({
    match: 'match',
    transformations: [{ type: 'delete', reason: 'cborAuxdata' }],
  })
})

const factory = (comment = '') =>
  `contract Made { ${comment} uint256 public a = 3; }\ncontract C { function make() external returns (address) { return address(new Made()); } }`

test('contracts that create others have several hashes, all of which may differ', async () => {
  const [one, other] = [await compile(factory()), await compile(factory('/* another */'))]
  expect(Object.keys(one.runtime.auxdata!)).toHaveLength(2)
  expect(matchRuntime(one, one.runtime.code)?.match).toBe('exact_match')
  expect(matchRuntime(one, other.runtime.code)).toMatchObject({
    match: 'match',
    transformations: [{ reason: 'cborAuxdata' }, { reason: 'cborAuxdata' }],
  })
  expect(matchCreation(one, other.creation.code)?.match).toBe('match')
})

test('bytes of a hash that the code itself uses are compared', async () => {
  const made = `${head}contract Made { uint256 public a = 3; }`
  const compileUser = (constant: string) => {
    const user = `import './M.sol';\ncontract C { bytes public trap = hex"${constant}"; function make() external { new Made(); } }`
    const sources = { 'C.sol': { content: head + user }, 'M.sol': { content: made } }
    const input = readStandardJson({ language: 'Solidity', sources })
    return compileContract(input, { path: 'C.sol', name: 'C' }, async (json) => solc.compile(json))
  }
  const hashes = Object.values((await compileUser('00')).runtime.auxdata!).map(({ value }) => value.slice(2))
  let traps = 0
  for (const hash of hashes) {
    // A constant that is the auxiliary data of the contract that is made: its first word lies in the code as it is.
    const one = await compileUser(hash)
    const { code, auxdata } = one.creation
    const places = Object.values(auxdata!).map(({ offset }) => offset)
    const found = [...code.matchAll(new RegExp(hash.slice(0, 64), 'g'))].map(({ index }) => index / 2)
    expect(matchCreation(one, code)?.match).toBe('exact_match')
    for (const trap of found.filter((at) => !places.includes(at))) {
      traps++
      expect(matchCreation(one, put(code, trap + 16, '00112233'))).toBeUndefined()
    }
  }
  expect(traps).toBeGreaterThan(0)
})
