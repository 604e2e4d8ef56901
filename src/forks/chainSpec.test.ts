import { describe, expect, test } from 'vitest'
import { fromHex, toHex } from '../primitives/hex.ts'
import { privateKeyToAddress } from '../primitives/secp256k1.ts'
import { toWord } from '../primitives/u256.ts'
import { emptyTrieRoot } from '../types/account.ts'
import { bftSettingsAt, bftValidatorsSetAt } from './bftTransitions.ts'
import { createChainSpec } from './chainSpec.ts'
import { createDevGenesis, devAccounts } from './devGenesis.ts'
import { bootnodesOf, parseGenesisFile, toGenesisFile } from './genesisFile.ts'
import { genesisHeader } from './genesisHeader.ts'
import { rulesOf, since } from './rules.ts'
import { forks } from './table.ts'

const top = { gasLimit: '0x1000000', difficulty: '0x1', alloc: {} }
const specOf = (config: object) => createChainSpec(toGenesisFile({ ...top, config }))
const forkAt = (config: object, number: bigint, timestamp = 0n, difficulty?: bigint) =>
  specOf(config).rulesAt({ number, timestamp, ...(difficulty === undefined ? {} : { difficulty }) }).fork

describe('forks', () => {
  test('each fork starts at the block or time that the file names', () => {
    const config = { homesteadBlock: 1, byzantiumBlock: '0x5', londonBlock: '10', shanghaiTime: 100, cancunTime: 200 }
    expect([0n, 1n, 4n, 5n, 9n, 10n].map((n) => forkAt(config, n))).toEqual([
      'frontier',
      'homestead',
      'homestead',
      'byzantium',
      'byzantium',
      'london',
    ])
    expect(forkAt(config, 11n, 99n)).toBe('london')
    expect(forkAt(config, 11n, 100n)).toBe('shanghai')
    expect(forkAt(config, 11n, 1000n)).toBe('cancun')
  })

  test('a later fork at 0 implies the earlier ones, and keys are read in any case', () => {
    expect(forkAt({ BERLINblock: 0 }, 0n)).toBe('berlin')
    expect(forkAt({ constantinopleFixBlock: 0 }, 0n)).toBe('petersburg')
  })

  test('the merge is told by the difficulty of the block', () => {
    const config = { londonBlock: 0, terminalTotalDifficulty: 1000, ethash: {} }
    expect(forkAt(config, 5n, 0n, 131072n)).toBe('london')
    expect(forkAt(config, 5n, 0n, 0n)).toBe('paris')
    const spec = specOf({ ...config, shanghaiTime: 50 })
    expect(spec.rulesAt({ number: 9n, timestamp: 60n, difficulty: 0n }).proofOfStake).toBe(true)
  })

  test('a network with its own consensus does not change to proof of stake', () => {
    const rules = specOf({ shanghaiTime: 0, qbft: {} }).rulesAt({ number: 1n, timestamp: 1n, difficulty: 1n })
    expect(rules.fork).toBe('shanghai')
    expect(rules.proofOfStake).toBe(false)
  })

  test('rules are one frozen object per fork', () => {
    const spec = specOf({ berlinBlock: 0 })
    const rules = spec.rulesAt({ number: 1n, timestamp: 0n })
    expect(spec.rulesAt({ number: 2n, timestamp: 9n })).toBe(rules)
    expect(Object.isFrozen(rules)).toBe(true)
  })

  test('forks only ever add: the order of the table is the order of time', () => {
    const types = forks.map(({ name }) => rulesOf(name).maxTxType)
    expect(types).toEqual([...types].sort())
    expect(since(rulesOf('cancun'), 'london')).toBe(true)
    expect(since(rulesOf('berlin'), 'london')).toBe(false)
  })

  test('limits of the genesis file', () => {
    const rules = specOf({ londonBlock: 0, contractSizeLimit: 100_000, evmStackSize: 2048 }).rulesAt({
      number: 1n,
      timestamp: 0n,
    })
    expect(rules.maxCodeSize).toBe(100_000)
    expect(rules.stackSize).toBe(2048)
  })

  test('blob schedules change with forks and between them', () => {
    const spec = specOf({
      cancunTime: 0,
      pragueTime: 10,
      bpo1Time: 20,
      blobSchedule: {
        cancun: { target: 1, max: 2, baseFeeUpdateFraction: 100 },
        bpo1: { target: 10, max: 15, baseFeeUpdateFraction: 200 },
      },
    })
    const maxAt = (timestamp: bigint) => spec.rulesAt({ number: 1n, timestamp }).blobs?.max
    expect([5n, 15n, 25n].map(maxAt)).toEqual([2, 9, 15])
  })

  test('Osaka has the blob schedule of Prague, and changes without one that of the change before', () => {
    const blobSchedule = {
      prague: { target: 1, max: 2, baseFeeUpdateFraction: 100 },
      osaka: { target: 3, max: 4, baseFeeUpdateFraction: 100 },
      bpo2: { target: 5, max: 6, baseFeeUpdateFraction: 100 },
    }
    const changes = { bpo1Time: 20, bpo2Time: 30, bpo4Time: 40 }
    const spec = specOf({ pragueTime: 0, osakaTime: 10, ...changes, blobSchedule })
    const maxAt = (timestamp: bigint) => spec.rulesAt({ number: 1n, timestamp }).blobs?.max
    expect([5n, 15n, 25n, 35n, 45n].map(maxAt)).toEqual([2, 2, 2, 6, 6])
    expect(spec.blobChanges.map(({ time }) => time)).toEqual([20n, 30n, 40n])
  })
})

