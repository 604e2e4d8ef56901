import { afterEach, describe, expect, test } from 'vitest'
import {
  type Authority,
  type AuthorityChain,
  authorities,
  type BftPlan,
  bftBlock,
  bftGenesis,
  cliqueBlock,
  cliqueGenesis,
  openAuthorityChain,
} from '../../../test/support/authorityChain.ts'
import type { HashedHeader } from '../../chain/view.ts'
import { bftGenesisExtraData } from '../../consensus/bft/extraData.ts'
import { createHeaderTrust } from '../../consensus/headerTrust.ts'
import { ibft2Codec } from '../../consensus/ibft2/ibft2Codec.ts'
import { qbftCodec } from '../../consensus/qbft/qbftCodec.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { createRecoverPool } from '../../recovery/recoverPool.ts'
import type { Block } from '../../types/block.ts'
import { findBadSeals } from './checkSeals.ts'

const open: AuthorityChain[] = []
afterEach(async () => {
  for (const chain of open.splice(0)) await chain.close()
})

const [a, b, c, d, e] = authorities(5) as [Authority, Authority, Authority, Authority, Authority]
const four = [a, b, c, d]
const five = [a, b, c, d, e]
const three = [b, c, d]

function start(genesis: object): AuthorityChain {
  const chain = openAuthorityChain(genesis)
  open.push(chain)
  return chain
}

/** Headers that follow each other, which nobody has run. */
function headersOf(chain: AuthorityChain, makers: readonly ((parent: HashedHeader) => Block)[]): HashedHeader[] {
  const list: HashedHeader[] = []
  for (const make of makers) {
    const { header } = make(list.at(-1) ?? chain.head())
    list.push({ header, hash: chain.consensus.hash(header) })
  }
  return list
}

/** Imports headers as one part; returns the code of the fault, or how many there are now. */
function take({ chain, consensus }: AuthorityChain, headers: readonly HashedHeader[]): string | number {
  try {
    chain.importHeaders(headers, createHeaderTrust(consensus, []).check)
    return Number(chain.lastHeader().header.number)
  } catch (error) {
    expect(chain.lastHeader().hash).toEqual(chain.head().hash)
    return (error as { at?: { code: string } }).at?.code ?? String(error)
  }
}

for (const [kind, codec] of [
  ['ibft2', ibft2Codec],
  ['qbft', qbftCodec],
] as const)
  describe(kind, () => {
    const genesis = () => bftGenesis(codec, four, { [kind]: { epochlength: 6 } })
    const by =
      (plan: Partial<BftPlan> = {}) =>
      (parent: HashedHeader) =>
        bftBlock(parent, { codec, proposer: plan.validators?.[0] ?? a, validators: four, ...plan })
    const vote = { recipient: e.address, add: true }
    const votes = [a, b, c].map((proposer) => by({ proposer, extraData: { vote } }))

    test('the last header vouches for those before it', () => {
      const chain = start(genesis())
      expect(take(chain, headersOf(chain, [by({ committers: [] }), by({ committers: [a] }), by()]))).toBe(3)
    })

    test('too few seals on the last header: nothing is believed', () => {
      const chain = start(genesis())
      expect(take(chain, headersOf(chain, [by(), by(), by({ committers: [a, b] })]))).toBe('TOO_FEW_SEALS')
    })

    test('validators are followed through votes, and an epoch ends what was counted', () => {
      const chain = start(genesis())
      const headers = headersOf(chain, [...votes, by({ validators: five, committers: [b, c, d, e] })])
      expect(take(chain, headers)).toBe(4)
      const other = start(genesis())
      // Two of three votes, an epoch block (6), and the third one: nobody was added.
      const [one, two, third] = votes
      expect(take(other, headersOf(other, [one!, two!, by(), by(), by(), by(), third!, by()]))).toBe(8)
    })

    test('who adds validators needs the seals of those before', () => {
      const chain = start(genesis())
      const last = by({ proposer: c, committers: [a, b], extraData: { vote } })
      const headers = headersOf(chain, [...votes.slice(0, 2), last, by({ validators: five })])
      expect(take(chain, headers)).toBe('TOO_FEW_SEALS')
    })

    test('former validators are not believed', () => {
      const chain = start(genesis())
      const remove = { recipient: a.address, add: false }
      const removal = [b, c, d].map((proposer) => by({ proposer, extraData: { vote: remove } }))
      expect(take(chain, headersOf(chain, [...removal, by({ validators: four })]))).toBe('VALIDATORS_MISMATCH')
      const sealedByOld = by({ validators: three, committers: [a, b] })
      expect(take(chain, headersOf(chain, [...removal, sealedByOld]))).toBe('SIGNER_NOT_VALIDATOR')
      expect(take(chain, headersOf(chain, [...removal, by({ validators: three })]))).toBe(4)
    })

    test('strangers and headers that do not follow each other are refused', () => {
      const chain = start(genesis())
      expect(take(chain, headersOf(chain, [by({ committers: [a, b, c, e] })]))).toBe('SIGNER_NOT_VALIDATOR')
      expect(take(chain, headersOf(chain, [by({ proposer: e, committers: [] }), by()]))).toBe('SIGNER_NOT_VALIDATOR')
      const [, second] = headersOf(chain, [by(), by()])
      expect(take(chain, [second!])).toBe('PARENT_UNKNOWN')
    })

    test('seals that were altered on the way are found afterwards', async () => {
      const chain = start(genesis())
      const headers = headersOf(chain, [
        by(),
        by({ committers: [a, b] }),
        by({ committers: [a, b, e] }),
        by({ extraData: { seals: [new Uint8Array(65), new Uint8Array(65), new Uint8Array(65)] } }),
        by(),
      ])
      expect(take(chain, headers)).toBe(5)
      const trust = createHeaderTrust(chain.consensus, [])
      const blocks = chain.chain.read((view) => headers.map((block) => trust.sealsOf(block, view)!))
      const recover = createRecoverPool({ threads: 0 })
      const bad = await findBadSeals(blocks, recover)
      await recover.close()
      expect(bad.map(({ block }) => block.header.number)).toEqual([2n, 3n, 4n])
    })

    test('headers of another branch take the place of those from there on', () => {
      const chain = start(genesis())
      const [first, ...rest] = headersOf(chain, [by(), by(), by()])
      expect(take(chain, [first!, ...rest])).toBe(3)
      const header = { gasLimit: 0x1000000n - 1n }
      const second = bftBlock(first!, { codec, proposer: b, validators: four, header }).header
      chain.chain.importHeaders([{ header: second, hash: chain.consensus.hash(second) }], () => {})
      expect(chain.chain.lastHeader().header).toEqual(second)
      expect(chain.chain.read((view) => view.headerBy(rest[0]!.hash))).toBeUndefined()
      // No view shows what is ahead of the head.
      expect(chain.chain.read((view) => [view.hashAt(1n), view.isCanonical(first!.hash)])).toEqual([undefined, false])
    })
  })

