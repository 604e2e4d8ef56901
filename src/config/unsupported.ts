import { usage } from './fault.ts'
import { decodeValue, type Option } from './option.ts'
import { boolean, list, natural, type OptionCodec, oneOf, port, text } from './values.ts'

/** An option of Besu that is rejected with a reason. */
function refused(codec: OptionCodec<unknown>, reason: string): Option<undefined> {
  return only(codec, undefined, reason)
}

/** An option of Besu of which only the value that matches Quoin's behaviour is accepted. */
function only<T>(codec: OptionCodec<T>, accepted: T | undefined, reason: string): Option<undefined> {
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
      if (accepted === undefined) throw usage(`Option '--${name}' is not supported: ${reason}`)
      if (value !== accepted) throw usage(`Option '--${name}' supports only ${codec.encode(accepted)}: ${reason}`)
      return undefined
    },
  }
}

/** Options that are rejected, all for one reason. */
function allRefused(
  names: readonly string[],
  reason: string,
  codec: OptionCodec<unknown> = any,
): Record<string, Option<undefined>> {
  return Object.fromEntries(names.map((name) => [name, refused(codec, reason)]))
}

const any = text('VALUE')
const history = 'use --history-blocks to limit the stored state'
const storage = 'there is one storage format, which keeps the whole history'
const plugins = 'Java plugins are not supported'
const engine = 'private networks have no consensus client'
const ethash = 'proof-of-work mining is not supported'
const metrics = 'metrics are in Prometheus format'
const privacy = 'this version offers private transactions without tenants'
const peerTls = 'peers always speak RLPx, which is encrypted'

/** Options of Besu that Quoin does not support, with the reason. */
export const unsupported: Readonly<Record<string, Option<undefined>>> = {
  'sync-mode': only(
    oneOf(['FULL', 'FAST', 'X_SNAP', 'X_CHECKPOINT'], 'any case'),
    'FULL',
    'sync always executes every block',
  ),
  'tx-pool-max-prioritized': refused(natural, 'the pool has no layers'),
  'fast-sync-min-peers': refused(natural, 'sync always executes every block'),
  'data-storage-format': only(oneOf(['FOREST', 'BONSAI'], 'any case'), 'FOREST', storage),
  'bonsai-historical-block-limit': refused(natural, history),
  'bonsai-maximum-back-layers-to-load': refused(natural, history),
  'pruning-enabled': only(boolean, false, history),
  'pruning-blocks-retained': refused(natural, history),
  'pruning-block-confirmations': refused(natural, history),
  'cache-last-blocks': refused(natural, 'caches need no configuration'),
  'key-value-storage': refused(any, plugins),
  'security-module': only(oneOf(['localfile'], 'exact case'), 'localfile', plugins),
  'override-genesis-config': refused(list(any), 'set the values in the genesis file'),
  'engine-rpc-enabled': only(boolean, false, engine),
  'engine-rpc-port': refused(port, engine),
  'engine-jwt-secret': refused(any, engine),
  'engine-jwt-disabled': refused(boolean, engine),
  'engine-host-allowlist': refused(list(any), engine),
  'miner-stratum-enabled': only(boolean, false, ethash),
  'miner-stratum-host': refused(any, ethash),
  'miner-stratum-port': refused(port, ethash),
  'discovery-dns-url': refused(any, 'use --bootnodes or --static-nodes-file'),
  'metrics-protocol': only(oneOf(['PROMETHEUS', 'OPENTELEMETRY', 'NONE'], 'any case'), 'PROMETHEUS', metrics),
  'privacy-multi-tenancy-enabled': only(boolean, false, privacy),
  'privacy-enable-database-migration': only(boolean, false, privacy),
  'privacy-precompiled-address': refused(any, 'markers go to the address that Besu uses'),
  ...allRefused(
    ['rpc-ws-ssl-keystore-password', 'rpc-ws-ssl-truststore-password'],
    'other users could see it among the processes; use --rpc-ws-ssl-keystore-password-file',
  ),
  ...allRefused(
    ['rpc-ws-ssl-truststore-file', 'rpc-ws-ssl-truststore-password-file', 'rpc-ws-ssl-truststore-type'],
    'give the certificates of CAs as PEM, with --rpc-ws-ssl-trustcert-file',
  ),
  'rpc-ws-ssl-crl-file': refused(any, 'list the clients that may connect with --rpc-ws-ssl-known-clients-file'),
  'Xp2p-tls-enabled': only(boolean, false, peerTls),
  ...allRefused(
    [
      ...['keystore-file', 'keystore-password-file', 'keystore-type', 'truststore-file', 'truststore-password-file'],
      ...['truststore-type', 'crl-file', 'clienthello-sni'],
    ].map((n) => `Xp2p-tls-${n}`),
    peerTls,
  ),
}
