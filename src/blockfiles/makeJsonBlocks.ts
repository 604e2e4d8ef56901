import { setImmediate } from 'node:timers/promises'
import type { Chain } from '../chain/chain.ts'
import type { ChainView, HashedHeader } from '../chain/view.ts'
import { draftHeader } from '../consensus/producing/draftHeader.ts'
import { TxError } from '../execution/fault.ts'
import { type Address, equalBytes, keyOf, zeroAddress } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import { privateKeyToAddress } from '../primitives/secp256k1.ts'
import { oneStep } from '../primitives/steps.ts'
import type { Block } from '../types/block.ts'
import { signTx } from '../types/signTx.ts'
import type { Tx } from '../types/transaction.ts'
import type { BlockSealer } from './blockSealer.ts'
import { BlockFileError } from './fault.ts'
import { type PlannedBlock, readJsonBlocks } from './jsonBlocks.ts'

export interface JsonImportParts {
  readonly chain: Chain
  /** Undefined if one node alone cannot make blocks of this network. */
  readonly sealer: BlockSealer | undefined
}

export interface JsonImportOptions {
  /** Timestamp of the first block; each further one is a second later, or more if the network requires it. */
  readonly startTime: bigint
  readonly stop: AbortSignal
  readonly onProgress: (made: number, wanted: number, gas: bigint) => void
}

interface SignedTx {
  readonly tx: Tx
  readonly sender: Address
}

const maxExtraDataLength = 32
/** Above this a proof of work would take minutes. */
const hardestWork = 20_000n

/** Builds and imports the blocks that a JSON file describes, on the head; returns how many. */
export async function makeJsonBlocks(
  path: string,
  parts: JsonImportParts,
  options: JsonImportOptions,
): Promise<number> {
  const plans = readJsonBlocks(path)
  const { chain } = parts
  let gas = 0n
  let made = 0
  for (const plan of plans) {
    if (options.stop.aborted) break
    gas += chain.read((view) => makeBlock(path, plan, options.startTime + BigInt(made), view, parts))
    made++
    options.onProgress(made, plans.length, gas)
    await setImmediate()
  }
  return made
}

/** Builds and imports one block on the head of `view`; returns the gas it used. */
function makeBlock(
  path: string,
  plan: PlannedBlock,
  time: bigint,
  view: ChainView,
  { chain, sealer }: JsonImportParts,
): bigint {
  const refused = (reason: string, cause?: unknown) => new BlockFileError({ code: 'JSON_INVALID', path, reason }, cause)
  const { spec } = chain
  const parent = parentOf(plan, view, refused)
  if (!sealer) throw refused(`Unable to create block using current consensus engine: ${spec.consensus.kind}`)
  const set = [...(plan.coinbase ? ['coinbase'] : []), ...(plan.extraData ? ['extraData'] : [])]
  if (set.length && !sealer.freeFields)
    throw refused(
      `Some fields (${set.join(', ')}) are unsupported by the current consensus engine: ${spec.consensus.kind}`,
    )
  if (plan.extraData && plan.extraData.length > maxExtraDataLength)
    throw refused(`extraData is longer than ${maxExtraDataLength} bytes`)
  const earliest = parent.header.timestamp + sealer.period
  const timestamp = time > earliest ? time : earliest
  const settled = sealer.plan(parent, timestamp, view)
  if (settled.difficulty > hardestWork)
    throw refused(`a proof of work of difficulty ${settled.difficulty} takes too long; set ethash.fixedDifficulty`)
  const header = draftHeader(
    parent,
    {
      timestamp,
      beneficiary: plan.coinbase ?? zeroAddress,
      extraData: plan.extraData ?? settled.extraData,
      difficulty: settled.difficulty,
      targetGasLimit: undefined,
    },
    spec,
  )
  const rules = spec.rulesAt(header)
  if (rules.proofOfStake && !sealer.afterMerge)
    throw refused('Unable to create block using current consensus engine: after the merge a beacon chain makes them')
  const draft: Block = { header, transactions: [], ommers: [], withdrawals: rules.withdrawals ? [] : undefined }
  const signed = signAll(plan, view, parent)
  const invalid: TxError[] = []
  const hashed = chain.produce(
    draft,
    oneStep((run) => {
      for (const { tx, sender } of signed) {
        try {
          run.add(tx, sender)
        } catch (error) {
          if (!(error instanceof TxError)) throw error
          invalid.push(error)
        }
      }
      return invalid.length ? undefined : signed.map(({ tx }) => tx)
    }),
    { seal: sealer.seal },
  )
  if (!hashed)
    throw refused(
      `Unable to create block.  ${invalid.length} transaction(s) were found to be invalid. ` +
        `Block ${header.number}: ${invalid.map(({ message }) => message).join('; ')}`,
      invalid[0],
    )
  return hashed.header.gasUsed
}

type Refuse = (reason: string, cause?: unknown) => BlockFileError

function parentOf({ number, parentHash }: PlannedBlock, view: ChainView, refused: Refuse): HashedHeader {
  const { head } = view
  if (parentHash) {
    if (!view.headerBy(parentHash)) throw refused(`Unable to locate block parent at ${toHex(parentHash)}`)
    if (!equalBytes(parentHash, head.hash))
      throw refused(`blocks are only made on the head, which is ${toHex(head.hash)}, not on ${toHex(parentHash)}`)
  } else if (number !== undefined && number !== head.header.number + 1n) {
    if (number > head.header.number) throw refused(`Unable to locate block parent at ${number - 1n}`)
    throw refused(`block ${number} exists already; the next one is ${head.header.number + 1n}`)
  }
  return head
}

/** Signs the transactions in order; nonces continue from the parent's state. As in Besu the signatures have no chain id. */
function signAll({ transactions }: PlannedBlock, view: ChainView, parent: HashedHeader): SignedTx[] {
  const state = view.stateAt(parent.header.number)
  const nonces = new Map<string, bigint>()
  return transactions.map(({ secretKey, ...fields }) => {
    const sender = privateKeyToAddress(secretKey)
    const nonce = nonces.get(keyOf(sender)) ?? state.account(sender)?.nonce ?? 0n
    nonces.set(keyOf(sender), nonce + 1n)
    return { sender, tx: signTx({ type: 0, nonce, chainId: undefined, ...fields }, secretKey) }
  })
}