describe('genesis files', () => {
  test('consensus sections and their defaults', () => {
    expect(specOf({ clique: { period: 3, epoch: 9 } }).consensus).toMatchObject({
      kind: 'clique',
      blockPeriodSeconds: 3,
      epochLength: 9,
    })
    expect(specOf({ clique: {} })).toMatchObject({
      chainId: 4n,
      consensus: { blockPeriodSeconds: 15, createEmptyBlocks: true },
    })
    expect(specOf({ qbft: { BLOCKPERIODSECONDS: 2, blockreward: '0x10' } }).consensus).toMatchObject({
      kind: 'qbft',
      blockPeriodSeconds: 2,
      blockReward: 16n,
      requestTimeoutSeconds: 1,
    })
    expect(specOf({ ibft2: {}, qbft: { startblock: 10 } }).consensus.kind).toBe('ibft2')
    expect(specOf({ clique: {}, qbft: { startblock: 10 } }).consensus).toMatchObject({
      kind: 'clique',
      successor: { startBlock: 10n, config: { kind: 'qbft' } },
    })
    expect(specOf({ clique: {}, qbft: {} }).consensus.kind).toBe('qbft')
    expect(specOf({}).consensus.kind).toBe('none')
  })

  test('transitions of a BFT network, each on top of the one before', () => {
    const contract = `0x${'c0'.repeat(20)}`
    const someone = `0x${'aa'.repeat(20)}`
    const { consensus } = specOf({
      qbft: { blockPeriodSeconds: 4, miningBeneficiary: someone },
      TRANSITIONS: {
        QBFT: [
          { block: 30, validatorSelectionMode: 'BlockHeader', validators: [someone], miningBeneficiary: ' ' },
          { BLOCK: '10', blockReward: '7' },
          { block: 20, blockPeriodSeconds: 1, validatorSelectionMode: 'contract', validatorContractAddress: contract },
        ],
      },
    })
    if (consensus.kind !== 'qbft') throw new Error(consensus.kind)
    const at = (number: bigint) => bftSettingsAt(consensus, { number, timestamp: 0n })
    expect([9n, 10n, 19n, 20n, 40n].map((n) => [at(n).blockPeriodSeconds, at(n).blockReward])).toEqual([
      [4, 0n],
      [4, 7n],
      [4, 7n],
      [1, 7n],
      [1, 7n],
    ])
    expect([19n, 20n, 29n, 30n].map((n) => at(n).validatorContract?.[0])).toEqual([undefined, 0xc0, 0xc0, undefined])
    expect([29n, 30n].map((n) => at(n).miningBeneficiary?.[0])).toEqual([0xaa, undefined])
    expect([29n, 30n, 31n].map((n) => bftValidatorsSetAt(consensus, n)?.length)).toEqual([undefined, 1, undefined])
  })

  test.each([
    ['{', 'not JSON'],
    ['[]', 'must be a JSON object'],
    ['{"difficulty":"0x1"}', "missing value for 'gasLimit'"],
    ['{"gasLimit":"0x1"}', "missing value for 'difficulty'"],
    ['{"gasLimit":"abc","difficulty":"0x1"}', "gasLimit must be a number but was 'abc'"],
    ['{"gasLimit":1,"difficulty":1,"extraData":"0xzz"}', 'extraData must be hexadecimal'],
    [`{"gasLimit":1,"difficulty":1,"mixHash":"0x${'12'.repeat(33)}"}`, 'mixHash must be at most 32 bytes long but was'],
    [
      `{"gasLimit":1,"difficulty":1,"alloc":{"0x${'12'.repeat(21)}":{}}}`,
      'alloc must be at most 20 bytes long but was',
    ],
    ['{"gasLimit":1,"difficulty":1,"alloc":{"0xgg":{}}}', "alloc must be hexadecimal but was '0xgg'"],
    ['{"gasLimit":1,"difficulty":1,"alloc":{"ab":7}}', 'alloc.ab must be a JSON object'],
    ['{"gasLimit":1,"difficulty":1,"alloc":null,"extraData":"0x123"}', "whole bytes (two digits each) but was '0x123'"],
    ['{"gasLimit":"0x8000000000000000","difficulty":1}', "gasLimit must be below 2^63 but was '0x8000000000000000'"],
    ['{"gasLimit":"010","difficulty":1}', "gasLimit must be written without leading zeros but was '010'"],
    ['{"gasLimit":-1,"difficulty":1}', "gasLimit must be a number but was '-1'"],
    ['{"gasLimit":1.5,"difficulty":1}', "gasLimit must be a number but was '1.5'"],
    ['{"gasLimit":1e21,"difficulty":1}', "gasLimit must be written in quotes (it is above 2^53) but was '1e+21'"],
    ['{"gasLimit":1,"difficulty":{"toString":1}}', `difficulty must be a number but was '{"toString":1}'`],
    [`{"gasLimit":1,"difficulty":"0x1${'0'.repeat(64)}"}`, 'difficulty must be below 2^256'],
    ['{"gasLimit":1,"difficulty":1,"nonce":"0x10000000000000000"}', 'nonce must be below 2^64'],
    ['{"gasLimit":1,"difficulty":1,"timestamp":"0x8000000000000000"}', 'timestamp must be below 2^63'],
    ['{"gasLimit":1,"difficulty":1,"baseFeePerGas":"0x8000000000000000"}', 'baseFeePerGas must be below 2^63'],
    ['{"gasLimit":1,"difficulty":1,"alloc":[]}', 'alloc must be a JSON object'],
  ])('refuses %s', (text, message) => {
    expect(() => parseGenesisFile(text)).toThrow(message)
  })

  test.each([
    [{ ecCurve: 'secp256r1' }, 'only secp256k1'],
    [{ atlantisBlock: 5 }, 'Ethereum Classic'],
    [{ ibft: {} }, 'IBFT 1'],
    [{ londonBlock: 5, berlinBlock: 6 }, 'londonBlock comes before berlinBlock'],
    [{ qbft: { blockperiodseconds: 0 } }, 'blockPeriodSeconds must be at least 1'],
    [{ ibft2: {}, qbft: {} }, "missing value for 'qbft.startBlock'"],
    [{ clique: {}, qbft: { startblock: 0 } }, 'qbft.startBlock must be at least 1'],
    [{ qbft: {}, transitions: { qbft: [{}] } }, "missing value for 'transitions.qbft.block'"],
    [{ qbft: {}, transitions: { qbft: [{ block: 0 }] } }, 'transitions.qbft.block must be at least 1'],
    [{ ibft2: {}, transitions: { ibft2: [{ block: 1 }, { block: 1 }] } }, 'must be in one entry only'],
    [{ qbft: {}, transitions: { qbft: {} } }, 'qbft must be a list'],
    [
      { qbft: {}, transitions: { qbft: [{ block: 1, validatorSelectionMode: 'contract' }] } },
      "missing value for 'transitions.qbft.validatorContractAddress'",
    ],
    [
      { qbft: {}, transitions: { qbft: [{ block: 1, validatorSelectionMode: 'blockheader', validators: [] }] } },
      "missing value for 'transitions.qbft.validators'",
    ],
    [{ qbft: { blockperiodseconds: '9007199254740992' } }, 'blockPeriodSeconds must be at most 9007199254740991'],
    [{ londonBlock: '0x10000000000000000' }, 'londonBlock must be below 2^64'],
    [{ evmStackSize: 1_000_000 }, 'evmStackSize must be at most 16384'],
    [{ blobSchedule: { cancun: { target: 4, max: 3, baseFeeUpdateFraction: 1 } } }, 'target must be at most 3'],
    [{ qbft: { miningBeneficiary: `0x${'1'.repeat(39)}` } }, 'miningBeneficiary must be whole bytes'],
  ])('refuses config %o', (config, message) => {
    expect(() => specOf(config)).toThrow(message)
  })

  test('accounts', () => {
    const { alloc } = toGenesisFile({
      ...top,
      alloc: {
        '0x0000000000000000000000000000000000000001': {
          balance: '10',
          nonce: '0x2',
          code: '0x60',
          storage: { '0x1': '0xff', '02': '10' },
        },
      },
    })
    expect(alloc[0]).toMatchObject({ balance: 10n, nonce: 2n, code: fromHex('60') })
    expect(alloc[0]!.storage.map(({ slot, value }) => [slot[31], value[31]])).toEqual([
      [1, 255],
      [2, 16],
    ])
  })

  const owner = 'ab'.repeat(20)
  const allocOf = (alloc: object) => toGenesisFile({ ...top, alloc }).alloc

  test('an account in several spellings is one, as in Besu: the later entry counts, slots of both stay', () => {
    const alloc = allocOf({
      [`0x${owner}`]: { balance: '1', nonce: '0x5', code: '0x60', storage: { '0x1': '0x1', '0x2': '0x2' } },
      '0000000000000000000000000000000000000001': { balance: '7' },
      [owner]: { balance: '2', storage: { '0x02': '0x3' } },
    })
    expect(alloc.map(({ balance, nonce, code }) => [balance, nonce, code.length])).toEqual([
      [2n, 0n, 0],
      [7n, 0n, 0],
    ])
    expect(alloc[0]!.storage.map(({ slot, value }) => [slot[31], value[31]])).toEqual([
      [1, 1],
      [2, 3],
    ])
    // The same text in another case is one key: what it had first is gone.
    const other = allocOf({ [`0x${owner}`]: { storage: { '0x1': '0x1' } }, [`0X${owner.toUpperCase()}`]: { nonce: 1 } })
    expect(other).toMatchObject([{ nonce: 1n, storage: [] }])
  })

  test('a slot in several spellings has one value', () => {
    const slots = (storage: object) => allocOf({ [owner]: { storage } })[0]!.storage
    expect(slots({ '0x1': '0x7', '0x01': '7', '1': '0x07' }).map(({ value }) => value[31])).toEqual([7])
    expect(() => slots({ '0x1': '0x1', '0x01': '0x2' })).toThrow(`alloc.${owner}.storage has 0x01 twice`)
  })

  test('as Besu reads them: short addresses and hashes, numbers without 0x', () => {
    const file = toGenesisFile({
      ...top,
      difficulty: '20',
      nonce: 10,
      mixHash: '',
      coinbase: '0x0',
      alloc: { '0x1': {} },
    })
    expect(file).toMatchObject({ difficulty: 0x20n, mixHash: new Uint8Array(32), beneficiary: new Uint8Array(20) })
    expect([file.nonce[7], file.alloc[0]!.address[19]]).toEqual([0x10, 1])
    expect(allocOf({ [owner]: { nonce: '10', balance: '10', storage: { 1: 10 } } })).toMatchObject([
      { nonce: 16n, balance: 10n, storage: [{ value: toWord(16n) }] },
    ])
  })

  test.each([
    [{ balance: `0x1${'0'.repeat(64)}` }, 'balance must be below 2^256'],
    [{ balance: '-1' }, "balance must be a number but was '-1'"],
    [{ nonce: '0x10000000000000000' }, 'nonce must be below 2^64'],
    [{ code: '0x123' }, "code must be whole bytes (two digits each) but was '0x123'"],
    [{ code: 'hello' }, "code must be hexadecimal but was 'hello'"],
    [{ code: 7 }, "code must be hexadecimal but was '7'"],
    [{ storage: [] }, 'storage must be a JSON object'],
    [{ storage: { [`0x1${'0'.repeat(64)}`]: '0x1' } }, 'storage must be at most 32 bytes long'],
    [{ storage: { '0x1': `0x1${'0'.repeat(64)}` } }, 'storage.0x1 must be below 2^256'],
  ])('refuses the account %o', (account, message) => {
    expect(() => allocOf({ [owner]: account })).toThrow(`alloc.${owner}.${message}`)
  })

  test('the header of block 0 grows with the forks', () => {
    const header = (config: object) => genesisHeader(specOf(config), emptyTrieRoot)
    expect(header({}).baseFee).toBeUndefined()
    expect(header({ londonBlock: 0 }).baseFee).toBe(1_000_000_000n)
    expect(header({ londonBlock: 0, zeroBaseFee: true }).baseFee).toBe(1_000_000_000n)
    expect(header({ shanghaiTime: 0 }).withdrawalsRoot).toEqual(emptyTrieRoot)
    expect(header({ cancunTime: 0 })).toMatchObject({ blobGasUsed: 0n, excessBlobGas: 0n })
    expect(header({ pragueTime: 0 }).requestsHash).toBeDefined()
  })

  test('the development network: its keys open its accounts', () => {
    expect(createChainSpec(toGenesisFile(createDevGenesis('london'))).chainId).toBe(1337n)
    for (const { address, privateKey } of devAccounts)
      expect(toHex(privateKeyToAddress(fromHex(privateKey)))).toBe(`0x${address}`)
  })
})

describe('bootnodes of a genesis file', () => {
  const bootnodes = (config: object) => bootnodesOf(toGenesisFile({ ...top, config }))

  test('are as they are written', () => {
    expect(bootnodes({ discovery: { bootnodes: ['enode://a', 'enr:b'] } })).toEqual(['enode://a', 'enr:b'])
    expect([bootnodes({}), bootnodes({ discovery: { dns: 'enrtree://c' } })]).toEqual([[], []])
  })

  test.each([['enode://a'], [[1]]])('%j is refused', (given) => {
    expect(() => bootnodes({ discovery: { bootnodes: given } })).toThrow('a list of enode URLs or ENRs')
  })
})
