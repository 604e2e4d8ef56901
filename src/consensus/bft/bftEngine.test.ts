import { describe, expect, test } from 'vitest'
import {
  type Authority,
  type AuthorityChain,
  authorities,
  type BftPlan,
  bftBlock,
  bftGenesis,
  openAuthorityChain,
} from '../../../test/support/authorityChain.ts'
import { closedAfterEach } from '../../../test/support/closedAfterEach.ts'
import type { HashedHeader } from '../../chain/view.ts'
import { zeroHash } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { decodeRlp, encodeRlp, type RlpItem, rlpList } from '../../primitives/rlp.ts'
import { oneStep, runSteps } from '../../primitives/steps.ts'
import type { Block } from '../../types/block.ts'
import { encodeHeader } from '../../types/header.ts'
import { ibft2Codec } from '../ibft2/ibft2Codec.ts'
import { qbftCodec } from '../qbft/qbftCodec.ts'
import { quorumOf } from './checkCommitSeals.ts'
import type { BftVote } from './extraData.ts'

const open = closedAfterEach(openAuthorityChain)

const [a, b, c, d, e] = authorities(5) as [Authority, Authority, Authority, Authority, Authority]
const four = [a, b, c, d]
const outsider = e
const addressesOf = (list: readonly Authority[]) => list.map(({ address }) => address)
const hexOf = (list: readonly Authority[]) => list.map(({ address }) => toHex(address))

describe('a QBFT block with bytes that neither hash nor seals cover', () => {
  const openChain = () => open(bftGenesis(qbftCodec, four, { qbft: { epochlength: 4 } }))
  const vote = { recipient: e.address, add: false }
  const plan: BftPlan = { codec: qbftCodec, proposer: a, validators: four, extraData: { vote } }

  function itemsOf({ header }: Block): RlpItem[] {
    return [...rlpList(decodeRlp(header.extraData))]
  }
  const withItems = (block: Block, items: readonly RlpItem[]): Block => ({
    ...block,
    header: { ...block.header, extraData: encodeRlp(items) },
  })
  const copies: [string, (block: Block) => Block][] = [
    ['further items', (block) => withItems(block, [...itemsOf(block), new Uint8Array(100_000), [vote.recipient]])],
    [
      'another form of a vote to drop',
      (block) => withItems(block, itemsOf(block).with(2, [vote.recipient, Uint8Array.of(0)])),
    ],
  ]

  test.each(copies)('is the block without them: %s', (_, copyOf) => {
    const chain = openChain()
    const block = bftBlock(chain.head(), plan)
    const copy = copyOf(block)
    expect(copy.header.extraData).not.toEqual(block.header.extraData)
    expect(chain.verdict(copy)).toBe('extended')
    const { hash } = chain.head()
    expect(hash).toEqual(chain.consensus.hash(block.header))
    expect(chain.head().header).toEqual(block.header)
    expect(chain.chain.read((view) => view.encodedHeader(hash))).toEqual(encodeHeader(block.header))
    expect(chain.verdict(copy)).toBe('known')
  })

  test.each(copies)('is verified without them as a proposal: %s', (_, copyOf) => {
    const chain = openChain()
    const block = bftBlock(chain.head(), { ...plan, committers: [] })
    runSteps(chain.chain.verify(copyOf(block)))
    expect(chain.verdict(bftBlock(chain.head(), plan))).toBe('extended')
  })
})

test('quorums', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(quorumOf)).toEqual([1, 2, 2, 3, 4, 4, 5, 6, 6, 7])
})

