import type { AccountsAllowlist } from '../../permissioning/accountsAllowlist.ts'
import { AllowlistError } from '../../permissioning/fault.ts'
import type { NodesAllowlist } from '../../permissioning/nodesAllowlist.ts'
import type { Logger } from '../../primitives/logger.ts'
import type { PermissionsPort } from '../../rpc/protocol/context.ts'

export interface PermissionsPortParts {
  readonly accounts: AccountsAllowlist | undefined
  readonly nodes: NodesAllowlist | undefined
  readonly log: Logger
}

/** The local allowlists as the PERM methods see them. */
export function createPermissionsPort({ accounts, nodes, log }: PermissionsPortParts): PermissionsPort {
  return {
    accounts,
    nodes,
    async reload() {
      if (!accounts && !nodes) throw new AllowlistError({ code: 'ALLOWLISTS_DISABLED' })
      try {
        // Both are read before either changes.
        const read = [accounts?.read(), await nodes?.read()]
        for (const apply of read) apply?.()
        log.info({ accounts: accounts?.list().length, nodes: nodes?.list().length }, 'permissions reloaded')
      } catch (error) {
        log.warn({ error: (error as Error).message }, 'permissions file not reloaded: {error}')
        throw new AllowlistError({ code: 'RELOAD_FAILED' }, error)
      }
    },
  }
}
