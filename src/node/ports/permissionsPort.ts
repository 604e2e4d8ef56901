import type { AccountsAllowlist } from '../../permissioning/accountsAllowlist.ts'
import { AllowlistError } from '../../permissioning/fault.ts'
import type { NodesAllowlist } from '../../permissioning/nodesAllowlist.ts'
import type { AllowlistPort, PermissionContracts, PermissionsPort } from '../../rpc/protocol/context.ts'
import type { Logger } from '../../system/logger.ts'

export interface PermissionsPortParts {
  readonly accounts: AccountsAllowlist | undefined
  readonly nodes: NodesAllowlist | undefined
  readonly contracts: PermissionContracts
  readonly log: Logger
}

/** The local allowlists as the PERM methods see them; what the methods do not say about files is logged. */
export function createPermissionsPort({ accounts, nodes, contracts, log }: PermissionsPortParts): PermissionsPort {
  return {
    accounts: accounts && logged(accounts, 'accounts', log),
    nodes: nodes && logged(nodes, 'nodes', log),
    contracts,
    async reload() {
      if (!accounts && !nodes) throw new AllowlistError({ code: 'ALLOWLISTS_DISABLED' })
      try {
        // Both are read before either changes.
        const changes = [accounts?.read(), await nodes?.read()]
        for (const apply of changes) apply?.()
      } catch (error) {
        log.warn({ reason: reasonOf(error) }, 'permissions not reloaded: {reason}')
        throw new AllowlistError({ code: 'RELOAD_FAILED' }, error)
      }
      log.info({ accounts: accounts?.list().length, nodes: nodes?.list().length }, 'permissions reloaded')
    },
  }
}

function logged(list: AllowlistPort, name: 'accounts' | 'nodes', log: Logger): AllowlistPort {
  async function change(action: 'add' | 'remove', entries: readonly unknown[]): Promise<void> {
    try {
      await list[action](entries)
    } catch (error) {
      if (error instanceof AllowlistError && error.cause !== undefined)
        log.error({ list: name, reason: reasonOf(error.cause) }, '{list} allowlist not written to its file: {reason}')
      throw error
    }
    log.info({ list: name, action, count: entries.length, length: list.list().length }, '{list} allowlist changed')
  }
  return {
    list: list.list,
    add: (entries) => change('add', entries),
    remove: (entries) => change('remove', entries),
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