for (const [kind, codec] of [
  ['ibft2', ibft2Codec],
  ['qbft', qbftCodec],
] as const)
  describe(kind, () => {
    const genesisOf = (terms: object, transitions: object[] = []) =>
      bftGenesis(codec, four, { [kind]: { epochlength: 4, ...terms }, transitions: { [kind]: transitions } })
    const next = (chain: AuthorityChain, plan: Partial<BftPlan> = {}): Block =>
      bftBlock(chain.head(), { codec, proposer: a, validators: four, ...plan })
    const extend = (chain: AuthorityChain, plan: Partial<BftPlan> = {}) =>
      expect(chain.verdict(next(chain, plan))).toBe('extended')
    const voting = (proposer: Authority, recipient: Authority, add: boolean): Partial<BftPlan> => {
      const vote: BftVote = { recipient: recipient.address, add }
      return { proposer, extraData: { vote } }
    }

    describe('takes', () => {
      test('blocks with a quorum of seals, of any round', () => {
        const chain = open(genesisOf({}))
        extend(chain)
        extend(chain, { committers: [b, c, d], extraData: { round: 3 } })
        expect(chain.head().header.number).toBe(2n)
      })

      test('a long vanity from those who have sealed it, but not as a proposal', () => {
        const chain = open(genesisOf({}))
        const long = next(chain, { extraData: { vanity: new Uint8Array(33) } })
        expect(() => runSteps(chain.chain.verify(long))).toThrow('VANITY_TOO_LONG')
        expect(chain.verdict(long)).toBe('extended')
        runSteps(chain.chain.verify(next(chain, { extraData: { vanity: new Uint8Array(32) } })))
      })

      test('votes, and the validators that they make', () => {
        const chain = open(genesisOf({}))
        for (const proposer of [a, b, c]) extend(chain, voting(proposer, e, true))
        const five = [a, b, c, d, e]
        expect(chain.validators().map(toHex)).toEqual(hexOf(five))
        extend(chain, { proposer: e, validators: five })
      })

      test('an epoch, at which open votes are forgotten', () => {
        const chain = open(genesisOf({}))
        extend(chain)
        extend(chain, voting(a, e, true))
        extend(chain, voting(b, e, true))
        extend(chain, voting(c, e, true))
        expect(chain.validators()).toHaveLength(4)
        extend(chain, voting(c, e, true))
        expect(chain.validators()).toHaveLength(4)
      })

      test('a block of which a copy with bad seals came first', () => {
        const chain = open(genesisOf({}))
        expect(chain.verdict(next(chain, { committers: [a, b] }))).toBe('TOO_FEW_SEALS')
        extend(chain)
      })

      test('any base fee from London on', () => {
        const genesis = genesisOf({})
        const chain = open({ ...genesis, config: { ...genesis.config, londonBlock: 1 } })
        extend(chain, { header: { gasLimit: 0x2000000n, baseFee: 7n } })
      })

      test('the same block with other seals as the same block', () => {
        const chain = open(genesisOf({}))
        const again = next(chain, { committers: [b, c, d], extraData: { round: 2 } })
        extend(chain, { committers: [a, b, c] })
        expect(chain.verdict(again)).toBe('known')
      })
    })

    describe('refuses', () => {
      const cases: [string, Partial<BftPlan>, string][] = [
        ['too few seals', { committers: [a, b] }, 'TOO_FEW_SEALS'],
        ['a seal twice', { committers: [a, b, c, a] }, 'SEAL_TWICE'],
        ['a seal of a stranger beside a quorum', { committers: [a, b, c, outsider] }, 'SIGNER_NOT_VALIDATOR'],
        ['a seal of nobody', { extraData: { seals: Array(3).fill(new Uint8Array(65)) } }, 'SEAL_INVALID'],
        ['a stranger who proposes', { proposer: outsider }, 'SIGNER_NOT_VALIDATOR'],
        ['a missing validator', { extraData: { validators: addressesOf([a, b, c]) } }, 'VALIDATORS_MISMATCH'],
        [
          'validators in another order',
          { extraData: { validators: addressesOf([b, a, c, d]) } },
          'VALIDATORS_MISMATCH',
        ],
        ['another mix hash', { header: { mixHash: zeroHash } }, 'MIX_HASH_MISMATCH'],
        ['another difficulty', { header: { difficulty: 2n } }, 'DIFFICULTY_MISMATCH'],
        ['a block too early', { header: { timestamp: 0n } }, 'BLOCK_PERIOD_NOT_OVER'],
        ['a jump of the gas limit', { header: { gasLimit: 0x2000000n } }, 'GAS_LIMIT_OUT_OF_BOUNDS'],
        ['a base fee before London', { header: { baseFee: 7n } }, 'FIELD_NOT_ALLOWED'],
        ['extra data that is none', { header: { extraData: new Uint8Array(3) } }, 'EXTRA_DATA_INVALID'],
      ]
      test.each(cases)('%s', (_, plan, fault) => {
        const chain = open(genesisOf({}))
        expect(chain.verdict(next(chain, plan))).toBe(fault)
      })

      test('seals for another round', () => {
        const chain = open(genesisOf({}))
        const { header } = next(chain)
        const { seals } = codec.decode(header.extraData)
        expect(chain.verdict(next(chain, { extraData: { round: 1, seals } }))).toBe('SIGNER_NOT_VALIDATOR')
      })

      test('blocks more than a second ahead of the clock', () => {
        const chain = open(genesisOf({}), 100_999)
        expect(chain.verdict(next(chain, { header: { timestamp: 102n } }))).toBe('TIMESTAMP_IN_FUTURE')
        extend(chain, { header: { timestamp: 101n } })
      })

      test('a genesis file that names no validators in its layout', () => {
        expect(() => open({ ...genesisOf({}), extraData: '0x00' })).toThrow(`extraData must be extra data of ${kind}`)
      })
    })

    describe('transitions', () => {
      test('of the period hold from their block on', () => {
        const chain = open(genesisOf({ blockperiodseconds: 5 }, [{ block: 2, blockperiodseconds: 2 }]))
        expect(chain.verdict(next(chain, { header: { timestamp: 4n } }))).toBe('BLOCK_PERIOD_NOT_OVER')
        extend(chain, { header: { timestamp: 5n } })
        expect(chain.verdict(next(chain, { header: { timestamp: 6n } }))).toBe('BLOCK_PERIOD_NOT_OVER')
        extend(chain, { header: { timestamp: 7n } })
      })

      test('of rewards and of who collects them', () => {
        const to = toHex(outsider.address)
        const { consensus, head } = open(
          genesisOf({ blockreward: '5', miningbeneficiary: to }, [
            { block: 20, miningbeneficiary: '' },
            { block: 10, blockreward: '0x10' },
          ]),
        )
        const at = (number: bigint) => ({ ...head().header, number })
        expect([1n, 9n, 10n, 20n].map((number) => consensus.reward(at(number)))).toEqual([5n, 5n, 16n, 16n])
        expect([1n, 19n, 20n].map((number) => consensus.beneficiary(at(number)))).toEqual([
          outsider.address,
          outsider.address,
          undefined,
        ])
      })

      test('of who collects rewards move the money too', () => {
        const to = toHex(outsider.address)
        const { chain, head } = open(genesisOf({ blockreward: '5', miningbeneficiary: to }))
        const made = chain.produce(
          bftBlock(head(), { codec, proposer: a, validators: four }),
          oneStep(() => []),
        )
        const balances = chain.read((view) => {
          const state = view.stateAt(made!.header.number)
          return [outsider, a].map(({ address }) => state.account(address)?.balance)
        })
        expect(balances).toEqual([5n, undefined])
      })

      test('of validators replace what was voted, but for the vote right before', () => {
        const chain = open(genesisOf({}, [{ block: 3, validators: hexOf([d, a]) }]))
        for (const proposer of [a, b]) extend(chain, voting(proposer, e, true))
        expect(chain.validators().map(toHex)).toEqual(hexOf([a, d]))
        // Only b's vote stands in header 2, and b is no validator of block 3: Besu counts it all the same.
        extend(chain, { ...voting(a, e, true), validators: [a, d] })
        expect(chain.validators().map(toHex)).toEqual(hexOf([a, d, e]))
      })
    })
  })

