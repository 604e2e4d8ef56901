import type { HeadEvent } from '../chain/events.ts'
import type { NodeRule } from '../permissioning/rules.ts'
import type { PoolFault } from '../pool/fault.ts'
import { equalBytes } from '../primitives/bytes.ts'
import { dropOldest } from '../primitives/dropOldest.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import type { Tx } from '../types/transaction.ts'
import type { Verdict } from './messages.ts'
import type { PluginThread } from './pluginThread.ts'
import { pluginBlock, pluginPeer, pluginTx } from './pluginValues.ts'

/** What a plugin decides, and is told. */
export interface PluginRules {
  /** Why transactions may not enter the pool, in their order; undefined where the plugin does not judge them. */
  readonly screen: ((txs: readonly ScreenedTx[]) => Promise<readonly (PoolFault | undefined)[]>) | undefined
  /** Undefined where the plugin does not judge peers. */
  readonly peers: NodeRule | undefined
  onHead(event: Pick<HeadEvent, 'added'>): void
  stop(): void
}

interface ScreenedTx {
  readonly tx: Tx
  readonly local: boolean
}

export interface PluginRulesParts {
  readonly plugin: PluginThread
  /** The node ID of this node. */
  readonly ownId: Uint8Array
  readonly clock: Clock
  readonly log: Logger
}

/** Transactions of one message: all of them have the time of one. */
const maxTogether = 32
/** Milliseconds for which an answer about a peer holds; then the plugin is asked again. */
const peerTime = 60_000
const maxPeers = 1000
/** Milliseconds between two lines in the log about what a plugin did wrong. */
const complaintTime = 10_000

interface KnownPeer {
  isAllowed: boolean
  /** When the answer came; undefined while it is awaited. */
  since: number | undefined
}

/** Logs what a plugin does wrong, now and then: a faulty one fails with each transaction. */
function createComplaints({ clock, log }: PluginRulesParts): (hook: string, reason: string) => void {
  let quietUntil = 0
  let unsaid = 0
  return (hook, reason) => {
    if (clock.now() < quietUntil) {
      unsaid++
      return
    }
    log.error({ hook, reason, before: unsaid }, 'plugin failed in {hook}: {reason}')
    quietUntil = clock.now() + complaintTime
    unsaid = 0
  }
}

function faultOf(verdict: Verdict | undefined): PoolFault | undefined {
  if (verdict?.kind === 'allowed') return undefined
  if (verdict?.kind === 'refused') return { code: 'PLUGIN_REFUSED', reason: verdict.reason }
  return { code: 'PLUGIN_FAILED' }
}

/** Answers about peers that a plugin has given. The network asks again and again, and does not wait. */
class PluginPeers implements NodeRule {
  private readonly parts: PluginRulesParts
  private readonly complain: (hook: string, reason: string) => void
  private readonly known = new Map<string, KnownPeer>()
  private readonly listeners = new Set<() => void>()

  constructor(parts: PluginRulesParts, complain: (hook: string, reason: string) => void) {
    this.parts = parts
    this.complain = complain
  }

  /** A node that is not known yet is let in for as long as the plugin needs to answer, and disconnected if it is refused. */
  readonly allows: NodeRule['allows'] = (source, destination) => {
    const isOutbound = equalBytes(source.id, this.parts.ownId)
    const peer = pluginPeer(isOutbound ? destination : source, isOutbound ? 'outbound' : 'inbound')
    const key = `${peer.direction} ${peer.id} ${peer.ip}`
    let known = this.known.get(key)
    if (!known) {
      this.known.set(key, (known = { isAllowed: true, since: -Infinity }))
      dropOldest(this.known, maxPeers)
    }
    if (known.since !== undefined && this.parts.clock.now() - known.since >= peerTime) void this.ask(known, peer)
    return known.isAllowed
  }

  private async ask(known: KnownPeer, peer: object): Promise<void> {
    known.since = undefined
    const [verdict] = await this.parts.plugin.ask('mayConnect', [peer])
    if (verdict!.kind === 'failed') this.complain('mayConnect', verdict!.reason)
    known.since = this.parts.clock.now()
    const isAllowed = verdict!.kind === 'allowed'
    if (isAllowed === known.isAllowed) return
    known.isAllowed = isAllowed
    if (!isAllowed) this.parts.log.info({ peer: (peer as { enode: string }).enode, verdict }, 'plugin refuses {peer}')
    this.look()
  }

  readonly onChange: NodeRule['onChange'] = (listener) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Has the network ask about the peers that are connected. */
  look(): void {
    for (const listener of this.listeners) listener()
  }

  /** Forgets how old answers are: the plugin is asked again about each. */
  readonly forget = (): void => {
    for (const known of this.known.values()) if (known.since !== undefined) known.since = -Infinity
    this.look()
  }
}

/** Turns a plugin into rules that the pool and the network know, and tells it of blocks. */
export function createPluginRules(parts: PluginRulesParts): PluginRules {
  const { plugin, clock } = parts
  const complain = createComplaints(parts)

  async function judge(txs: readonly ScreenedTx[]): Promise<readonly (PoolFault | undefined)[]> {
    const values = txs.map(({ tx, local }) => pluginTx(tx, local))
    const verdicts = await plugin.ask('mayEnter', values)
    const failed = verdicts.find((verdict) => verdict.kind === 'failed')
    if (failed?.kind === 'failed') complain('mayEnter', failed.reason)
    return txs.map((_, i) => faultOf(verdicts[i]))
  }

  async function screen(txs: readonly ScreenedTx[]): Promise<readonly (PoolFault | undefined)[]> {
    const faults: (PoolFault | undefined)[] = []
    for (let at = 0; at < txs.length; at += maxTogether) faults.push(...(await judge(txs.slice(at, at + maxTogether))))
    return faults
  }

  /** Of many blocks that come together, while a node catches up, the last ones are told. */
  async function tell({ added }: Pick<HeadEvent, 'added'>): Promise<void> {
    for (const block of added.slice(-maxTogether)) {
      const [verdict] = await plugin.ask('onBlock', [pluginBlock(block)])
      if (verdict!.kind === 'failed') complain('onBlock', verdict!.reason)
    }
  }

  const peers = plugin.has('mayConnect') ? new PluginPeers(parts, complain) : undefined
  if (peers) plugin.onRestart(peers.forget)
  let cancel = () => {}
  function lookAgain(): void {
    peers?.look()
    cancel = clock.after(peerTime, lookAgain)
  }
  if (peers) cancel = clock.after(peerTime, lookAgain)
  const hearsBlocks = plugin.has('onBlock')
  return {
    screen: plugin.has('mayEnter') ? screen : undefined,
    peers,
    onHead(event) {
      // Not in the turn in which the block became the head: others wait for that.
      if (hearsBlocks) setImmediate(() => void tell(event))
    },
    stop: () => cancel(),
  }
}
