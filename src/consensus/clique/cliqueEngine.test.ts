import { describe, expect, test } from 'vitest'
import {
  type Authority,
  type AuthorityChain,
  authorities,
  type CliquePlan,
  cliqueBlock,
  cliqueGenesis,
  openAuthorityChain,
} from '../../../test/support/authorityChain.ts'
import { closedAfterEach } from '../../../test/support/closedAfterEach.ts'
import type { HashedHeader } from '../../chain/view.ts'
import { compareBytes, zeroAddress, zeroHash } from '../../primitives/bytes.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { curveOrder } from '../../primitives/secp256k1.ts'
import type { Block } from '../../types/block.ts'
import { emptyOmmersHash, headerHash } from '../../types/header.ts'

const open = closedAfterEach(openAuthorityChain)

const [a, b, c, d] = authorities(4) as [Authority, Authority, Authority, Authority]
const three = [a, b, c]
const outsider = d

/** The signer whose turn the block after `parent` is. */
const nextOf = (parent: HashedHeader, among: readonly Authority[] = three) =>
  among[Number(parent.header.number + 1n) % among.length]!

function next(chain: AuthorityChain, plan: Partial<CliquePlan> = {}): Block {
  const parent = chain.head()
  return cliqueBlock(parent, { signer: nextOf(parent), among: three, ...plan })
}

function grow(chain: AuthorityChain, count: number): void {
  for (let i = 0; i < count; i++) expect(chain.verdict(next(chain))).toBe('extended')
}

const quick = cliqueGenesis(three, { blockperiodseconds: 1, epochlength: 5 })

describe('takes', () => {
  test('blocks in turn, through epochs', () => {
    const chain = open(quick)
    grow(chain, 4)
    const signers = three.map(({ address }) => address)
    expect(chain.verdict(next(chain, { extraData: { signers } }))).toBe('extended')
    grow(chain, 2)
    expect(chain.head().header.number).toBe(7n)
  })

  test('a block out of turn', () => {
    const chain = open(quick)
    expect(chain.verdict(next(chain, { signer: a }))).toBe('extended')
    expect(chain.head().header.difficulty).toBe(1n)
  })

  test('votes, and the signers that they make', () => {
    const chain = open(quick)
    const vote = { subject: d.address, add: true }
    expect(chain.verdict(next(chain, { vote }))).toBe('extended')
    expect(chain.validators()).toHaveLength(3)
    expect(chain.verdict(next(chain, { vote }))).toBe('extended')
    expect(chain.validators().map(toHex)).toEqual([a, b, c, d].map(({ address }) => toHex(address)))
    expect(chain.verdict(next(chain, { among: [a, b, c, d], signer: d }))).toBe('extended')
  })

  test('one signer alone, block after block', () => {
    const chain = open(cliqueGenesis([a], { blockperiodseconds: 1 }))
    for (let i = 0; i < 3; i++) expect(chain.verdict(next(chain, { among: [a], signer: a }))).toBe('extended')
  })

  test('blocks of the same second where the period is zero, as geth does', () => {
    const chain = open(cliqueGenesis(three, { period: 0, epoch: 5 }))
    const timestamp = 0n
    expect(chain.verdict(next(chain, { header: { timestamp } }))).toBe('extended')
  })
})

describe('refuses', () => {
  const signers = three.map(({ address }) => address)
  const cases: [string, Partial<CliquePlan>, string][] = [
    ['a stranger', { signer: outsider }, 'SIGNER_NOT_VALIDATOR'],
    ['no seal', { extraData: { seal: new Uint8Array(65) } }, 'SEAL_INVALID'],
    ['a recovery id beyond 1', { extraData: { seal: new Uint8Array(65).fill(2) } }, 'SEAL_INVALID'],
    ['extra data without room for a seal', { header: { extraData: new Uint8Array(96) } }, 'EXTRA_DATA_INVALID'],
    ['difficulty 1 in turn', { header: { difficulty: 1n } }, 'DIFFICULTY_MISMATCH'],
    ['difficulty 2 out of turn', { signer: a, header: { difficulty: 2n } }, 'DIFFICULTY_MISMATCH'],
    ['a list of signers between epochs', { extraData: { signers } }, 'VALIDATORS_MISMATCH'],
    ['a mix hash', { header: { mixHash: emptyOmmersHash } }, 'MIX_HASH_MISMATCH'],
    ['ommers', { header: { ommersHash: zeroHash } }, 'OMMERS_NOT_ALLOWED'],
    ['a nonce that is no vote', { header: { nonce: new Uint8Array(8).fill(1) } }, 'VOTE_UNKNOWN'],
    ['a block too early', { header: { timestamp: 0n } }, 'BLOCK_PERIOD_NOT_OVER'],
    ['a jump of the gas limit', { header: { gasLimit: 0x2000000n } }, 'GAS_LIMIT_OUT_OF_BOUNDS'],
  ]
  test.each(cases)('%s', (_, plan, fault) => {
    const chain = open(quick)
    expect(chain.verdict(next(chain, plan))).toBe(fault)
  })

  test('a signer among the last of as many blocks as make a majority', () => {
    const chain = open(quick)
    expect(chain.verdict(next(chain, { signer: b }))).toBe('extended')
    expect(chain.verdict(next(chain, { signer: b }))).toBe('SIGNED_RECENTLY')
    expect(chain.verdict(next(chain, { signer: c }))).toBe('extended')
    expect(chain.verdict(next(chain, { signer: b }))).toBe('extended')
  })

  test('an epoch block with a vote, without the signers, or with them in another order', () => {
    const chain = open(quick)
    grow(chain, 4)
    const vote = { subject: d.address, add: true }
    expect(chain.verdict(next(chain))).toBe('VALIDATORS_MISMATCH')
    expect(chain.verdict(next(chain, { extraData: { signers: [...signers].reverse() } }))).toBe('VALIDATORS_MISMATCH')
    expect(chain.verdict(next(chain, { vote, extraData: { signers } }))).toBe('VOTE_NOT_ALLOWED')
  })

  test('an empty block where the network wants none', () => {
    const chain = open(cliqueGenesis(three, { blockperiodseconds: 1, createemptyblocks: false }))
    expect(chain.verdict(next(chain))).toBe('EMPTY_BLOCK_NOT_ALLOWED')
  })

  test('blocks more than ten seconds ahead of the clock', () => {
    const chain = open(quick, 100_999)
    expect(chain.verdict(next(chain, { header: { timestamp: 111n } }))).toBe('TIMESTAMP_IN_FUTURE')
    expect(chain.verdict(next(chain, { header: { timestamp: 110n } }))).toBe('extended')
  })

  test('a base fee that is not computed', () => {
    const chain = open(cliqueGenesis(three, { blockperiodseconds: 1 }, { londonBlock: 1 }))
    const gasLimit = 0x2000000n
    expect(chain.verdict(next(chain, { header: { gasLimit, baseFee: 7n } }))).toBe('BASE_FEE_MISMATCH')
    expect(chain.verdict(next(chain, { header: { gasLimit, baseFee: 1_000_000_000n } }))).toBe('extended')
  })

  test('a genesis file without room for signers', () => {
    expect(() => open({ ...quick, extraData: '0x00' })).toThrow('extraData must be extra data of clique')
  })
})

