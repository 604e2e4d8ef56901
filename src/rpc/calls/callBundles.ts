import type { HashedBlock } from '../../chain/view.ts'
import type { Evm } from '../../evm/evm.ts'
import type { Host } from '../../evm/host.ts'
import { TxError } from '../../execution/fault.ts'
import type { TxOutcome } from '../../execution/runTx.ts'
import { traceCall } from '../../execution/tracing/traceCall.ts'
import { type AccountOverride, withoutStorage } from '../../query/accountOverrides.ts'
import type { BlockOverrides } from '../../query/blockOverrides.ts'
import { hostOf } from '../../query/trialEvm.ts'
import { readyCall } from '../../query/tryCall.ts'
import type { CallObject } from '../codecs/callObject.ts'
import type { RpcContext } from '../protocol/context.ts'
import { RpcError } from '../protocol/fault.ts'
import { txErrorObject } from '../protocol/faultTable.ts'
import { stateBefore } from '../tracing/replay.ts'
import { requireBlockState } from './requireBlockState.ts'

/** Calls that run in one block, which may differ from the one whose state they start from. */
export interface Bundle {
  readonly calls: readonly CallObject[]
  readonly block: BlockOverrides | undefined
}

/** Where bundles start: after so many transactions of a block; undefined means after all of them. */
export interface BundlePlace {
  readonly block: HashedBlock
  readonly index: number | undefined
}

type Ports = Pick<RpcContext, 'budget' | 'chain' | 'evms'>

function hostAt({ chain, evms }: Ports, { block, index }: BundlePlace): Host {
  if (index === undefined || index >= block.block.transactions.length) return hostOf(requireBlockState(chain, block))
  const host = stateBefore(evms, chain, block.block, index)
  if (!host) throw new RpcError({ code: 'PARENT_NOT_FOUND' })
  return host
}

/** Runs calls one at a time, each on the state that the one before it left; fees and balances as in `eth_call`. */
export function callBundles(
  ports: Ports,
  bundles: readonly Bundle[],
  place: BundlePlace,
  accounts: readonly AccountOverride[],
): TxOutcome[][] {
  const { budget, chain, evms } = ports
  const at = place.block
  const beneficiary = evms.beneficiaryOf?.(at.header)
  let overrides = accounts

  function run(evm: Evm, call: CallObject, block: BlockOverrides | undefined): TxOutcome {
    if (budget.isUsedUp()) throw new RpcError({ code: 'TIMEOUT' })
    const pays = call.strict ? 'all' : 'nothing'
    const ready = readyCall(evm, call, { chain, at, pays, beneficiary, block, maxGas: budget.maxGas }, overrides)
    overrides = []
    const watch = { tracer: undefined, finish: (outcome: TxOutcome) => outcome }
    const outcome = traceCall(evm, ready.tx, ready.sender, ready.options, watch)
    budget.spendGas(outcome.gasUsed)
    return outcome
  }

  try {
    return evms.fast.apart(withoutStorage(hostAt(ports, place), accounts), (evm) =>
      bundles.map(({ calls, block }) => calls.map((call) => run(evm, call, block))),
    )
  } catch (error) {
    if (!(error instanceof TxError)) throw error
    throw new RpcError({ code: 'TX_REFUSED', error: txErrorObject(error, true) }, error)
  }
}
