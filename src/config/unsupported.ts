import { usage } from './fault.ts'
import { decodeValue, type Option } from './option.ts'
import { boolean, type Codec, list, natural, oneOf, port, text } from './values.ts'

/** An option of Besu that is answered with the reason why it is not here. */
function refused(codec: Codec<unknown>, reason: string): Option<undefined> {
  return only(codec, undefined, reason)
}

/** An option of Besu of which exactly one value says what Quoin does anyway: that one is taken, others are refused. */
function only<T>(codec: Codec<T>, accepted: T | undefined, reason: string): Option<undefined> {
  return {
    codec,
    group: 'unsupported',
    doc: reason,
    aliases: [],
    fallbackText: accepted === undefined ? undefined : codec.encode(accepted),
    required: false,
    settle(name, given) {
      if (given === undefined) return undefined
      const value = decodeValue(codec, name, given)
      if (accepted === undefined) throw usage(`Option '--${name}' is not offered: ${reason}`)
      if (value !== accepted) throw usage(`Option '--${name}' takes only ${codec.encode(accepted)}: ${reason}`)
      return undefined
    },
  }
}

const any = text('VALUE')
const history = 'the state of old blocks is bounded with --history-blocks'
const storage = 'state is stored in one format, which keeps the whole history'
const plugins = 'Java plug-ins cannot be loaded'
const engine = 'blocks come from the consensus of the private network, not from a beacon node'
const ethash = 'blocks are not made by proof of work'
const names = 'names in enode URLs are not looked up; write IP addresses'
const metrics = 'measures are given in the form that Prometheus reads'
const privacy = 'this version has no private transactions'
const permissions = 'this version has no permissioning'
const access = 'this version neither authenticates callers nor speaks TLS; keep it on a trusted interface'

/** What users of Besu may have in their command lines and files that Quoin has not, and why. */
export const unsupported: Readonly<Record<string, Option<undefined>>> = {
  'sync-mode': only(oneOf(['FULL', 'FAST', 'X_SNAP', 'X_CHECKPOINT'], 'any case'), 'FULL', 'every block is executed'),
  'tx-pool-max-prioritized': refused(natural, 'the pool keeps all its transactions in one order, without layers'),
  'fast-sync-min-peers': refused(natural, 'every block is executed'),
  'data-storage-format': only(oneOf(['FOREST', 'BONSAI'], 'any case'), 'FOREST', storage),
  'bonsai-historical-block-limit': refused(natural, history),
  'bonsai-maximum-back-layers-to-load': refused(natural, history),
  'pruning-enabled': only(boolean, false, history),
  'pruning-blocks-retained': refused(natural, history),
  'pruning-block-confirmations': refused(natural, history),
  'cache-last-blocks': refused(natural, 'caches need no setting'),
  'key-value-storage': refused(any, plugins),
  'security-module': only(oneOf(['localfile'], 'exact case'), 'localfile', plugins),
  'override-genesis-config': refused(list(any), 'write the values into the genesis file'),
  'engine-rpc-enabled': only(boolean, false, engine),
  'engine-rpc-port': refused(port, engine),
  'engine-jwt-secret': refused(any, engine),
  'engine-jwt-disabled': refused(boolean, engine),
  'engine-host-allowlist': refused(list(any), engine),
  'miner-stratum-enabled': only(boolean, false, ethash),
  'miner-stratum-host': refused(any, ethash),
  'miner-stratum-port': refused(port, ethash),
  'discovery-dns-url': refused(any, 'nodes are found with --bootnodes and --static-nodes-file'),
  'Xdns-enabled': only(boolean, false, names),
  'Xdns-update-enabled': only(boolean, false, names),
  'metrics-protocol': only(oneOf(['PROMETHEUS', 'OPENTELEMETRY', 'NONE'], 'any case'), 'PROMETHEUS', metrics),
  'privacy-enabled': only(boolean, false, privacy),
  'privacy-url': refused(any, privacy),
  'privacy-public-key-file': refused(any, privacy),
  'permissions-nodes-config-file-enabled': only(boolean, false, permissions),
  'permissions-accounts-config-file-enabled': only(boolean, false, permissions),
  'permissions-nodes-contract-enabled': only(boolean, false, permissions),
  'permissions-accounts-contract-enabled': only(boolean, false, permissions),
  'rpc-http-authentication-enabled': only(boolean, false, access),
  'rpc-ws-authentication-enabled': only(boolean, false, access),
  'rpc-http-tls-enabled': only(boolean, false, access),
}