/** The same block with the seal that anyone can make of its own. */
function withOtherSeal(block: Block): Block {
  const extraData = block.header.extraData.slice()
  const s = BigInt(toHex(extraData.subarray(-33, -1)))
  extraData.set(fromHex(`0x${(curveOrder - s).toString(16).padStart(64, '0')}`), extraData.length - 33)
  extraData[extraData.length - 1]! ^= 1
  return { ...block, header: { ...block.header, extraData } }
}

describe('fork choice', () => {
  test('the heavier branch wins', () => {
    const chain = open(quick)
    const genesis = chain.head()
    expect(chain.verdict(next(chain, { signer: a }))).toBe('extended')
    expect(chain.verdict(cliqueBlock(genesis, { signer: b, among: three }))).toBe('reorganised')
    expect(chain.head().header.difficulty).toBe(2n)
  })

  test('of equals the one whose signer is nearer to its turn', () => {
    const chain = open(quick)
    const genesis = chain.head()
    // Block 1 is b's: a is one place late, c, in Java's remainder, one place early.
    expect(chain.verdict(cliqueBlock(genesis, { signer: a, among: three }))).toBe('extended')
    expect(chain.verdict(cliqueBlock(genesis, { signer: c, among: three }))).toBe('reorganised')
    expect(chain.consensus.signerOf(chain.head().header)).toEqual(c.address)
  })

  test('of two blocks of one signer the one with the lower hash', () => {
    const first = open(quick)
    const genesis = first.head()
    const [low, high] = [1, 2]
      .map((n) => ({ vanity: new Uint8Array(32).fill(n) }))
      .map((extraData) => cliqueBlock(genesis, { signer: a, among: three, extraData }))
      .sort((x, y) => compareBytes(headerHash(x.header), headerHash(y.header)))
    expect([first.verdict(low!), first.verdict(high!)]).toEqual(['extended', 'side'])
    const second = open(quick)
    expect([second.verdict(high!), second.verdict(low!)]).toEqual(['extended', 'reorganised'])
  })

  test('of two seals of the same block the first one, until the next block', () => {
    const chain = open(quick)
    const parent = chain.head()
    const blocks = Array.from({ length: 8 }, (_, i) =>
      cliqueBlock(parent, { signer: a, among: three, extraData: { vanity: new Uint8Array(32).fill(i) } }),
    )
    // The one whose hash is lower.
    for (const block of blocks) {
      const one = open(quick)
      expect([one.verdict(block), one.verdict(withOtherSeal(block))]).toEqual(['extended', 'side'])
    }
    const twin = withOtherSeal(blocks[0]!)
    expect([chain.verdict(blocks[0]!), chain.verdict(twin)]).toEqual(['extended', 'side'])
    const after = { header: twin.header, hash: headerHash(twin.header) }
    expect(chain.verdict(cliqueBlock(after, { signer: c, among: three }))).toBe('reorganised')
  })
})

test('fees go to the signer, and nobody is rewarded', () => {
  const { consensus, head } = open(quick)
  const { header } = cliqueBlock(head(), { signer: c, among: three, vote: { subject: d.address, add: true } })
  expect(consensus.beneficiary(header)).toEqual(c.address)
  expect(consensus.reward(header)).toBe(0n)
  expect(consensus.signerOf(head().header)).toEqual(zeroAddress)
})
