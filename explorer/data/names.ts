import { useEffect, useState } from 'preact/hooks'
import { keep, readKept } from './kept.ts'
import { useSite } from './session.ts'

type Names = Readonly<Record<string, string>>

/** A name of an address, and who gave it. */
export interface AddressName {
  readonly name: string
  readonly from: 'browser' | 'node'
}

const maxName = 64
let ofNode: Names = {}
let ofBrowser = readKept<Names>('names', {})
const listeners = new Set<() => void>()

function announce(): void {
  for (const listener of [...listeners]) listener()
}

/** The name of an address: the one that this browser keeps, or else the operator's. */
export function nameOf(address: string): AddressName | undefined {
  const key = address.toLowerCase()
  const own = ofBrowser[key]
  if (own) return { name: own, from: 'browser' }
  const given = ofNode[key]
  return given ? { name: given, from: 'node' } : undefined
}

/** Keeps a name in this browser; an empty one forgets it. */
export function keepName(address: string, name: string): void {
  const { [address.toLowerCase()]: _, ...others } = ofBrowser
  const text = name.trim().slice(0, maxName)
  ofBrowser = text === '' ? others : { ...others, [address.toLowerCase()]: text }
  keep('names', ofBrowser)
  announce()
}

/** All addresses whose name has a text in it, own names first. */
export function findNames(text: string): readonly (readonly [address: string, name: string])[] {
  const wanted = text.trim().toLowerCase()
  const all = Object.entries({ ...ofBrowser, ...ofNode, ...ofBrowser })
  return wanted === '' ? [] : all.filter(([, name]) => name.toLowerCase().includes(wanted))
}

/** The name of an address, also when it is given or changed later. */
export function useName(address: string): AddressName | undefined {
  const [, setVersion] = useState(0)
  useEffect(() => {
    const change = () => setVersion((version) => version + 1)
    listeners.add(change)
    return () => listeners.delete(change)
  }, [])
  return nameOf(address)
}

/** Asks the node that is shown for the names that its operator keeps. */
export function useNamesOfNode(): void {
  const { ask, node, namespaces } = useSite()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names are those of a node.
  useEffect(() => {
    if (!namespaces.has('OTS')) return
    ask<Names>('quoin_getAddressNames').then(
      (names) => {
        ofNode = names
        announce()
      },
      // Users who may not ask for them see addresses.
      () => {},
    )
  }, [node.path])
}
