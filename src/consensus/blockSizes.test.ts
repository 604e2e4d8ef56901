import { describe, expect, test } from 'vitest'
import {
  type Authority,
  type AuthorityChain,
  authorities,
  bftBlock,
  bftGenesis,
  cliqueGenesis,
  openAuthorityChain,
} from '../../test/support/authorityChain.ts'
import { closedAfterEach } from '../../test/support/closedAfterEach.ts'
import { openNetwork as open, networkStart as start } from '../../test/support/localValidators.ts'
import { sampleOf } from '../../test/support/wholeRun.ts'
import { systemAccountKeys, systemAccounts } from '../forks/systemAccounts.ts'
import { createLocalKey } from '../keys/nodeIdentity.ts'
import { zeroHash } from '../primitives/bytes.ts'
import { hexToAddress, toHex } from '../primitives/hex.ts'
import { oneStep, runSteps } from '../primitives/steps.ts'
import { type Block, encodeBlock } from '../types/block.ts'
import { encodeTx, rememberTxBytes } from '../types/encodeTx.ts'
import { signTx } from '../types/signTx.ts'
import type { Tx } from '../types/transaction.ts'
import { bftCommitHash } from './bft/bftHash.ts'
import { ibft2Codec } from './ibft2/ibft2Codec.ts'
import { qbftCodec } from './qbft/qbftCodec.ts'

const openNetwork = closedAfterEach(open)

const [user, ...validators] = authorities(3) as [Authority, ...Authority[]]
const alice = hexToAddress('00000000000000000000000000000000000000aa')
const limit = 8_388_608

const period = { blockperiodseconds: 10 }
const bftTerms = { ...period, requesttimeoutseconds: 20 }
const upToOsaka = {
  londonBlock: 0,
  zeroBaseFee: true,
  shanghaiTime: 0,
  cancunTime: 0,
  pragueTime: 0,
  osakaTime: 0,
  ...systemAccountKeys('osaka'),
}
const alloc = { [toHex(user.address)]: { balance: '1000000000000000000' }, ...systemAccounts('osaka') }
const roomy = { gasLimit: '0x1fffffffffffff', alloc }

const engines = [
  ['Clique', (config: object) => ({ ...cliqueGenesis(validators, period, config), ...roomy })],
  [
    'IBFT 2.0',
    (config: object) => ({ ...bftGenesis(ibft2Codec, validators, { ibft2: bftTerms, ...config }), ...roomy }),
  ],
  ['QBFT', (config: object) => ({ ...bftGenesis(qbftCodec, validators, { qbft: bftTerms, ...config }), ...roomy })],
] as const

function large(nonce: bigint): Tx {
  const data = new Uint8Array(1_000_000)
  const fields = { gasPrice: 0n, gasLimit: 11_000_000n, to: alice, value: 0n, data, chainId: 7n }
  const tx = signTx({ type: 0, nonce, ...fields }, user.key)
  rememberTxBytes(tx, encodeTx(tx))
  return tx
}
const count = 18
const txs = Array.from({ length: count }, (_, i) => large(BigInt(i)))

describe.each(engines)('%s', (_, genesisOf) => {
  test.each(sampleOf([['Osaka', upToOsaka] as const, ['Berlin', {}] as const], 1))(
    'on %s a block takes no more bytes than messages carry, however much gas it may have',
    (_, forks) => {
      const { nodes, node, clock } = openNetwork(genesisOf({ chainId: 7, ...forks }), validators)
      for (const { pool } of nodes)
        for (const tx of txs) expect(pool.add(tx, { local: true, now: start })).toBeUndefined()
      clock.runUntil(() => nodes.every(({ pool }) => pool.count() === 0))
      const blocks = node.chain.read((view) => {
        const numbers = Array.from({ length: Number(view.head.header.number) }, (_, i) => BigInt(i + 1))
        return numbers.map((number) => view.blockAt(number)!.block)
      })
      expect(blocks.reduce((sum, { transactions }) => sum + transactions.length, 0)).toBe(count)
      const sizes = blocks.map((block) => encodeBlock(block).length)
      expect(Math.max(...sizes)).toBeLessThanOrEqual(limit)
      expect(Math.max(...sizes)).toBeGreaterThan(limit - 1_000_300)
    },
  )
})

describe('a block of QBFT on Osaka', () => {
  const openChain = closedAfterEach((genesis: object) => openAuthorityChain(genesis))
  const genesis = engines[2][1]({ chainId: 7, ...upToOsaka })

  /** A block of transactions of 1 MB each and a last one, so that the block has so many bytes without its seals. */
  function propose({ chain }: AuthorityChain, size: number): Block {
    const draft = bftBlock(chain.head(), { codec: qbftCodec, proposer: validators[0]!, validators, committers: [] })
    const { header } = draft
    const first = txs.slice(0, 7)
    const rest = (bytes: number) => {
      const fields = { gasPrice: 0n, gasLimit: 16_000_000n, to: alice, value: 0n, data: new Uint8Array(bytes) }
      return signTx({ type: 0, nonce: 7n, chainId: 7n, ...fields }, user.key)
    }
    function build(bytes: number): Block {
      const all = [...first, rest(bytes)]
      const made = runSteps(
        chain.propose(
          {
            ...draft,
            header: { ...header, timestamp: 10n, baseFee: 0n, excessBlobGas: 0n, parentBeaconRoot: zeroHash },
            withdrawals: [],
          },
          oneStep((run) => {
            for (const tx of all) run.add(tx, user.address)
            return all
          }),
        ),
      )
      return made!.block
    }
    return build(1_300_000 + size - encodeBlock(build(1_300_000)).length)
  }

  function seal(block: Block): Block {
    const data = qbftCodec.decode(block.header.extraData)
    const digest = bftCommitHash(qbftCodec, block.header, data)
    const seals = validators.map(({ key }) => createLocalKey(key).sign(digest))
    return { ...block, header: { ...block.header, extraData: qbftCodec.encode({ ...data, seals }, 'whole') } }
  }

  test('may have the size of its fork, seals included, and is refused by those to whom it is proposed if they do not fit', () => {
    const [ours, theirs] = [openChain(genesis), openChain(genesis)]
    const seals = 2 * 67
    const block = propose(ours, limit - seals - 16)
    runSteps(theirs.chain.verify(block))
    expect(encodeBlock(seal(block)).length).toBeLessThanOrEqual(limit)
    const tooLarge = propose(ours, limit - seals + 1)
    expect(() => runSteps(theirs.chain.verify(tooLarge))).toThrow('BLOCK_TOO_LARGE')
    expect(theirs.verdict(seal(tooLarge))).toBe('BLOCK_TOO_LARGE')
    expect(theirs.verdict(seal(block))).toBe('extended')
  })

  test('is measured too where its own node imports it', () => {
    const ours = openChain(genesis)
    const block = seal(propose(ours, limit - 2))
    expect(encodeBlock(block).length).toBeGreaterThan(limit)
    expect(ours.verdict(block)).toBe('BLOCK_TOO_LARGE')
    expect(ours.head().header.number).toBe(0n)
  })

  test('is not built if it is too large', () => {
    const ours = openChain(genesis)
    expect(() => propose(ours, limit + 1)).toThrow('BLOCK_TOO_LARGE')
  })
})
