import { GenesisError } from './fault.ts'
import { type GenesisObject, listMember, member, objectMember, toJsonObject } from './jsonObject.ts'
import { forks } from './table.ts'

/** What is done about a key of a genesis file: `refused` keys have an effect in some version of Besu that Quoin does not have. */
export type KeyDecision =
  | 'honoured'
  /** Why it says nothing about a network that this node can run. */
  | { readonly ignored: string }
  /** Why a file that has it is not run. */
  | { readonly refused: string }

type Decisions = Readonly<Record<string, KeyDecision>>

const all = (names: string, decision: KeyDecision): Decisions =>
  Object.fromEntries(names.split(' ').map((name) => [name, decision]))

const classic = { refused: 'Ethereum Classic rules are not supported' }
const experiment = { refused: 'experimental rules are not supported' }
const merge = { ignored: 'only follows from the merge of a public network' }

/** The keys of `config`, in the letters in which they are usually written. */
export const configKeys: Decisions = {
  ...Object.fromEntries(forks.map(({ key }) => [key, 'honoured' as const])),
  ...all(
    'chainId ethash fixedDifficulty clique ibft2 qbft transitions constantinopleFixBlock blobSchedule',
    'honoured',
  ),
  quoin: 'honoured',
  ...all('bpo1Time bpo2Time bpo3Time bpo4Time bpo5Time', 'honoured'),
  ...all('terminalTotalDifficulty zeroBaseFee fixedBaseFee contractSizeLimit evmStackSize ecCurve', 'honoured'),
  ...all('depositContractAddress withdrawalRequestContractAddress consolidationRequestContractAddress', 'honoured'),
  ...all('classicForkBlock ecip1015Block dieHardBlock gothamBlock ecip1041Block atlantisBlock aghartaBlock', classic),
  ...all('phoenixBlock thanosBlock magnetoBlock mystiqueBlock spiralBlock', classic),
  ibft: {
    refused:
      'blocks of IBFT 1.0 (GoQuorum) cannot be verified, also not those before QBFT takes over; use ibft2 or qbft',
  },
  isQuorum: { refused: "GoQuorum's rules (private transactions with v 37 and 38, no gas price) are not supported" },
  amsterdamTime: {
    refused: 'the Amsterdam fork is not supported: no node of this version can follow the chain past it',
  },
  ...all('builderDepositRequestContractAddress builderExitRequestContractAddress', {
    ignored: 'only read under the Amsterdam fork, which is refused',
  }),
  ...all('cancunEOFTime pragueEOFTime eofTime', { refused: 'the EVM Object Format is not supported' }),
  ...all('futureEipsTime experimentalEipsTime', experiment),
  ...all('verkleTime enableVerkleAtGenesis', { refused: 'Verkle trees are not supported' }),
  ecip1017EraRounds: { ignored: 'only read with the rules of Ethereum Classic, which are refused' },
  ...all('terminalBlockHash terminalBlockNumber terminalTotalDifficultyPassed preMergeForkBlock parisBlock', merge),
  eip155Block: { ignored: 'is part of eip158Block, as in Besu' },
  eip150Hash: { ignored: 'names a block of the public network' },
  daoForkSupport: { ignored: 'daoForkBlock alone decides, as in Besu' },
  checkpoint: { ignored: 'sync executes every block, and needs no checkpoint' },
  discovery: 'honoured',
}

/** Keys of `ibft2` and `qbft`. */
export const bftKeys: Decisions = {
  ...all('blockPeriodSeconds xBlockPeriodMilliseconds emptyBlockPeriodSeconds xEmptyBlockPeriodSeconds', 'honoured'),
  ...all('epochLength requestTimeoutSeconds blockReward miningBeneficiary perTxGasLimit startBlock', 'honoured'),
  ...all('validatorContractAddress duplicateMessageLimit gossipedHistoryLimit futureMessagesLimit', 'honoured'),
  ...all('futureMessagesMaxDistance', 'honoured'),
  messageQueueLimit: { ignored: 'messages are read as they come, without a queue' },
}

/** Keys of an entry of `transitions.qbft`. */
export const bftTransitionKeys: Decisions = {
  ...bftKeys,
  ...all('block validators validatorSelectionMode', 'honoured'),
  timestamp: { refused: 'a transition begins at a block ("block"), which from forks by time on may be a time' },
}

/** Those of `transitions.ibft2`. */
export const ibft2TransitionKeys: Decisions = {
  ...bftTransitionKeys,
  xBlockPeriodMilliseconds: { ignored: 'transitions of IBFT 2.0 do not change it, as in Besu' },
}

export const cliqueTransitionKeys: Decisions = all('block blockPeriodSeconds createEmptyBlocks', 'honoured')

/** The sections of `config` whose keys are known. */
export const sectionKeys: Readonly<Record<string, Decisions>> = {
  ethash: all('fixedDifficulty', 'honoured'),
  // Another name for ethash since Besu 26.
  fixedDifficulty: all('fixedDifficulty', 'honoured'),
  clique: {
    ...all('blockPeriodSeconds period epochLength epoch createEmptyBlocks', 'honoured'),
    requestTimeoutSeconds: { ignored: 'Clique has no rounds' },
  },
  quoin: all(
    'epochsFromStartBlock exactPrivateExecutionBlock placeSystemContracts systemCalls transitionsByTime',
    'honoured',
  ),
  ibft2: bftKeys,
  qbft: bftKeys,
}

function refuseIn(section: GenesisObject, at: string, keys: Decisions): void {
  for (const [key, decision] of Object.entries(keys)) {
    if (typeof decision === 'string' || !('refused' in decision)) continue
    const value = member(section, key)
    // Besu's files say of some that they are off.
    if (value !== undefined && value !== false && value !== 'false')
      throw new GenesisError({
        code: 'GENESIS_UNSUPPORTED',
        key: `${at}.${key.toLowerCase()}`,
        reason: decision.refused,
      })
  }
}

/** Refuses what would change the rules in unsupported ways. */
export function refuseUnsupportedKeys(config: GenesisObject): void {
  const curve = member(config, 'ecCurve')
  if (curve !== undefined && curve !== 'secp256k1')
    throw new GenesisError({
      code: 'GENESIS_UNSUPPORTED',
      key: 'config.ecCurve',
      reason: `the curve ${String(curve)} is not supported, only secp256k1`,
    })
  refuseIn(config, 'config', configKeys)
  for (const [name, keys] of Object.entries(sectionKeys)) {
    const section = objectMember(config, name)
    if (section) refuseIn(section, `config.${name}`, keys)
  }
  const transitions = objectMember(config, 'transitions') ?? new Map()
  for (const kind of ['ibft2', 'qbft'])
    for (const entry of listMember(transitions, kind) ?? [])
      refuseIn(toJsonObject(entry, `transitions.${kind}`), `config.transitions.${kind}`, bftTransitionKeys)
}