describe('ibft2 alone', () => {
  const genesis = bftGenesis(ibft2Codec, four, { ibft2: {} })
  test.each([
    ['a nonce', { nonce: new Uint8Array(8).fill(1) }, 'NONCE_NOT_ZERO'],
    ['ommers', { ommersHash: zeroHash }, 'OMMERS_NOT_ALLOWED'],
  ])('refuses %s', (_, header, fault) => {
    const chain = open(genesis)
    expect(chain.verdict(bftBlock(chain.head(), { codec: ibft2Codec, proposer: a, validators: four, header }))).toBe(
      fault,
    )
  })

  test('qbft takes any nonce', () => {
    const chain = open(bftGenesis(qbftCodec, four, { qbft: {} }))
    const header = { nonce: new Uint8Array(8).fill(1) }
    const block = bftBlock(chain.head(), { codec: qbftCodec, proposer: a, validators: four, header })
    expect(chain.verdict(block)).toBe('extended')
  })
})

describe('from ibft2 to qbft', () => {
  const genesis = bftGenesis(ibft2Codec, four, {
    ibft2: { epochlength: 100 },
    qbft: { startblock: 3, epochlength: 50 },
  })

  const vote = { recipient: e.address, add: true }
  function extendIn(chain: ReturnType<typeof open>, plan: Partial<BftPlan>) {
    return chain.verdict(bftBlock(chain.head(), { codec: ibft2Codec, proposer: a, validators: four, ...plan }))
  }

  test('each engine judges its blocks, and votes end with the first one', () => {
    const chain = open(genesis)
    expect(extendIn(chain, { proposer: a, extraData: { vote } })).toBe('extended')
    expect(extendIn(chain, { proposer: b, extraData: { vote } })).toBe('extended')
    expect(extendIn(chain, { proposer: c, extraData: { vote } })).toBe('EXTRA_DATA_INVALID')
    expect(extendIn(chain, { codec: qbftCodec, proposer: c, extraData: { vote } })).toBe('extended')
    expect(chain.validators().map(toHex)).toEqual(hexOf(four))
    expect(extendIn(chain, { codec: qbftCodec, proposer: d, extraData: { vote } })).toBe('extended')
    expect(extendIn(chain, { codec: qbftCodec, proposer: a, extraData: { vote } })).toBe('extended')
    expect(chain.validators().map(toHex)).toEqual(hexOf([a, b, c, d, e]))
  })

  test('votes count across the change where the file says so, as in Besu up to 25.2', () => {
    const config = { ...genesis.config, quoin: { epochsFromStartBlock: false } }
    const chain = open({ ...genesis, config })
    for (const proposer of [a, b]) extendIn(chain, { proposer, extraData: { vote } })
    expect(extendIn(chain, { codec: qbftCodec, proposer: c, extraData: { vote } })).toBe('extended')
    expect(chain.validators().map(toHex)).toEqual(hexOf([a, b, c, d, e]))
  })

  test('needs a first block', () => {
    const { config } = genesis
    expect(() => open({ ...genesis, config: { ...config, qbft: {} } })).toThrow("missing value for 'qbft.startBlock'")
    expect(() => open({ ...genesis, config: { ...config, qbft: { startBlock: 0 } } })).toThrow('at least 1')
  })
})

