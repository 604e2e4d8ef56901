import { createEvm } from '../evm/createEvm.ts'
import type { Evm } from '../evm/evm.ts'
import type { Host } from '../evm/host.ts'
import type { Tracer } from '../evm/tracer.ts'
import { type Address, equalBytes } from '../primitives/bytes.ts'
import { createTrialEvm, type TrialEvm } from './trialEvm.ts'

/** An account that calls may use, and the tracer of such calls. */
export interface WatchedAccount {
  readonly address: Address
  readonly tracer: Tracer
}

/**
 * An interpreter for calls that are traced when they use an account. Calls run at full speed on `evm` first; only if one
 * has read the account, it runs once more for the tracer.
 */
export function createWatchedCalls({ address, tracer }: WatchedAccount, evm: Evm): TrialEvm {
  let isRead = false
  const fast = createTrialEvm(
    noticing(evm, (host) => {
      isRead = false
      return {
        ...host,
        account(asked) {
          if (equalBytes(asked, address)) isRead = true
          return host.account(asked)
        },
      }
    }),
  )
  const traced = createTrialEvm(createEvm('exact', { ...tracer, isTrial: true }))
  return {
    at(where, use) {
      const result = fast.at(where, use)
      return isRead ? traced.at(where, use) : result
    },
    apart(host, use) {
      const result = fast.apart(host, use)
      return isRead ? traced.apart(host, use) : result
    },
  }
}

/** An EVM whose hosts are wrapped. */
function noticing(evm: Evm, wrap: (host: Host) => Host): Evm {
  return { ...evm, reset: (host) => evm.reset(wrap(host)) }
}
