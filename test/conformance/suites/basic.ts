import { seedOf } from '../../../src/consensus/ethash/cache.ts'
import { epochCache } from '../../../src/consensus/ethash/epochCache.ts'
import { hashimoto } from '../../../src/consensus/ethash/hashimoto.ts'
import { cacheBytesOf, datasetBytesOf, epochOf } from '../../../src/consensus/ethash/sizes.ts'
import { sealingHash } from '../../../src/consensus/ethash/verifySeal.ts'
import { expectBytes, expectEqual, Mismatch } from '../../../src/evmtool/expect.ts'
import { toBytes } from '../../../src/evmtool/json.ts'
import { genesisState, stateRoot } from '../../../src/evmtool/memoryState.ts'
import { createChainSpec } from '../../../src/forks/chainSpec.ts'
import { toGenesisFile } from '../../../src/forks/genesisFile.ts'
import { genesisHeader } from '../../../src/forks/genesisHeader.ts'
import { zeroHash } from '../../../src/primitives/bytes.ts'
import { keccak256 } from '../../../src/primitives/keccak.ts'
import { decodeRlp, rlpBytes, rlpList } from '../../../src/primitives/rlp.ts'
import { privateKeyToAddress } from '../../../src/primitives/secp256k1.ts'
import { extensionRlp, leafRlp } from '../../../src/trie/nodeRlp.ts'
import { decodeBlock, encodeBlock } from '../../../src/types/block.ts'
import { decodeTx } from '../../../src/types/decodeTx.ts'
import { encodeTx } from '../../../src/types/encodeTx.ts'
import { headerFromRlp, headerHash } from '../../../src/types/header.ts'
import { senderOf } from '../../../src/types/signTx.ts'
import type { Entry, Group } from '../data.ts'
import type { Suite } from '../suite.ts'

/** A test of bare hex strings and numbers. */
type Fields = Readonly<Record<string, string>>

function checkGenesisHash(test: Fields): void {
  const block = decodeBlock(toBytes(test['genesis_rlp_hex']!))
  expectBytes('hash', headerHash(block.header), toBytes(test['genesis_hash']!))
  expectBytes('state root', block.header.stateRoot, toBytes(test['genesis_state_root']!))
}

/** The path of a node as it stands in the node's own encoding. */
function checkHexPrefix(test: { seq: readonly number[]; term: boolean; out: string }): void {
  const path = Uint8Array.from(test.seq)
  const node = test.term ? leafRlp(path, 0, zeroHash) : extensionRlp(path, 0, path.length, zeroHash)
  expectBytes('encoding', rlpBytes(rlpList(decodeRlp(node))[0]), toBytes(test.out))
}

/** The tests carry a signature too, but no known digest of "the empty string" fits it. */
function checkKey(test: Fields): void {
  const key = toBytes(test['key']!)
  expectBytes('key of seed', keccak256(new TextEncoder().encode(test['seed'])), key)
  expectBytes('address', privateKeyToAddress(key), toBytes(test['addr']!))
}

/** The signature is of another library's choice of k, so it is read, not made. */
function checkTx(test: Fields): void {
  const signed = toBytes(test['signed']!)
  const tx = decodeTx(signed)
  if (tx.type !== 0) throw new Mismatch(`a transaction of type ${tx.type}`)
  expectBytes('sender', senderOf(tx), privateKeyToAddress(toBytes(test['key']!)))
  expectBytes('signed', encodeTx(tx), signed)
  expectBytes('unsigned', encodeTx({ ...tx, v: 0n, r: 0n, s: 0n }), toBytes(test['unsigned']!))
}

function checkGenesisFile(test: Fields & { alloc: Readonly<Record<string, Fields>> }): void {
  const alloc = Object.entries(test.alloc).map(([address, { wei, ...fields }]) => [
    address,
    wei === undefined ? fields : { ...fields, balance: wei },
  ])
  const spec = createChainSpec(toGenesisFile({ ...test, alloc: Object.fromEntries(alloc) }))
  const header = genesisHeader(spec, stateRoot(genesisState(spec.genesis.alloc)))
  const block = { header, transactions: [], ommers: [], withdrawals: undefined }
  expectBytes('block', encodeBlock(block), toBytes(test['result']!))
}

function checkEthash(test: Fields & { cache_size: number; full_size: number }): void {
  const header = headerFromRlp(decodeRlp(toBytes(test['header']!)))
  const epoch = epochOf(header.number)
  expectBytes('seed', seedOf(epoch), toBytes(test['seed']!))
  expectEqual('cache size', cacheBytesOf(epoch), test.cache_size)
  expectEqual('dataset size', datasetBytesOf(epoch), test.full_size)
  const cache = epochCache(epoch)
  expectBytes('cache', keccak256(new Uint8Array(cache.buffer)), toBytes(test['cache_hash']!))
  expectBytes('sealing hash', sealingHash(header), toBytes(test['header_hash']!))
  const proof = hashimoto(cache, datasetBytesOf(epoch), sealingHash(header), toBytes(test['nonce']!))
  expectBytes('mix hash', proof.mixHash, toBytes(test['mixHash']!))
  expectBytes('result', proof.result, toBytes(test['result']!))
}

const checks: readonly (readonly [file: RegExp, check: (test: never) => void])[] = [
  [/genesishashestest/, checkGenesisHash],
  [/hexencodetest/, checkHexPrefix],
  [/keyaddrtest/, checkKey],
  [/txtest/, checkTx],
  [/basic_genesis_tests/, checkGenesisFile],
  [/ethash_tests/, checkEthash],
]

function check({ path, test }: Entry): void {
  const found = checks.find(([file]) => file.test(path))
  if (!found) throw new Mismatch('no check is known for this file')
  found[1](test as never)
}

const group: Group = {
  bundles: /^basic/,
  folders: ['BasicTests', 'GenesisTests', 'PoWTests', 'ABITests', 'KeyStoreTests'],
  files: (path) => !/BasicTests\/difficulty/.test(path),
}

export const basic: Suite = {
  name: 'basic',
  doc: 'BasicTests, GenesisTests, PoWTests: keys, hex-prefix, genesis blocks, Ethash.',
  async *cases(data) {
    for await (const entry of data.entries(group))
      yield { name: `${entry.path} ${entry.name}`, run: () => check(entry) }
  },
}
