import { isAuthorityEngine } from '../../../../src/consensus/authorityEngine.ts'
import { createCliqueSigners } from '../../../../src/consensus/clique/cliqueSigners.ts'
import { decodeCliqueExtraData, encodeCliqueExtraData } from '../../../../src/consensus/clique/extraData.ts'
import { cliqueSealHash } from '../../../../src/consensus/clique/sealHash.ts'
import { createConsensus } from '../../../../src/consensus/createConsensus.ts'
import { ExtraDataError } from '../../../../src/consensus/fault.ts'
import { errorOf, expectBytes, expectEqual, Mismatch } from '../../../../src/evmtool/expect.ts'
import { toBytes } from '../../../../src/evmtool/json.ts'
import { BlockError, type BlockFault } from '../../../../src/execution/fault.ts'
import { createChainSpec } from '../../../../src/forks/chainSpec.ts'
import { toGenesisFile } from '../../../../src/forks/genesisFile.ts'
import { hexToAddress } from '../../../../src/primitives/hex.ts'
import { decodeRlp } from '../../../../src/primitives/rlp.ts'
import { decodeBlock } from '../../../../src/types/block.ts'
import { blankHeader, headerFromRlp, headerHash } from '../../../../src/types/header.ts'
import type { Data } from '../../data.ts'
import { withDiskChain } from '../../diskChain.ts'
import type { Case, SuiteOptions } from '../../suite.ts'
import { expectAddresses } from './addresses.ts'

interface ExtraDataFile {
  readonly valid: readonly {
    readonly name: string
    readonly vanity: string
    readonly signers: readonly string[]
    readonly seal: string
    readonly encoded: string
  }[]
  readonly invalid: readonly { readonly name: string; readonly encoded: string }[]
}

interface CliqueHeader {
  readonly name: string
  readonly headerRlp?: string
  readonly extraData?: string
  readonly hash?: string
  readonly sealHash?: string
  readonly proposer: string
  readonly signersInExtraData: readonly string[]
}

interface Voting {
  readonly name: string
  readonly comment: string
  readonly genesis: unknown
  readonly genesisHash: string
  readonly blocks: readonly {
    readonly rlp: string
    readonly hash: string
    readonly signer: string
    readonly signersAfter: readonly string[]
    readonly valid: boolean
    readonly error?: string
  }[]
}

const folder = 'consensus/clique'

/** geth's words for a refusal, and ours. */
const refusals: Readonly<Record<string, BlockFault['code']>> = {
  'unauthorized signer': 'SIGNER_NOT_VALIDATOR',
  'recently signed': 'SIGNED_RECENTLY',
}

function checkExtraData({ vanity, signers, seal, encoded }: ExtraDataFile['valid'][number]): void {
  const parts = { vanity: toBytes(vanity), signers: signers.map(hexToAddress), seal: toBytes(seal) }
  expectBytes('encoded', encodeCliqueExtraData(parts), toBytes(encoded))
  const decoded = decodeCliqueExtraData(toBytes(encoded))
  expectBytes('vanity', decoded.vanity, parts.vanity)
  expectAddresses('signers', decoded.signers, signers)
  expectBytes('seal', decoded.seal, parts.seal)
}

function checkInvalid({ encoded }: ExtraDataFile['invalid'][number]): void {
  const error = errorOf(() => decodeCliqueExtraData(toBytes(encoded)))
  if (!(error instanceof ExtraDataError)) throw error ?? new Mismatch('accepted, expected to be refused')
}

function checkHeader(test: CliqueHeader): void {
  const header = test.headerRlp
    ? headerFromRlp(decodeRlp(toBytes(test.headerRlp)))
    : { ...blankHeader, extraData: toBytes(test.extraData!) }
  if (test.hash !== undefined) expectBytes('hash', headerHash(header), toBytes(test.hash))
  if (test.sealHash !== undefined) expectBytes('seal hash', cliqueSealHash(header), toBytes(test.sealHash))
  expectBytes('proposer', createCliqueSigners().of(header), toBytes(test.proposer))
  expectAddresses('signers', decodeCliqueExtraData(header.extraData).signers, test.signersInExtraData)
}

function checkVoting(test: Voting, options: SuiteOptions): Promise<void> {
  const spec = createChainSpec(toGenesisFile(test.genesis))
  const consensus = createConsensus(spec)
  if (!isAuthorityEngine(consensus)) throw new Mismatch('not an engine of signers')
  return withDiskChain(spec, consensus, options, (chain) => {
    expectBytes('genesis hash', chain.genesis.hash, toBytes(test.genesisHash))
    for (const [i, { rlp, hash, signer, signersAfter, valid, error: reason }] of test.blocks.entries()) {
      const block = decodeBlock(toBytes(rlp))
      expectBytes(`hash of ${i}`, consensus.hash(block.header), toBytes(hash))
      expectBytes(`signer of ${i}`, consensus.signerOf(block.header), toBytes(signer))
      const error = errorOf(() => chain.importBlock(block))
      if (!valid) {
        if (!(error instanceof BlockError)) throw error ?? new Mismatch(`block ${i} accepted`)
        expectEqual(`reason for ${i}`, error.at.code, refusals[reason!])
        continue
      }
      if (error) throw error
      const signers = chain.read((view) => consensus.validatorsAfter(view.head, view))
      expectAddresses(`signers after ${i}`, signers, signersAfter)
    }
  })
}

export function cliqueCases(data: Data, options: SuiteOptions): Case[] {
  const { valid, invalid } = data.json(`${folder}/extra-data.json`) as ExtraDataFile
  const headers = data.json(`${folder}/headers.json`) as readonly CliqueHeader[]
  const voting = data.json(`${folder}/voting.json`) as readonly Voting[]
  return [
    ...valid.map((test) => ({ name: `clique/extra-data ${test.name}`, run: () => checkExtraData(test) })),
    ...invalid.map((test) => ({ name: `clique/extra-data ${test.name}`, run: () => checkInvalid(test) })),
    ...headers.map((test) => ({ name: `clique/headers ${test.name}`, run: () => checkHeader(test) })),
    ...voting.map((test) => ({
      name: `clique/voting ${test.name} ${test.comment}`,
      run: () => checkVoting(test, options),
    })),
  ]
}
