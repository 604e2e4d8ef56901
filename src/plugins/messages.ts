/** The functions that a plugin may export. */
export const hookNames = ['mayEnter', 'mayConnect', 'onBlock'] as const
export type HookName = (typeof hookNames)[number]

/** What a plugin thinks of a transaction or a peer. */
export type Verdict =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'refused'; readonly reason: string }
  /** It threw, or returned what is no answer. */
  | { readonly kind: 'failed'; readonly reason: string }

/** Asks for a verdict about each value. */
export interface ToPlugin {
  readonly id: number
  readonly hook: HookName
  readonly values: readonly object[]
}

export type FromPlugin =
  | { readonly kind: 'ready'; readonly hooks: readonly HookName[] }
  | { readonly kind: 'unusable'; readonly reason: string }
  | { readonly kind: 'verdicts'; readonly id: number; readonly verdicts: readonly Verdict[] }

/** A transaction that wants to enter the pool; quantities as JSON-RPC writes them. */
export interface PluginTx {
  readonly hash: string
  readonly from: string
  /** null creates a contract. */
  readonly to: string | null
  readonly value: string
  readonly input: string
  readonly nonce: string
  readonly gas: string
  readonly type: number
  /** The most that it pays per unit of gas. */
  readonly gasPrice: string
  /** Whether it came by JSON-RPC, not from a peer. */
  readonly isLocal: boolean
}

/** A node that wants to connect, or that this one wants to connect to. */
export interface PluginPeer {
  readonly enode: string
  readonly id: string
  readonly ip: string
  readonly port: number
  readonly direction: 'inbound' | 'outbound'
}

/** A block that has become the head. */
export interface PluginBlock {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  readonly timestamp: number
  readonly miner: string
  readonly gasUsed: number
  readonly gasLimit: number
  readonly transactions: readonly string[]
}
