import { useEffect, useState } from 'preact/hooks'
import type { Abi, Hex } from 'viem'
import { findProxy, type ProxyPlace } from '../../src/sources/proxies/findProxy.ts'
import { soundAbi } from '../decode/soundAbi.ts'
import { type Ask, authorized } from './rpc.ts'

/** What the node knows of a contract beside its code. */
export interface KnownContract {
  readonly abi?: Abi
  /** Of verified sources. */
  readonly name?: string
  readonly match?: 'exact_match' | 'match'
  readonly codeHash?: Hex
  /** The contract whose sources these are, where another one has the same code. */
  readonly like?: Hex
  /** When somebody gave the ABI, without sources. */
  readonly givenAt?: string
}

interface Entry<T> {
  readonly value: T | undefined
  /** When it was asked for, in milliseconds. */
  readonly at: number
}

/** Milliseconds after which something is asked for again: contracts are verified and upgraded while a page is open. */
const lifetime = 60_000
/** Contracts that the server tells of at once. */
const maxAsked = 64

/** What is known of the contracts of one node; what was not asked for yet is asked for, and is there after the next rendering. */
class Contracts {
  private readonly ask: Ask
  private readonly hasSources: boolean
  private readonly known = new Map<string, Entry<KnownContract>>()
  private readonly proxies = new Map<string, Entry<ProxyPlace>>()
  private wanted = new Set<string>()

  constructor(ask: Ask, hasSources: boolean) {
    this.ask = ask
    this.hasSources = hasSources
  }

  of(address: string): KnownContract | undefined {
    if (!this.hasSources) return undefined
    const key = address.toLowerCase()
    if (isOld(this.known.get(key))) {
      this.known.set(key, { value: this.known.get(key)?.value, at: Date.now() })
      if (this.wanted.size === 0) setTimeout(() => void this.load())
      this.wanted.add(key)
    }
    return this.known.get(key)?.value
  }

  private async load(): Promise<void> {
    const all = [...this.wanted]
    this.wanted = new Set()
    for (let at = 0; at < all.length; at += maxAsked) {
      const addresses = all.slice(at, at + maxAsked)
      const found = await postToSources<Record<string, KnownContract>>('known', { addresses }).catch(() => undefined)
      if (found) for (const key of addresses) this.known.set(key, { value: soundly(found[key]), at: Date.now() })
    }
    tell()
  }

  /** Where a contract passes its calls on after a block. */
  proxy(address: string, block: string): ProxyPlace | undefined {
    const key = `${address.toLowerCase()} ${block}`
    const entry = this.proxies.get(key)
    if (isOld(entry)) {
      this.proxies.set(key, { value: entry?.value, at: Date.now() })
      findProxy(this.ask, address, block).then(
        (value) => {
          this.proxies.set(key, { value, at: Date.now() })
          if (value) tell()
        },
        () => {
          // The state of the block is not there any more.
        },
      )
    }
    return this.proxies.get(key)?.value
  }

  forget(address: string): void {
    this.known.delete(address.toLowerCase())
    tell()
  }
}

/** An ABI that somebody gave may be anything that is JSON. */
const soundly = (known: KnownContract | undefined): KnownContract | undefined =>
  known?.abi ? { ...known, abi: soundAbi(known.abi) } : known

const isOld = (entry: Entry<unknown> | undefined) => !entry || Date.now() - entry.at > lifetime

const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}

/** Those of the node that is shown. */
export let contracts = new Contracts(() => Promise.reject(new Error('no node is shown')), false)

/** Another node is shown. */
export function showContractsOf(ask: Ask, hasSources: boolean): void {
  contracts = new Contracts(ask, hasSources)
}

/** Renders again when more is known. */
export function useContracts(): void {
  const [, setNews] = useState(0)
  useEffect(() => {
    const listener = () => setNews((count) => count + 1)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }, [])
}

/** Posts to the part of the server that keeps sources; its refusals are sentences. */
export async function postToSources<T>(path: string, body: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json', ...authorized() }
  const response = await fetch(`sources/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const answer = (await response.json()) as T & { readonly message?: string }
  if (!response.ok) throw new Error(answer.message ?? `The server answers ${response.status}.`)
  return answer
}