describe('validators by contract', () => {
  const contract = `0x${'c0'.repeat(20)}`
  // Returns an array of the one address in slot 0.
  const code = '0x6020600052600160205260005460405260606000f3'
  const alloc = { [contract]: { balance: '0', code, storage: { '0x0': toHex(a.address) } } }
  const plan = { codec: qbftCodec, proposer: a, validators: [], committers: [a] }
  const byContract = (parent: HashedHeader, more: Partial<BftPlan> = {}) => bftBlock(parent, { ...plan, ...more })

  test('are taken from its storage; headers name nobody and carry no vote', () => {
    const chain = open(bftGenesis(qbftCodec, [], { qbft: { validatorcontractaddress: contract } }, alloc))
    expect(chain.validators()).toEqual([a.address])
    expect(chain.verdict(byContract(chain.head(), { validators: [a] }))).toBe('VALIDATORS_MISMATCH')
    const vote = { recipient: e.address, add: true }
    expect(chain.verdict(byContract(chain.head(), { extraData: { vote } }))).toBe('VOTE_NOT_ALLOWED')
    expect(chain.verdict(byContract(chain.head(), { proposer: b }))).toBe('SIGNER_NOT_VALIDATOR')
    const vanity = new Uint8Array(32).fill(1)
    const other = byContract(chain.head(), { committers: [b], extraData: { vanity } })
    expect(chain.verdict(other)).toBe('SIGNER_NOT_VALIDATOR')
    expect(chain.verdict(byContract(chain.head()))).toBe('extended')
    expect(chain.verdict(byContract(chain.head()))).toBe('extended')
  })

  test('come and go by transition', () => {
    const transitions = {
      qbft: [
        { block: 2, validatorselectionmode: 'contract', validatorcontractaddress: contract },
        { block: 4, validatorselectionmode: 'blockheader', validators: hexOf([b]) },
      ],
    }
    const chain = open(bftGenesis(qbftCodec, four, { qbft: {}, transitions }, alloc))
    const headerMode = (validators: readonly Authority[]) =>
      chain.verdict(bftBlock(chain.head(), { codec: qbftCodec, proposer: validators[0]!, validators }))
    expect(headerMode(four)).toBe('extended')
    expect(headerMode(four)).toBe('VALIDATORS_MISMATCH')
    expect(chain.verdict(byContract(chain.head()))).toBe('extended')
    expect(chain.verdict(byContract(chain.head()))).toBe('extended')
    expect(headerMode([b])).toBe('extended')
    expect(headerMode([b])).toBe('extended')
  })

  test.each([
    ['there is no contract', {}],
    ['it reverts', { [contract]: { balance: '0', code: '0x60006000fd' } }],
    ['it returns half a list', { [contract]: { balance: '0', code: '0x6020600052600560205260406000f3' } }],
  ])('are unknown when %s', (_, accounts) => {
    const chain = open(bftGenesis(qbftCodec, [], { qbft: { validatorcontractaddress: contract } }, accounts))
    expect(chain.verdict(byContract(chain.head()))).toBe('VALIDATORS_UNKNOWN')
  })
})
