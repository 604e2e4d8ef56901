import { afterEach, expect, test } from 'vitest'
import { openTestChain, removeFolder } from '../../test/support/testChain.ts'
import { createChainSpec } from '../forks/chainSpec.ts'
import { createDevGenesis } from '../forks/devGenesis.ts'
import { toGenesisFile } from '../forks/genesisFile.ts'
import { emptyBytes } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import { meta } from '../store/schema.ts'

const contract = `0x${'c0'.repeat(20)}`
const account = { balance: '0x5', nonce: '0x1', code: '0x6001', storage: { '0x01': '0x02' } }

function specWith(fields: object) {
  const genesis = createDevGenesis('london')
  return createChainSpec(toGenesisFile({ ...genesis, alloc: { ...genesis.alloc, [contract]: fields } }))
}

let path: string | undefined
afterEach(() => path && removeFolder(path))

async function reopen(fields: object, change: (store: ReturnType<typeof openTestChain>['store']) => void = () => {}) {
  const first = openTestChain(specWith(account))
  path = first.path
  change(first.store)
  await first.close()
  const second = openTestChain(specWith(fields), path)
  await second.close()
  return [first, second].map(({ chain }) => toHex(chain.genesis.hash))
}

test('a store is opened with the genesis file that it was begun with', async () => {
  const [first, second] = await reopen(account)
  expect(second).toBe(first)
})

test.each([
  ['balance', { balance: '0x6' }],
  ['nonce', { nonce: '0x2' }],
  ['code', { code: '0x6002' }],
  ['value of a slot', { storage: { '0x01': '0x03' } }],
  ['slot', { storage: { '0x02': '0x02' } }],
])('one with another %s is refused', async (_, change) => {
  await expect(reopen({ ...account, ...change })).rejects.toThrow(/genesis/)
})

async function reopenAs(
  chainId: number,
  change: (store: ReturnType<typeof openTestChain>['store']) => void = () => {},
) {
  const genesis = createDevGenesis('london')
  const first = openTestChain(createChainSpec(toGenesisFile(genesis)))
  path = first.path
  change(first.store)
  await first.close()
  const config = { ...genesis.config, chainId }
  await openTestChain(createChainSpec(toGenesisFile({ ...genesis, config })), path).close()
}

test('another chain id, which the genesis block does not tell, is refused with both', async () => {
  await reopenAs(1337)
  await expect(reopenAs(9999)).rejects.toThrow(
    'the data path was made with chain id 1337; the genesis file says 9999: correct the genesis file, or choose another --data-path',
  )
})

test('a chain of an earlier version, whose first block has no base fee, says what to add to the genesis file', async () => {
  const genesis = createDevGenesis('london')
  const config = { ...genesis.config, zeroBaseFee: true }
  const open = (fields: { baseFeePerGas: string | undefined }) => {
    const chain = openTestChain(createChainSpec(toGenesisFile({ ...genesis, ...fields, config })), path)
    path = chain.path
    return chain.close()
  }
  path = undefined
  await open({ baseFeePerGas: '0x0' })
  await expect(async () => open({ baseFeePerGas: undefined })).rejects.toThrow(
    'add "baseFeePerGas": "0x0" to the genesis file',
  )
})

test('a store that does not know its chain id is opened as before', async () => {
  await reopenAs(9999, (store) => store.write((txn) => txn.remove(meta, 'chainId')))
})

test.each([
  ['the same file', account, false],
  ['another file', { ...account, balance: '0x6' }, true],
])('a store that does not know the digest of its accounts: %s', async (_, fields, isRefused) => {
  const opening = reopen(fields, (store) => store.write((txn) => txn.put(meta, 'alloc', emptyBytes)))
  await (isRefused ? expect(opening).rejects.toThrow(/genesis/) : expect(opening).resolves.toHaveLength(2))
})
