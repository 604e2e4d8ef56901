import type { Chain } from '../../src/chain/chain.ts'
import type { HashedHeader } from '../../src/chain/view.ts'
import { type AuthorityEngine, isAuthorityEngine } from '../../src/consensus/authorityEngine.ts'
import { bftCommitHash } from '../../src/consensus/bft/bftHash.ts'
import { type BftCodec, type BftExtraData, bftGenesisExtraData } from '../../src/consensus/bft/extraData.ts'
import {
  type CliqueExtraData,
  cliqueGenesisExtraData,
  encodeCliqueExtraData,
} from '../../src/consensus/clique/extraData.ts'
import { cliqueSealHash } from '../../src/consensus/clique/sealHash.ts'
import { createConsensus } from '../../src/consensus/createConsensus.ts'
import { createChainSpec } from '../../src/forks/chainSpec.ts'
import { toGenesisFile } from '../../src/forks/genesisFile.ts'
import { type Address, compareBytes, concatBytes, type Hash32 } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { curve, privateKeyToAddress } from '../../src/primitives/secp256k1.ts'
import type { Block } from '../../src/types/block.ts'
import { bftMixHash, blankHeader, type Header } from '../../src/types/header.ts'
import { openTestChain, removeFolder } from './testChain.ts'

/** An account that makes blocks. */
export interface Authority {
  readonly key: Uint8Array
  readonly address: Address
}

/** Accounts in the order of their addresses. */
export function authorities(count: number): Authority[] {
  return Array.from({ length: count }, (_, i) => {
    const key = new Uint8Array(32).fill(i + 1)
    return { key, address: privateKeyToAddress(key) }
  }).sort((a, b) => compareBytes(a.address, b.address))
}

export interface AuthorityChain {
  readonly chain: Chain
  readonly consensus: AuthorityEngine
  head(): HashedHeader
  /** Who may make the block after the head. */
  validators(): readonly Address[]
  /** Code of the fault for which a block is refused, or how it was taken. */
  verdict(block: Block): string
  close(): Promise<void>
}

const bareGenesis = { gasLimit: '0x1000000', difficulty: '0x1' }

export function cliqueGenesis(signers: readonly Authority[], clique: object, config: object = {}) {
  const extraData = toHex(cliqueGenesisExtraData(signers.map(({ address }) => address)))
  return { ...bareGenesis, extraData, config: { berlinBlock: 0, ...config, clique } }
}

export function bftGenesis(codec: BftCodec, validators: readonly Authority[], config: object, alloc: object = {}) {
  const extraData = toHex(
    bftGenesisExtraData(
      codec,
      validators.map(({ address }) => address),
    ),
  )
  return { ...bareGenesis, extraData, alloc, mixHash: toHex(bftMixHash), config: { berlinBlock: 0, ...config } }
}

/** A real chain on disk of a network whose blocks are made by known accounts; the time is `now` all along, if given. */
export function openAuthorityChain(genesis: object, now?: number): AuthorityChain {
  const spec = createChainSpec(toGenesisFile(genesis))
  const clock = now === undefined ? undefined : { clock: { now: () => now, after: () => () => {} } }
  const consensus = createAuthorityEngine(spec, clock)
  const { chain, path, close } = openTestChain(spec, undefined, (parts) => ({ ...parts, consensus }))
  return {
    chain,
    consensus,
    head: chain.head,
    validators: () => chain.read((view) => consensus.validatorsAfter(view.head, view)),
    verdict(block) {
      try {
        return chain.importBlock(block)
      } catch (error) {
        return (error as { at?: { code: string } }).at?.code ?? String(error)
      }
    },
    async close() {
      await close()
      removeFolder(path)
    },
  }
}

/** The engine of a network that has authorities. */
export function createAuthorityEngine(...args: Parameters<typeof createConsensus>): AuthorityEngine {
  const consensus = createConsensus(...args)
  if (!isAuthorityEngine(consensus)) throw new Error('the genesis file names no engine of known accounts')
  return consensus
}

/** An empty block on `parent`, as far as all engines agree; without rewards the state stays as it was. */
function draft(parent: HashedHeader): Header {
  const { number, timestamp, gasLimit, stateRoot, baseFee } = parent.header
  return {
    ...blankHeader,
    parentHash: parent.hash,
    number: number + 1n,
    timestamp: timestamp + 1n,
    gasLimit,
    stateRoot,
    baseFee,
  }
}

const blockOf = (header: Header): Block => ({ header, transactions: [], ommers: [], withdrawals: undefined })

function sign(digest: Hash32, key: Uint8Array): Uint8Array {
  const { rs, parity } = curve.sign(digest, key)
  return concatBytes(rs, Uint8Array.of(parity))
}

export interface CliquePlan {
  readonly signer: Authority
  /** The signers whose turns count, ascending. */
  readonly among: readonly Authority[]
  readonly vote?: { readonly subject: Address; readonly add: boolean }
  readonly header?: Partial<Header>
  readonly extraData?: Partial<CliqueExtraData>
}

/** An empty Clique block. */
export function cliqueBlock(parent: HashedHeader, { signer, among, vote, header, extraData }: CliquePlan): Block {
  const number = parent.header.number + 1n
  const inTurn = among[Number(number) % among.length] === signer
  const parts = { vanity: new Uint8Array(32), signers: [], seal: new Uint8Array(65), ...extraData }
  const unsealed: Header = {
    ...draft(parent),
    difficulty: inTurn ? 2n : 1n,
    ...(vote && { beneficiary: vote.subject, nonce: new Uint8Array(8).fill(vote.add ? 0xff : 0) }),
    extraData: encodeCliqueExtraData(parts),
    ...header,
  }
  const seal = extraData?.seal ?? sign(cliqueSealHash(unsealed), signer.key)
  return blockOf({ ...unsealed, extraData: concatBytes(unsealed.extraData.subarray(0, -65), seal) })
}

export interface BftPlan {
  readonly codec: BftCodec
  readonly proposer: Authority
  readonly validators: readonly Authority[]
  /** Who commits; all validators unless said otherwise. */
  readonly committers?: readonly Authority[]
  readonly header?: Partial<Header>
  readonly extraData?: Partial<BftExtraData>
}

/** An empty IBFT 2.0 or QBFT block. */
export function bftBlock(parent: HashedHeader, plan: BftPlan): Block {
  const { proposer, header } = plan
  const unsealed = { ...draft(parent), difficulty: 1n, beneficiary: proposer.address, mixHash: bftMixHash, ...header }
  const sealed = sealBft(unsealed, plan)
  return blockOf({ ...sealed, extraData: header?.extraData ?? sealed.extraData })
}

/** Puts extra data with seals on a header of IBFT 2.0 or QBFT. */
export function sealBft(header: Header, { codec, validators, committers = validators, extraData }: BftPlan): Header {
  const data: BftExtraData = {
    vanity: new Uint8Array(32),
    validators: validators.map(({ address }) => address),
    vote: undefined,
    round: 0,
    seals: [],
    ...extraData,
  }
  const digest = bftCommitHash(codec, { ...header, extraData: codec.encode(data, 'whole') }, data)
  const seals = extraData?.seals ?? committers.map(({ key }) => sign(digest, key))
  return { ...header, extraData: codec.encode({ ...data, seals }, 'whole') }
}