describe('validators that a contract names', () => {
  const contract = `0x${'00'.repeat(19)}99`
  const byte = (n: number) => n.toString(16).padStart(2, '0')
  /** Returns the four of the beginning. */
  const code = [
    `60206000526004602052`,
    ...four.map(({ address }, i) => `73${toHex(address).slice(2)}60${byte(0x40 + 0x20 * i)}52`),
    '60c06000f3',
  ].join('')
  const genesis = () => ({
    ...bftGenesis(
      qbftCodec,
      [],
      { qbft: { validatorcontractaddress: contract } },
      { [contract.slice(2)]: { balance: '0x0', code: toHex(fromHex(code)) } },
    ),
    extraData: toHex(bftGenesisExtraData(qbftCodec, [])),
  })
  const sealedBy = (committers: readonly Authority[]) => (parent: HashedHeader) =>
    bftBlock(parent, { codec: qbftCodec, proposer: e, validators: [], committers })

  function pivotFault(committers: readonly Authority[], named: readonly Authority[]): string | undefined {
    const chain = start(genesis())
    const headers = headersOf(chain, [sealedBy([]), sealedBy(committers)])
    expect(take(chain, headers)).toBe(2)
    const trust = createHeaderTrust(
      chain.consensus,
      named.map(({ address }) => address),
    )
    try {
      chain.chain.read((view) => trust.checkPivot(headers[1]!, headers[0]!, view))
      return undefined
    } catch (error) {
      return (error as { at?: { code: string } }).at?.code ?? String(error)
    }
  }

  test('a quorum of the first ones has sealed the block whose state is taken over', () => {
    expect(pivotFault([a, b, c], [])).toBeUndefined()
    expect(pivotFault([a, b, c, e], [])).toBeUndefined()
    expect(pivotFault([a, b, e], [])).toBe('TOO_FEW_SEALS')
    expect(pivotFault([a, a, a], [])).toBe('TOO_FEW_SEALS')
  })

  test('or a quorum of those whom the operator names, each once', () => {
    expect(pivotFault([c, d, e], [c, d, e])).toBeUndefined()
    expect(pivotFault([c, e], [c, d, e])).toBeUndefined()
    expect(pivotFault([c], [c, c, d, e])).toBe('TOO_FEW_SEALS')
  })
})

test('Clique: each header is checked in full', () => {
  const chain = start(cliqueGenesis([a, b, c], { blockperiodseconds: 1, epochlength: 100 }))
  const by = (signer: Authority) => (parent: HashedHeader) => cliqueBlock(parent, { signer, among: [a, b, c] })
  expect(take(chain, headersOf(chain, [by(b), by(e), by(a)]))).toBe('SIGNER_NOT_VALIDATOR')
  expect(take(chain, headersOf(chain, [by(b), by(b), by(a)]))).toBe('SIGNED_RECENTLY')
  expect(take(chain, headersOf(chain, [by(b), by(c), by(a)]))).toBe(3)
})
