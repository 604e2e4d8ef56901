import { resolve } from 'node:path'
import type { Config } from '../config/options.ts'
import type { Enode } from '../net/enode.ts'
import type { NetworkOptions } from '../net/p2pNetwork.ts'
import { type AccountsAllowlist, openAccountsAllowlist } from '../permissioning/accountsAllowlist.ts'
import { allowBootnodes } from '../permissioning/allowBootnodes.ts'
import { combineNodeRules, combineTxRules } from '../permissioning/combineRules.ts'
import { onlyFixedNodes } from '../permissioning/contracts/onlyFixedNodes.ts'
import type { LookUp } from '../permissioning/nodeEntry.ts'
import { type NodesAllowlist, openNodesAllowlist } from '../permissioning/nodesAllowlist.ts'
import type { NodeRule, TxRule } from '../permissioning/rules.ts'
import type { PermissionContracts, PermissionsPort } from '../rpc/protocol/context.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import type { ContractRules } from './createContractRules.ts'
import { createPermissionsPort } from './ports/permissionsPort.ts'

export interface PermissionParts {
  readonly dataPath: string
  /** The node ID of this node. */
  readonly ownId: Uint8Array
  /** The bootnodes and static nodes in use. */
  readonly network: Pick<NetworkOptions, 'discovery' | 'bootnodes' | 'staticNodes'>
  /** Undefined where names in enode URLs are not allowed. */
  readonly lookUp: LookUp | undefined
  readonly clock: Clock
  /** The rules that contracts decide. */
  readonly contracts: ContractRules
  /** What a plugin decides; undefined where none judges peers. */
  readonly pluginPeers: NodeRule | undefined
  readonly log: Logger
}

/** What rules for connections depend on beside the two nodes. */
export interface PeerFacts {
  /** The node IDs of connected peers. */
  ids(): readonly Uint8Array[]
  /** Whether the node has peers and none of them is ahead. */
  isInSync(): boolean
}

/** Who may send transactions, and which nodes may connect. */
export interface Permissions {
  /** All rules for transactions; undefined where everybody may send. */
  readonly txs: TxRule | undefined
  /** The local allowlist alone; undefined where it is disabled. */
  readonly localTxs: TxRule | undefined
  /** All rules for connections. */
  nodes(peers: PeerFacts): NodeRule
  /** Whether a node may become a static peer: it must be on the local list. A contract may allow it in any later block. */
  permitsPeer(enode: Enode): boolean
  /** Calls the listener when the rule for transactions has changed in another way than by a new head. */
  onTxRuleChange(listener: () => void): void
  /** The local allowlists, as the PERM methods see them. */
  readonly port: PermissionsPort
  stop(): void
}

/** Milliseconds between two look-ups of host names. */
const nameInterval = 60_000

/** Reads the allowlists and combines all rules: each of them must allow a transaction or a connection. */
export async function createPermissions(config: Config, parts: PermissionParts): Promise<Permissions> {
  const nodes = await openNodes(config, parts)
  const accounts = openAccounts(config, parts)
  const { contracts, ownId } = parts
  const { bootnodes, fixedNodes } = knownNodesOf(parts.network)
  const isPresent = <T>(rule: T | undefined): rule is T => rule !== undefined
  return {
    txs: combineTxRules([accounts?.rule, contracts.txs].filter(isPresent)),
    localTxs: accounts?.rule,
    nodes({ ids, isInSync }) {
      const contract =
        contracts.nodes &&
        allowBootnodes(onlyFixedNodes(contracts.nodes, { fixedNodes, ownId, isInSync }), {
          bootnodes,
          ownId,
          peers: ids,
        })
      return combineNodeRules([nodes?.rule, contract, parts.pluginPeers].filter(isPresent))
    },
    permitsPeer: (enode) => nodes?.rule.allows(enode, enode) ?? true,
    onTxRuleChange(listener) {
      accounts?.onChange(listener)
    },
    port: createPermissionsPort({ accounts, nodes, contracts: contractsOf(config), log: parts.log }),
    stop: nodes && config['Xdns-update-enabled'] ? followNames(nodes, parts) : () => {},
  }
}

/** The contracts that this node asks. */
const contractsOf = (config: Config): PermissionContracts => ({
  accounts: config['permissions-accounts-contract-enabled']
    ? config['permissions-accounts-contract-address']
    : undefined,
  nodes: config['permissions-nodes-contract-enabled'] ? config['permissions-nodes-contract-address'] : undefined,
  nodesVersion: config['permissions-nodes-contract-version'],
})

/** Looks up host names again and again; returns a function that ends this. */
function followNames(nodes: NodesAllowlist, { clock, log }: PermissionParts): () => void {
  let cancel = clock.after(nameInterval, refresh)
  let stopped = false
  function refresh(): void {
    nodes
      .refreshNames()
      .catch((error) => log.warn({ error: String(error) }, 'host names not looked up'))
      .finally(() => {
        if (!stopped) cancel = clock.after(nameInterval, refresh)
      })
  }
  return () => {
    stopped = true
    cancel()
  }
}

/** The bootnodes in use, and all nodes that the operator names. Without discovery there are no bootnodes for any purpose. */
function knownNodesOf({ discovery, bootnodes, staticNodes }: PermissionParts['network']) {
  const used = discovery ? bootnodes : []
  return { bootnodes: used, fixedNodes: [...used, ...staticNodes] }
}

const defaultFile = 'permissions_config.toml'

async function openNodes(config: Config, parts: PermissionParts): Promise<NodesAllowlist | undefined> {
  if (!config['permissions-nodes-config-file-enabled']) return undefined
  return openNodesAllowlist({
    path: fileOf(config['permissions-nodes-config-file'], parts.dataPath),
    ownId: parts.ownId,
    fixed: knownNodesOf(parts.network).fixedNodes,
    lookUp: parts.lookUp,
  })
}

function openAccounts(config: Config, parts: PermissionParts): AccountsAllowlist | undefined {
  if (!config['permissions-accounts-config-file-enabled']) return undefined
  return openAccountsAllowlist(fileOf(config['permissions-accounts-config-file'], parts.dataPath))
}

function fileOf(given: string | undefined, dataPath: string): string {
  return given === undefined ? resolve(dataPath, defaultFile) : resolve(given)
}
