// Runs in the browser too: nothing of Node.js here.

/** Hexadecimal with 0x. */
type Hex = `0x${string}`

/** How a contract passes its calls on, in words that people know. */
export type ProxyKind =
  | 'EIP-1967'
  | 'EIP-1967 beacon'
  | 'EIP-1167 minimal'
  | 'EIP-1822'
  | 'ZeppelinOS'
  | 'Safe'
  | 'EIP-7702 delegation'

/** A contract that runs the code of another one on its own state. */
export interface ProxyPlace {
  readonly kind: ProxyKind
  readonly implementation: Hex
  readonly beacon?: Hex
}

/** Calls a method of a node. */
export type Ask = <T>(method: string, params: readonly unknown[]) => Promise<T>

const beaconSlot = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'
/** implementation() */
const implementationCall = '0x5c60da1b'

/** Slots that hold the address of the implementation. */
const slots: readonly (readonly [ProxyKind, Hex])[] = [
  ['EIP-1967', '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'],
  ['EIP-1822', '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7'],
  ['ZeppelinOS', '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3'],
]

/** Code that passes all calls on to the address in it; a contract may have data behind it. */
const minimal: readonly RegExp[] = [
  /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3/,
  /^0x365f5f375f5f365f73([0-9a-f]{40})5af43d5f5f3e5f3d91602a57fd5bf3/,
  /^0x3d3d3d3d363d3d37363d73([0-9a-f]{40})5af43d3d93803e602a57fd5bf3/,
  /^0x366000600037611000600036600073([0-9a-f]{40})5af4602c57600080fd5b6110006000f3/,
]

const delegation = /^0xef0100([0-9a-f]{40})$/

/** A proxy of a Safe answers masterCopy() itself; it is short, and has its implementation in the first slot. */
const isSafe = (code: string) => code.length < 1000 && code.includes('a619486e')

const none = /^0x0*$/

/** The address in a word, undefined if it holds another value. */
function addressIn(word: string): Hex | undefined {
  const digits = word.slice(2).padStart(64, '0')
  return /^0{24}(?!0{40})[0-9a-f]{40}$/i.test(digits) ? `0x${digits.slice(24)}` : undefined
}

/** What the code of a contract says by itself. */
export function proxyInCode(code: string): ProxyPlace | undefined {
  const text = code.toLowerCase()
  const account = delegation.exec(text)?.[1]
  if (account !== undefined) return { kind: 'EIP-7702 delegation', implementation: `0x${account}` }
  for (const pattern of minimal) {
    const address = pattern.exec(text)?.[1]
    if (address !== undefined) return { kind: 'EIP-1167 minimal', implementation: `0x${address}` }
  }
  return undefined
}

/** Whether a contract passes its calls on after a block, and where; undefined if it is none of the proxies that are known. */
export async function findProxy(ask: Ask, address: string, block: string): Promise<ProxyPlace | undefined> {
  const slot = (at: string) => ask<string>('eth_getStorageAt', [address, at, block])
  const [code, first, beaconWord, ...words] = await Promise.all([
    ask<string>('eth_getCode', [address, block]),
    slot('0x0'),
    slot(beaconSlot),
    ...slots.map(([, at]) => slot(at)),
  ])
  if (none.test(code)) return undefined
  const found = proxyInCode(code)
  if (found) return found
  for (const [i, [kind]] of slots.entries()) {
    const implementation = addressIn(words[i]!)
    if (implementation) return { kind, implementation }
  }
  const beacon = addressIn(beaconWord)
  if (beacon) return proxyOfBeacon(ask, beacon, block)
  const singleton = isSafe(code) ? addressIn(first) : undefined
  return singleton && { kind: 'Safe', implementation: singleton }
}

async function proxyOfBeacon(ask: Ask, beacon: Hex, block: string): Promise<ProxyPlace | undefined> {
  try {
    const implementation = addressIn(await ask<string>('eth_call', [{ to: beacon, data: implementationCall }, block]))
    return implementation && { kind: 'EIP-1967 beacon', implementation, beacon }
  } catch {
    // The beacon reverts, or is gone.
    return undefined
  }
}
