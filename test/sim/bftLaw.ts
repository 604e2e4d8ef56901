import type { HashedHeader } from '../../src/chain/view.ts'
import { bftBlockHash, bftCommitHash } from '../../src/consensus/bft/bftHash.ts'
import type { BftBlockPlan, BftCrypto, BftTiming } from '../../src/consensus/bft/machine.ts'
import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import { equalValidators, indexOfValidator } from '../../src/consensus/voting/tally.ts'
import { createTallyHistory } from '../../src/consensus/voting/tallyHistory.ts'
import type { Votes } from '../../src/consensus/voting/votes.ts'
import { bftSettingsAt, bftValidatorsSetAt, minBlockGap } from '../../src/forks/bftTransitions.ts'
import { type Address, equalBytes, type Hash32, keyOf } from '../../src/primitives/bytes.ts'
import type { Block } from '../../src/types/block.ts'
import { bftMixHash, fieldOfEncodedHeader, type Header } from '../../src/types/header.ts'
import type { Tx } from '../../src/types/transaction.ts'
import type { Authority } from '../support/authorityChain.ts'
import { blockFor, genesisOf } from '../support/machineNetwork.ts'
import type { BftSetting } from './bftSetting.ts'
import { createElections, type ElectionRules, type Miscount } from './elections.ts'
import { headersOnly } from './headersOnly.ts'

/** What is true of blocks, no matter who looks at them. */
export interface BftLaw {
  readonly genesis: HashedHeader
  hashOf(header: Header): Hash32
  /** Who decides on the block after one that somebody has imported, counted with nothing of the node's. */
  validatorsAfter(head: HashedHeader): readonly Address[]
  /** The same by the node's own count. */
  validatorsByNode(head: HashedHeader): readonly Address[]
  /** The same, counted wrongly. */
  validatorsBy(miscount: Miscount): (head: HashedHeader) => readonly Address[]
  timingAt(height: bigint): BftTiming
  build(by: Authority, plan: BftBlockPlan, votes: Votes | undefined, mark: Uint8Array): Block
  /** Why a block is not valid on its parent, seals aside; `now` is the clock of who asks. */
  faultOf(block: Block, parent: HashedHeader, now: number): string | undefined
  /** Why the seals of a block do not make it final. */
  sealFaultOf(block: Block, parent: HashedHeader): string | undefined
  /** Makes a block known as a parent of others. */
  remember(block: HashedHeader): void
}

const clockTolerance = 1n

/** The one fault of a block that passes by itself. */
export const fromTheFuture = 'from the future'

/** A transaction whose only use is its length. */
const txOf = (bytes: number): Tx => ({
  type: 0,
  nonce: 0n,
  gasPrice: 0n,
  gasLimit: 21_000n,
  to: undefined,
  value: 0n,
  data: new Uint8Array(bytes),
  v: 27n,
  r: 1n,
  s: 1n,
})

/** What a function gives for the same object, worked out once. */
function once<K extends object, V>(read: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>()
  return (key) => {
    let value = known.get(key)
    if (value === undefined) known.set(key, (value = read(key)))
    return value
  }
}

export function createBftLaw(protocol: BftProtocol, setting: BftSetting, { recover }: BftCrypto): BftLaw {
  const { config, keys, first, contract } = setting
  const { codec } = protocol
  const transactions = setting.blockBytes > 0 ? [txOf(setting.blockBytes)] : []
  const dataIn = once((header: Header) => codec.decode(header.extraData))
  const hashOf = once((header: Header) => bftBlockHash(codec, header))
  const genesis = genesisOf(protocol, first)
  const known = new Map([[keyOf(genesis.hash), genesis]])
  const ancestry = headersOnly((hash) => known.get(keyOf(hash)))
  const history = createTallyHistory({
    epochLength: config.epochLength,
    listedIn: (header) => dataIn(header).validators,
    setAfter: (number) => bftValidatorsSetAt(config, number + 1n),
    voteIn({ header }) {
      const { vote } = dataIn(header)
      return vote && { proposer: header.beneficiary, subject: vote.recipient, add: vote.add }
    },
    hasVote: (encodedHeader) => codec.hasVote(fieldOfEncodedHeader(encodedHeader, 'extraData')),
  })
  const tallyAfter = (head: HashedHeader) => history.after(head, ancestry)
  const elections: ElectionRules = {
    first: first.map(({ address }) => address),
    epochLength: config.epochLength,
    namedFor: (number) => config.transitions.findLast(({ block }) => block === number)?.validators,
    voteIn({ header }) {
      const { vote } = dataIn(header)
      return vote && { by: header.beneficiary, on: vote.recipient, add: vote.add }
    },
    parentOf: ({ header }) => known.get(keyOf(header.parentHash))!,
  }
  const named = ({ header }: HashedHeader) => contract?.(header.number + 1n).map(({ address }) => address)
  const count = createElections(elections)
  const validatorsAfter = (head: HashedHeader) => named(head) ?? count(head)
  const validatorsByNode = (head: HashedHeader) => named(head) ?? tallyAfter(head).validators

  return {
    genesis,
    hashOf,
    validatorsAfter,
    validatorsByNode,
    validatorsBy(miscount) {
      const miscounted = createElections(elections, miscount)
      return (head) => named(head) ?? miscounted(head)
    },
    timingAt: (number) => bftSettingsAt(config, { number, timestamp: 0n }),
    build(by, plan, votes, mark) {
      const validators = validatorsByNode(plan.parent)
      const wish = contract ? undefined : votes?.choose(tallyAfter(plan.parent), by.address)
      return blockFor(
        protocol,
        by,
        keys.filter(({ address }) => indexOfValidator(validators, address) >= 0),
        plan,
        {
          byContract: contract !== undefined,
          minerExtraData: mark,
          transactions,
          vote: wish && { recipient: wish.subject, add: wish.add },
        },
      )
    },
    faultOf({ header }, parent, now) {
      const gap = minBlockGap(bftSettingsAt(config, header))
      const validators = validatorsAfter(parent)
      if (!equalBytes(header.parentHash, parent.hash)) return 'another parent'
      if (header.number !== parent.header.number + 1n) return 'another number'
      if (header.timestamp < parent.header.timestamp + gap) return 'too early'
      if (header.timestamp > BigInt(Math.floor(now / 1000)) + clockTolerance) return fromTheFuture
      if (header.difficulty !== 1n || !equalBytes(header.mixHash, bftMixHash)) return 'other constants'
      const listed = contract ? [] : validators
      if (!equalValidators(dataIn(header).validators, listed)) return 'other validators'
      return indexOfValidator(validators, header.beneficiary) < 0 ? 'by a stranger' : undefined
    },
    sealFaultOf({ header }, parent) {
      const validators = validatorsAfter(parent)
      const data = dataIn(header)
      const digest = bftCommitHash(codec, header, data)
      const sealers = new Set<string>()
      for (const seal of data.seals) {
        const sealer = recover(digest, seal)
        if (!sealer || indexOfValidator(validators, sealer) < 0) return 'a seal of nobody'
        sealers.add(keyOf(sealer))
      }
      if (sealers.size < data.seals.length) return 'a seal twice'
      // Counted again here, in other words than the machine's.
      return 3 * sealers.size < 2 * validators.length ? 'too few seals' : undefined
    },
    remember(block) {
      known.set(keyOf(block.hash), block)
    },
  }
}
